import { hasResource } from "./component.ts";
import { sameJson } from "./json.ts";
import type { Settings } from "./overlay.ts";
import type { Vals } from "./values.ts";

/** What of a component its resource is made of: a change elsewhere asks for no Update. */
const makesResource = (key: string): boolean => key.startsWith("/domain") || key.startsWith("/secrets");

/** A component before and after a write. */
export interface Written {
  readonly settings: Settings;
  readonly vals: Vals;
}

/**
 * Whether an edit asks for an Update: the component has a resource, and something that is made of it got another value
 * by the edit itself. What it reads from others counts once that has come.
 */
export function asksForUpdate(before: Written, after: Written): boolean {
  const isRead = (key: string): boolean => {
    const setting = after.settings[key];
    return setting !== undefined && "s" in setting;
  };
  return hasResource(after.vals) && changedKeys(before.vals, after.vals).some((key) => !isRead(key));
}

/** Whether what a resource is made of has other values. */
export const makesOther = (before: Vals, after: Vals): boolean => changedKeys(before, after).length > 0;

/** The same, but for what has got a value for the first time: of what is new in a change set that has not changed. */
export const makesAnother = (before: Vals, after: Vals): boolean =>
  changedKeys(before, after).some((key) => before[key] !== undefined && before[key] !== null);

function changedKeys(before: Vals, after: Vals): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => makesResource(key) && !sameJson(before[key] ?? null, after[key] ?? null));
}

/** Whether a component that is created stands for something that is there already, which no Create must make again. */
export const isImported = (vals: Vals): boolean => {
  const id = vals["/si/resourceId"];
  return typeof id === "string" && id !== "";
};
