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
