import { isObject, type JsonObject } from "./json.ts";
import type { Prop } from "./props.ts";
import { resourceOf } from "./resource.ts";
import { type Vals, valueAt } from "./values.ts";

/**
 * A component as functions are given it: `{si, domain, secrets, resource, …}` with effective values, what is unset left
 * out. The resource's payload is what it says, not its text; secrets are stand-ins that change with what they hold.
 */
export function componentProperties(props: Prop, vals: Vals): JsonObject {
  const whole = valueAt(props, vals, "");
  const properties = isObject(whole ?? null) ? (whole as JsonObject) : {};
  const resource = resourceOf(vals);
  if (resource === undefined) return properties;
  const held = properties["resource"];
  return {
    ...properties,
    // A payload was parsed from JSON text.
    resource: { ...(isObject(held ?? null) ? (held as JsonObject) : {}), ...(resource as JsonObject) },
  };
}
