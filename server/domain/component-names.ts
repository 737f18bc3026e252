import { unstorable } from "./json.ts";
import { maximumName } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** The name of a component, checked; components may share a name, and it may be empty. */
export function checkComponentName(name: string): string {
  const bad = unstorable(name);
  if (bad !== undefined) refuse("invalidRequest", `name: expected text, found ${bad} in it`);
  if (name.length > maximumName) {
    refuse("invalidRequest", `name: expected at most ${maximumName} characters, found ${name.length}`);
  }
  return name;
}

/** Checks a rename: `others` are the names of the change set's other components. */
export function checkRename(name: string, isTaken: (name: string) => boolean): string {
  if (isTaken(checkComponentName(name))) {
    refuse(
      "duplicateComponentName",
      `another component of this change set is named ${JSON.stringify(name)}; choose another name`,
    );
  }
  return name;
}

/** Checks that a name may come back from the head: `takenBy` is the component that took it in the change set, if any. */
export function checkNameBack(name: string, takenBy: string | undefined): void {
  if (takenBy === undefined) return;
  refuse(
    "duplicateComponentName",
    `expected the name ${JSON.stringify(name)} to be free to come back from the head, but component ${takenBy} has taken it in this change set; rename that one first`,
  );
}
