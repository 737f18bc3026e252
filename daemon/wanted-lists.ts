import type { ChangeSetView } from "../src/contract/change-sets.ts";
import { listName, type ResourceRow, resourceRows } from "../src/mirror/resources.ts";
import type { Items } from "./delta.ts";

/** A list that is to be mirrored. */
export interface WantedList {
  readonly name: string;
  readonly row: ResourceRow;
  readonly changeSetId: string | undefined;
  readonly isHead: boolean;
}

/** The lists of a workspace as such. */
export const workspaceLists: readonly WantedList[] = resourceRows
  .filter(({ scope }) => scope === "workspace")
  .map((row) => ({ name: listName(row.name), row, changeSetId: undefined, isHead: false }));

/** The lists of each active change set, in the order of the change sets; the head has none of what compares with it. */
export const changeSetLists = (changeSets: Items): readonly WantedList[] =>
  [...changeSets].flatMap(([changeSetId, text]) => {
    const head = isHead(text);
    return resourceRows
      .filter(({ scope }) => scope === "changeSet" || (scope === "openChangeSet" && !head))
      .map((row) => ({ name: listName(row.name, changeSetId), row, changeSetId, isHead: head }));
  });

/** Items have been checked before they are kept, so this one is a change set. */
const isHead = (text: string): boolean => (JSON.parse(text) as ChangeSetView).isHead;
