import type { BuiltProp, DefinitionResult } from "./definition-result.ts";
import { presentOf } from "./function-results.ts";
import { isArray, isObject, type Json, type JsonObject } from "./json.ts";
import { formatPointer } from "./pointers.ts";
import type { PropDefinition, VariantDefinition } from "./props.ts";
import { refuse } from "./refusal.ts";

/** Most copies of one schema: each is compared with all others. */
const maximumCopies = 500;

/** A property that takes the value of another one of the same component, both as pointers. */
export interface ValueCopy {
  readonly from: string;
  readonly output: string;
}

type Declared = Pick<VariantDefinition, "domain" | "secrets" | "resourceValue">;

/**
 * What a definition says by `setValueFrom` with the path of a property: the one way of it that is left, since nothing
 * has sockets. Refuses paths that the schema does not have, and copies in a circle.
 */
export function copiesOf(result: DefinitionResult, declared: Declared): ValueCopy[] {
  const found = [
    ...result.props.flatMap((prop) => copiesIn(prop, ["domain"])),
    ...result.siPropValueFroms.flatMap(colorIn),
  ];
  if (found.length > maximumCopies) {
    refuse(
      "definitionFailed",
      `expected at most ${maximumCopies} properties with setValueFrom, found ${found.length}`,
    );
  }
  for (const { from, output } of found) {
    if (!hasPath(declared, from)) {
      refuse(
        "definitionFailed",
        `property ${formatPointer(output)}: takes its value from ${formatPointer(from)}, which the schema does not have`,
      );
    }
  }
  const copies = found.map(({ from, output }) => ({
    from: formatPointer(from),
    output: formatPointer(output),
  }));
  const circle = circleIn(copies);
  if (circle !== undefined) {
    refuse(
      "definitionFailed",
      `properties take their values from each other in a circle: ${circle.join(" → ")}`,
    );
  }
  return copies;
}

interface NamedCopy {
  readonly from: readonly string[];
  readonly output: readonly string[];
}

/** Copies of a property and of the members below it; what arrays and maps hold has no place of its own. */
function copiesIn(prop: BuiltProp, above: readonly string[]): NamedCopy[] {
  const output = [...above, prop.name];
  const from = pathIn(presentOf(prop, "valueFrom"));
  const own = from === undefined ? [] : [{ from, output }];
  if (prop.kind !== "object") return own;
  // Each member of it is a property, as the result was judged.
  const children = (presentOf(prop, "children") ?? []) as readonly BuiltProp[];
  return [...own, ...children.flatMap((child) => copiesIn(child, output))];
}

/** Of a component's own facts only the color is anybody's to compute: its name is always set. */
function colorIn(value: JsonObject): NamedCopy[] {
  const from = pathIn(presentOf(value, "valueFrom"));
  return presentOf(value, "kind") !== "color" || from === undefined
    ? []
    : [{ from, output: ["si", "color"] }];
}

/** Names from below the root, of `{kind: "prop", prop_path: ["root", "domain", …]}`. */
function pathIn(valueFrom: Json | undefined): string[] | undefined {
  if (!isObject(valueFrom) || presentOf(valueFrom, "kind") !== "prop") return undefined;
  const path = presentOf(valueFrom, "prop_path");
  if (!isArray(path)) return undefined;
  const names = path.filter((name) => typeof name === "string");
  return names[0] === "root" ? names.slice(1) : names;
}

const ownNames: readonly string[] = ["name", "protected", "type", "color", "resourceId", "tags"];

function hasPath(declared: Declared, [section, ...names]: readonly string[]): boolean {
  if (section === "si") return names.length === 1 && ownNames.includes(names[0] ?? "");
  const sections: Readonly<Record<string, readonly PropDefinition[]>> = {
    domain: declared.domain,
    secrets: declared.secrets,
    resource_value: declared.resourceValue,
    resource: ["status", "message", "payload", "last_synced"].map((name) => ({ name, kind: "string" })),
  };
  let members = Object.hasOwn(sections, section ?? "") ? sections[section ?? ""] : undefined;
  if (members === undefined || names.length === 0) return false;
  for (const name of names) {
    const next: PropDefinition | undefined = members?.find((member) => member.name === name);
    if (next === undefined) return false;
    members = next.children ?? [];
  }
  return true;
}

/** The outputs of copies that wait for each other, the first one last again. */
function circleIn(copies: readonly ValueCopy[]): string[] | undefined {
  const overlaps = (a: string, b: string): boolean =>
    a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
  const done = new Set<ValueCopy>();
  const walk = (copy: ValueCopy, way: readonly ValueCopy[]): string[] | undefined => {
    const at = way.indexOf(copy);
    if (at >= 0) return [...way.slice(at), copy].map(({ output }) => output);
    if (done.has(copy)) return undefined;
    for (const next of copies.filter(({ output }) => overlaps(copy.from, output))) {
      const found = walk(next, [...way, copy]);
      if (found !== undefined) return found;
    }
    done.add(copy);
    return undefined;
  };
  for (const copy of copies) {
    const found = walk(copy, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
