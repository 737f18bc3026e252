import { scalar, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { source } from "./source.ts";

const shared = source`
interface Entry { name: string; kind: string; attributes: Record<string, unknown>; resourceId?: string }

// Reads [{"name": "web-1", "schema": "Virtual Machine", "domain": {"DiskGb": 40}, "resourceId": "vm-1"}].
function readInventory(text: unknown): Entry[] {
  let list;
  try {
    list = JSON.parse(String(text ?? ""));
  } catch (error) {
    throw new Error("Inventory is not JSON: " + error.message);
  }
  if (!Array.isArray(list)) throw new Error("Inventory is a list of {name, schema, domain?, resourceId?}");
  const names = new Set();
  return list.map((entry, index) => {
    const at = "Inventory[" + index + "]";
    if (typeof entry?.name !== "string" || entry.name === "") throw new Error(at + ": expected a name");
    if (typeof entry.schema !== "string" || entry.schema === "") throw new Error(at + ": expected the name of a schema");
    if (entry.name === "self" || names.has(entry.name)) throw new Error(at + ": expected a name of its own, found " + entry.name);
    names.add(entry.name);
    const domain = entry.domain ?? {};
    if (typeof domain !== "object" || Array.isArray(domain)) throw new Error(at + ": expected an object in domain");
    const escape = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
    const attributes = Object.fromEntries(Object.entries(domain).map(([name, value]) => ["/domain/" + escape(name), value]));
    return { name: entry.name, kind: entry.schema, attributes, resourceId: entry.resourceId };
  });
}
`;

/** Components from a list. */
export const importInventory: ShippedSchema = {
  name: "Import Inventory",
  category: "Management",
  color: "#4F6BBF",
  description: "Makes components of a list in JSON and keeps those that it made up to date",
  domain: [
    text("Source", { description: "Where the list comes from, for people" }),
    scalar("Inventory", "json", {
      widget: { kind: "codeEditor" },
      description: 'Such as [{"name":"web-1","schema":"Virtual Machine","domain":{"DiskGb":40}}]',
    }),
  ],
  functions: [
    {
      kind: "management",
      name: "importInventory",
      displayName: "Import from inventory",
      description: "Creates what the list names, changes what was created before, and leaves everything else",
      code: source`async function main({ thisComponent, components }: Input): Promise<Output> {
  let entries;
  try {
    entries = readInventory(thisComponent.properties.domain?.Inventory);
  } catch (error) {
    return { status: "error", message: error.message };
  }
  const known = new Set(Object.values(components).map((component) => component.properties.si.name));
  const create = {};
  const update = {};
  entries.forEach(({ name, kind, attributes, resourceId }, index) => {
    const all = { ...attributes, ...(resourceId ? { "/si/resourceId": resourceId } : {}) };
    if (known.has(name)) update[name] = { attributes: all };
    else create[name] = { kind, attributes: all, geometry: { x: 100 + (index % 5) * 300, y: 200 + Math.floor(index / 5) * 200 } };
    console.log((known.has(name) ? "updating " : "creating ") + name + " (" + kind + ")");
  });
  const [made, changed] = [Object.keys(create).length, Object.keys(update).length];
  return { status: "ok", message: made + " created, " + changed + " updated", ops: { create, update } };
}
${shared}`,
    },
    {
      kind: "qualification",
      name: "inventoryIsReadable",
      displayName: "Inventory is readable",
      description: "Whether the list can be imported",
      code: source`async function main({ domain }: Input): Promise<Output> {
  if (!domain?.Inventory) return { result: "warning", message: "Inventory is not set" };
  try {
    const count = readInventory(domain.Inventory).length;
    return { result: "success", message: count === 1 ? "1 entry" : count + " entries" };
  } catch (error) {
    return { result: "failure", message: error.message };
  }
}
${shared}`,
    },
  ],
};
