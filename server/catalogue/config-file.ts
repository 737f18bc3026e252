import { choice, mapOf, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { source } from "./source.ts";

const shared = source`
// Dots in names nest: "server.port" is the member port of server. Numbers, true and false are read as what they are.
function nested(values: Record<string, string>): Record<string, unknown> {
  const root = {};
  for (const [name, text] of Object.entries(values)) {
    const path = name.split(".");
    const last = path.pop();
    let at = root;
    for (const part of path) {
      at[part] ??= {};
      at = at[part];
      if (typeof at !== "object") throw new Error(name + ": " + part + " is a value already and cannot hold others");
    }
    if (at[last] !== undefined) throw new Error(name + ": there are values below it, so it cannot be one itself");
    at[last] = read(text);
  }
  return root;
}

function read(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}
`;

/** A file of settings, generated. */
export const configFile: ShippedSchema = {
  name: "Config File",
  category: "Configuration",
  color: "#3C8D7A",
  description: "A file of settings in YAML, JSON or TOML, generated from its values",
  domain: [
    text("Path", { description: "Where it belongs, such as /etc/app/config.yaml" }),
    choice("Format", ["yaml", "json", "toml"]),
    { ...mapOf("Values", text("Value")), description: "Values by name; dots in names nest" },
  ],
  functions: [
    {
      kind: "codegen",
      name: "renderFile",
      displayName: "Render the file",
      description: "The values in the chosen format",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const format = domain?.Format ?? "yaml";
  const values = nested(domain?.Values ?? {});
  if (format === "json") return { format, code: JSON.stringify(values, null, 2) + "\n" };
  if (format === "toml") return { format, code: table(values, []) };
  if (format !== "yaml") throw new Error("Format is one of yaml, json, toml, found " + format);
  return { format, code: YAML.stringify(values) };
}

// Plain values of a table come first: what stands below a header belongs to it.
function table(values: Record<string, any>, path: string[]): string {
  const isTable = (value) => typeof value === "object";
  const name = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));
  const plain = Object.entries(values).filter(([, value]) => !isTable(value));
  const tables = Object.entries(values).filter(([, value]) => isTable(value));
  const lines = plain.map(([key, value]) => name(key) + " = " + JSON.stringify(value) + "\n");
  const header = path.length > 0 && plain.length > 0 ? "[" + path.map(name).join(".") + "]\n" : "";
  return header + lines.join("") + tables.map(([key, value]) => table(value, [...path, key])).join("");
}
${shared}`,
    },
    {
      kind: "qualification",
      name: "fileIsComplete",
      displayName: "File is complete",
      description: "Whether the file has a place and values that fit together",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const values = domain?.Values ?? {};
  try {
    nested(values);
  } catch (error) {
    return { result: "failure", message: error.message };
  }
  if (!domain?.Path) return { result: "warning", message: "Path is not set: nobody knows where the file belongs" };
  const endings = { yaml: /\.ya?ml$/, json: /\.json$/, toml: /\.toml$/ };
  const format = domain.Format ?? "yaml";
  if (endings[format] && !endings[format].test(domain.Path))
    return { result: "warning", message: domain.Path + " does not look like a file of format " + format };
  const count = Object.keys(values).length;
  if (count === 0) return { result: "warning", message: "the file has no values" };
  return { result: "success", message: count === 1 ? "1 value" : count + " values" };
}
${shared}`,
    },
  ],
};
