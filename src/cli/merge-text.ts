import type { MergeStatus } from "../contract/change-sets.ts";
import type { Output } from "./output.ts";
import { aligned, type Column, printable, tabbed } from "./table.ts";

type Action = MergeStatus["actions"][number];

const columns: readonly Column<Action>[] = [
  { title: "ACTION", text: ({ id }) => id },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ state }) => state },
  { title: "COMPONENT", text: ({ component }) => component?.name ?? "" },
];

/** A merge status as a person reads it: where the change set stands, who asked and reviewed, and its actions. */
export function mergeLines({ changeSet, actions }: MergeStatus, output: Output): string[] {
  const field = (name: string, text: string): string => `${output.dim(name.padEnd(9))} ${printable(text)}`;
  const by = (who: string | null, id: string | null, at: string | null): string =>
    `${who ?? id ?? "somebody"}${at === null ? "" : ` at ${at}`}`;
  const { mergeRequestedByUserId: requester, reviewedByUserId: reviewer, note } = changeSet;
  return [
    output.bold(printable(changeSet.name)),
    field("id", changeSet.id),
    field("status", changeSet.status),
    ...(requester === null
      ? []
      : [field("requested", by(changeSet.mergeRequestedByUser, requester, changeSet.mergeRequestedAt))]),
    ...(reviewer === null
      ? []
      : [field("reviewed", by(changeSet.reviewedByUser, reviewer, changeSet.reviewedAt))]),
    ...(note === null ? [] : [field("note", note)]),
    ...(actions.length === 0 ? [] : output.terminal ? aligned(columns, actions) : tabbed(columns, actions)),
  ];
}
