import type { DaemonStatus } from "../../src/ipc/contract.ts";
import { fromMerge, fromReview } from "./attention-change-sets.ts";
import { componentTrouble, fromActions } from "./attention-components.ts";
import { type AttentionRow, attentionRow } from "./attention-row.ts";
import type { Mirror } from "./mirror.ts";
import type { ChangeSetItem } from "./rows.ts";
import { remembered } from "./select.ts";
import type { Table } from "./table.ts";
import { timeOf } from "./time.ts";

/** Everything that waits for a person, the worst first. */
export const attentionTable = remembered((mirror: Mirror): Table<AttentionRow> => {
  const sets = [...(mirror.changeSets?.rows ?? [])].sort((a, b) => Number(b.isHead) - Number(a.isHead));
  const rows = [
    ...(mirror.status === null ? [] : fromDaemon(mirror.status)),
    ...sets.flatMap((set) => fromChangeSet(mirror, set)),
  ];
  // The head comes first, so that what a change set has inherited from it is told once.
  const unique = new Map<string, AttentionRow>();
  for (const row of rows) if (!unique.has(row.id)) unique.set(row.id, row);
  const index = new Map([...unique.keys()].map((id, position) => [id, position]));
  return { version: 0, rows: [...unique.values()], index, changed: null };
});

function fromChangeSet(mirror: Mirror, set: ChangeSetItem): readonly AttentionRow[] {
  const table = mirror.components.get(set.id);
  const queue = mirror.actions.get(set.id);
  return [
    ...fromMerge(set, mirror.merges.get(set.id)),
    ...fromReview(set, mirror.reviews.get(set.id)?.summary),
    ...(queue === undefined ? [] : fromActions(queue, set, table, mirror.runs.get(set.id))),
    ...(table === undefined ? [] : componentTrouble(table)(set)),
  ];
}

function fromDaemon(status: DaemonStatus): readonly AttentionRow[] {
  const failing = status.server.state === "online" ? status.lists.filter(({ error }) => error !== null) : [];
  return [
    ...failing.map((list) =>
      attentionRow(`list ${list.resource}`, list.resource, {
        severity: "failed",
        what: "list fails",
        where: "daemon",
        why: list.error ?? "",
        since: timeOf(list.syncedAt),
        route: null,
      }),
    ),
    ...status.notices.map((notice) =>
      attentionRow(`notice ${notice.at}`, notice.message, {
        severity: "warn",
        what: "daemon",
        where: "",
        why: "",
        since: timeOf(notice.at),
        route: null,
      }),
    ),
  ];
}
