import type { ActionKind } from "../../src/contract/actions.ts";
import { isPayload } from "./component.ts";
import type { ActionResult } from "./function-results.ts";
import type { Json } from "./json.ts";
import { difference, mergeKeys, type Patch, type Setting, type Settings } from "./overlay.ts";

/** Members of `/resource` that an action writes. */
const members = ["status", "message", "payload", "last_synced"] as const;
const keyOf = (member: (typeof members)[number]): string => `/resource/${member}`;
const resourceIdKey = "/si/resourceId";

/** Whether an action has done what it was for: only then it leaves the queue. */
export const hasSucceeded = (result: ActionResult | undefined): boolean => result?.status === "ok";

/**
 * What the result of an action does to its component's settings: a payload replaces the resource whatever the status;
 * without one a success means that nothing is there any more; a failure leaves what was known. `at` is the time of it.
 */
export function resourcePatch(kind: ActionKind, result: ActionResult, at: string, settings: Settings): Patch {
  const gone = result.status === "ok" && !isThere(result.payload);
  const after: Record<string, Setting | null> = {};
  if (isThere(result.payload)) {
    after[keyOf("payload")] = { v: JSON.stringify(result.payload, null, 2) };
    after[keyOf("status")] = { v: result.status };
    after[keyOf("message")] = result.message === undefined ? null : { v: result.message };
    after[keyOf("last_synced")] = { v: at };
  } else if (gone) {
    for (const member of members) after[keyOf(member)] = null;
  }
  if (result.resourceId !== undefined) after[resourceIdKey] = { v: result.resourceId };
  // What the id named is gone with it.
  else if (gone && kind === "Destroy") after[resourceIdKey] = null;
  // A resource that was read from elsewhere as a whole is this component's own from now on.
  if (Object.keys(after).some((key) => key.startsWith("/resource/"))) after["/resource"] = null;
  return difference(settings, mergeKeys(settings, after));
}

const isThere = (payload: Json): boolean => isPayload(payload === null ? null : JSON.stringify(payload));
