import type { AttentionRow } from "./attention.ts";
import type { FactRow } from "./fact-table.ts";
import type { Mirror } from "./mirror.ts";
import type { ListKind, ListRow } from "./parts/list.ts";
import type { ChangeSetItem, ComponentRow } from "./rows.ts";
import { componentFacts } from "./select.ts";

/** The change sets of a workspace with what is known about their components. */
export interface ChangeSetRow extends ChangeSetItem {
  readonly components: number | undefined;
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly failed: number;
  readonly broken: number;
}

export function changeSetRow(mirror: Mirror, item: ChangeSetItem): ChangeSetRow {
  const table = mirror.components.get(item.id);
  if (table === undefined) {
    return { ...item, components: undefined, added: 0, modified: 0, removed: 0, failed: 0, broken: 0 };
  }
  const facts = componentFacts(table);
  const { total, added, modified, removed } = facts;
  // What the head has wrong is the head's trouble; a change set answers for what it differs in.
  const failed = item.isHead ? facts.failed : facts.ownFailed;
  const broken = item.isHead ? facts.broken : 0;
  return { ...item, components: total, added, modified, removed, failed, broken };
}

const name = (row: ListRow): string => row.sortName;
const statuses = ["open", "needsapproval", "approved", "rejected", "applied", "abandoned", "failed"];

export const changeSetKind: ListKind<ChangeSetRow> = {
  noun: "change set",
  nouns: "change sets",
  // The head stands first whichever way names are sorted: it is what everything else is compared with.
  sort: { column: "name", descending: false },
  columns: [
    { id: "name", title: "NAME", key: (row) => (row.isHead ? "" : row.sortName) },
    { id: "status", title: "STATUS", key: (row) => row.status },
    { id: "components", title: "COMPONENTS", key: (row) => row.components, down: true },
    { id: "diff", title: "DIFF VS HEAD", key: (row) => row.added + row.modified + row.removed, down: true },
    {
      id: "changed",
      title: "LAST CHANGE",
      key: (row, { changedAt }) => changedAt(row.id),
      down: true,
      volatile: true,
    },
    { id: "age", title: "AGE", key: (row) => row.created, down: true },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    status: { kind: "words", values: statuses, of: (row) => [row.status.toLowerCase()] },
    is: { kind: "words", values: ["head", "changed", "failing"], of: changeSetMarks },
    id: { kind: "text", of: (row) => row.id },
    age: { kind: "age", of: (row) => row.created },
    changed: { kind: "age", of: (row, { changedAt }) => changedAt(row.id) },
  },
};

function changeSetMarks(row: ChangeSetRow): readonly string[] {
  return [
    ...(row.isHead ? ["head"] : []),
    ...(row.added + row.modified + row.removed > 0 ? ["changed"] : []),
    ...(row.failed + row.broken > 0 ? ["failing"] : []),
  ];
}

const differenceRank = { removed: 0, added: 1, modified: 2, none: 3 } as const;

export const componentKind: ListKind<ComponentRow> = {
  noun: "component",
  nouns: "components",
  sort: { column: "diff", descending: false },
  columns: [
    {
      id: "diff",
      title: "DIFF",
      key: (row) => `${row.difference === null ? 4 : differenceRank[row.difference]} ${row.sortName}`,
    },
    { id: "name", title: "NAME", key: name },
    { id: "schema", title: "SCHEMA", key: (row) => row.schema.toLowerCase() },
    { id: "resource", title: "RESOURCE", key: (row) => row.resource ?? undefined },
    {
      id: "quals",
      title: "QUALS",
      key: (row) => (row.qualifications.length === 0 ? undefined : row.failed * 1_000 + row.warned),
      down: true,
    },
    {
      id: "changed",
      title: "CHANGED",
      key: (row, { changedAt }) => changedAt(row.id),
      down: true,
      volatile: true,
    },
    { id: "age", title: "AGE", key: (row) => row.created, down: true },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    schema: { kind: "text", of: (row) => row.schema },
    diff: {
      kind: "words",
      values: ["added", "modified", "removed", "none"],
      of: (row) => [row.difference ?? "none"],
    },
    quals: { kind: "words", values: ["failed", "warning", "ok", "pending"], of: qualificationWords },
    resource: {
      kind: "words",
      values: ["ok", "warning", "error", "none"],
      of: (row) => [row.resource?.toLowerCase() ?? "none"],
    },
    id: { kind: "text", of: (row) => row.id },
    age: { kind: "age", of: (row) => row.created },
    changed: { kind: "age", of: (row, { changedAt }) => changedAt(row.id) },
  },
};

function qualificationWords(row: ComponentRow): readonly string[] {
  return [
    ...(row.failed > 0 ? ["failed"] : []),
    ...(row.warned > 0 ? ["warning"] : []),
    ...(row.passed > 0 && row.failed + row.warned === 0 ? ["ok"] : []),
    ...(row.pending > 0 ? ["pending"] : []),
  ];
}

const severityRank = { failed: 0, warn: 1, waiting: 2 } as const;

export const attentionKind: ListKind<AttentionRow> = {
  noun: "thing",
  nouns: "things",
  sort: { column: "severity", descending: false },
  columns: [
    {
      id: "severity",
      title: "SEVERITY",
      key: (row) => `${severityRank[row.severity]} ${row.what} ${row.sortName}`,
    },
    { id: "name", title: "NAME", key: name },
  ],
  fields: { name: { kind: "text", of: (row) => row.name }, where: { kind: "text", of: (row) => row.where } },
};

export const factKind: ListKind<FactRow> = {
  noun: "line",
  nouns: "lines",
  sort: { column: "path", descending: false },
  columns: [
    { id: "path", title: "PATH", key: (row) => `${row.name.startsWith("/") ? 1 : 0}${row.name}` },
    { id: "value", title: "VALUE", key: (row) => row.value ?? undefined },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    value: { kind: "text", of: (row) => row.value ?? "" },
    kind: {
      kind: "words",
      values: ["added", "changed", "removed", "same", "passed", "failed"],
      of: (row) => [row.kind],
    },
  },
};
