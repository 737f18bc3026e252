import { isObject, type Json, memberOf, sameJson } from "./json.ts";
import { formatPointer } from "./pointers.ts";
import { isContainer, type Prop } from "./props.ts";
import { resourceOf } from "./resource.ts";
import { type Vals, valueAt } from "./values.ts";

/** One attribute that the thing itself has otherwise than the model. */
export interface DriftedAttribute {
  /** Pointer of the attribute, such as `/domain/region`. */
  readonly path: string;
  readonly model: Json;
  readonly resource: Json;
}

/**
 * What of a component's resource is otherwise than its model: the properties below `/domain` with a value that the
 * payload has under the same names. Objects are compared member by member, everything else as a whole; what only one of
 * them has is no drift, since a payload says much that is no attribute, and a schema much that no payload repeats.
 */
export function driftOf(props: Prop, vals: Vals): DriftedAttribute[] {
  const domain = props.children.get("domain");
  const payload = resourceOf(vals)?.payload as Json | undefined; // It came from JSON text.
  const model = valueAt(props, vals, "/domain");
  if (domain === undefined || model === undefined || !isObject(payload)) return [];
  return differences(domain, ["domain"], model, payload);
}

function differences(prop: Prop, path: readonly string[], model: Json, resource: Json): DriftedAttribute[] {
  if (prop.kind === "object" && isObject(model) && isObject(resource)) {
    return [...prop.children.values()].flatMap((member) => {
      const [ours, theirs] = [memberOf(model, member.name), memberOf(resource, member.name)];
      if (ours === undefined || ours === null || theirs === undefined || theirs === null) return [];
      return differences(member, [...path, member.name], ours, theirs);
    });
  }
  const same = isContainer(prop.kind) ? sameJson(model, resource) : sameScalar(prop, model, resource);
  return same ? [] : [{ path: formatPointer(path), model, resource }];
}

/** Kinds differ between a form and an interface: `"80"` is the port 80, and JSON text is what it says. */
function sameScalar(prop: Prop, model: Json, resource: Json): boolean {
  if (prop.kind === "json" && typeof model === "string") return sameJson(parsed(model), unquoted(resource));
  return (
    sameJson(model, resource) ||
    (!isNested(model) && !isNested(resource) && String(model) === String(resource))
  );
}

const isNested = (value: Json): boolean => typeof value === "object" && value !== null;
const unquoted = (value: Json): Json => (typeof value === "string" ? parsed(value) : value);

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
