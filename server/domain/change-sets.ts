import { describe, isReadable, unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** The head's name, which no other change set may have in any letter case. */
const headName = "HEAD";

/** Whether a name or a path's change set id means the head: the word, in any letter case. */
export const isHeadReference = (reference: string): boolean => reference.toUpperCase() === headName;

/** Longest name of a change set, in UTF-16 units. */
const maximumChangeSetName = 200;

/** The name of a new change set, checked; whether another one has it is known only under the workspace's lock. */
export function checkChangeSetName(name: string): string {
  const no = (reason: string): never => refuse("invalidRequest", `changeSetName: expected ${reason}`);
  if (name.length < 1 || name.length > maximumChangeSetName) {
    no(`1 to ${maximumChangeSetName} characters, found ${name.length}`);
  }
  const bad = unstorable(name);
  if (bad !== undefined) no(`text, found ${bad} in it`);
  if (!isReadable(name)) no(`a name that can be read, found ${describe(name)}`);
  if (isHeadReference(name)) no(`a name other than that of the head, found ${describe(name)}`);
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(name))
    no("a name, found an id; names and ids must be told apart");
  return name;
}
