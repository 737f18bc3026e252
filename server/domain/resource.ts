import type { ResourceData } from "../../src/contract/component-shapes.ts";
import { hasResource } from "./component.ts";
import type { Json } from "./json.ts";
import type { Vals } from "./values.ts";

/** What was last seen of the thing that a component stands for; undefined when there is none. */
export function resourceOf(vals: Vals): ResourceData | undefined {
  if (!hasResource(vals)) return undefined;
  return {
    status: textAt(vals, "/resource/status") ?? "ok",
    payload: payloadOf(vals["/resource/payload"] ?? null),
    last_synced: textAt(vals, "/resource/last_synced") ?? never,
  };
}

/** Nobody said when: a time before everything. */
const never = "1970-01-01T00:00:00.000Z";

const textAt = (vals: Vals, key: string): string | undefined => {
  const value = vals[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Payloads are kept as JSON text; text that is none is the payload itself. */
function payloadOf(stored: Json): Json {
  if (typeof stored !== "string") return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}
