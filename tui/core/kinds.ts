import type { AttentionRow } from "./attention-row.ts";
import { type ChangeSetRow, differing } from "./change-set-rows.ts";
import type { FactRow } from "./fact-rows.ts";
import type { LensRow } from "./lens.ts";
import type { ListKind, ListRow } from "./parts/list.ts";
import type { ComponentRow } from "./rows.ts";

const name = (row: ListRow): string => row.sortName;
const statuses = ["open", "ready", "needsapproval", "approved", "rejected", "applied", "abandoned", "failed"];

export const changeSetKind: ListKind<ChangeSetRow> = {
  noun: "change set",
  nouns: "change sets",
  // The head stands first whichever way names are sorted: it is what everything else is compared with.
  sort: { column: "name", descending: false },
  columns: [
    { id: "name", title: "NAME", key: (row) => (row.isHead ? "" : row.sortName) },
    { id: "status", title: "STATUS", key: (row) => row.state },
    { id: "components", title: "COMPONENTS", key: (row) => row.components, down: true },
    { id: "diff", title: "DIFF VS HEAD", key: differing, down: true },
    {
      id: "changed",
      title: "LAST CHANGE",
      key: (row, { changedAt }) => changedAt(row.id),
      down: true,
      volatile: true,
    },
    { id: "age", title: "AGE", key: (row) => row.created, down: true },
    { id: "attributes", title: "ATTRIBUTES", key: (row) => row.review?.attributes, down: true },
    { id: "moved", title: "HEAD MOVED", key: (row) => row.review?.headMoved, down: true },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    status: {
      kind: "words",
      values: statuses,
      of: (row) => [row.status.toLowerCase(), row.state.toLowerCase()],
    },
    is: { kind: "words", values: ["head", "changed", "failing", "moved", "computing"], of: changeSetMarks },
    by: { kind: "text", of: (row) => `${row.merge?.requested.by ?? ""} ${row.merge?.reviewed.by ?? ""}` },
    id: { kind: "text", of: (row) => row.id },
    age: { kind: "age", of: (row) => row.created },
    changed: { kind: "age", of: (row, { changedAt }) => changedAt(row.id) },
  },
};

function changeSetMarks(row: ChangeSetRow): readonly string[] {
  return [
    ...(row.isHead ? ["head"] : []),
    ...(differing(row) > 0 ? ["changed"] : []),
    ...(row.failed + row.broken > 0 ? ["failing"] : []),
    ...((row.review?.headMoved ?? 0) > 0 ? ["moved"] : []),
    ...(row.review?.pending === true ? ["computing"] : []),
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
    { id: "marks", title: "MARKS", key: (row) => componentMarks(row).length, down: true },
    { id: "attributes", title: "ATTRIBUTES", key: (row) => row.attributes, down: true },
    { id: "manages", title: "MANAGES", key: (row) => row.manages.length, down: true },
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
    is: {
      kind: "words",
      values: ["marked", "upgradable", "moved", "manager", "troubled"],
      of: (row) => [
        ...componentMarks(row),
        ...(row.manages.length > 0 ? ["manager"] : []),
        ...(row.troubled ? ["troubled"] : []),
      ],
    },
    manages: { kind: "text", of: (row) => row.manages.map((managed) => managed.name).join(" ") },
    id: { kind: "text", of: (row) => row.id },
    age: { kind: "age", of: (row) => row.created },
    changed: { kind: "age", of: (row, { changedAt }) => changedAt(row.id) },
  },
};

/** What is special about a component, in words. */
export const componentMarks = (row: ComponentRow): readonly string[] => [
  ...(row.marked ? ["marked"] : []),
  ...(row.upgradable ? ["upgradable"] : []),
  ...(row.headMoved ? ["moved"] : []),
];

function qualificationWords(row: ComponentRow): readonly string[] {
  return [
    ...(row.failed > 0 ? ["failed"] : []),
    ...(row.warned > 0 ? ["warning"] : []),
    ...(row.passed > 0 && row.failed + row.warned === 0 ? ["ok"] : []),
    ...(row.pending > 0 ? ["pending"] : []),
  ];
}

/** What waits for a decision stands before what may be looked at, and what will pass by itself comes last. */
const severityRank = { failed: 0, waiting: 1, warn: 2, running: 3 } as const;

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
    is: {
      kind: "words",
      values: ["edited", "computed", "moved"],
      of: (row) => [
        ...(row.kind === "same" ? [] : [row.computed ? "computed" : "edited"]),
        ...(row.headMoved ? ["moved"] : []),
      ],
    },
  },
};

/** The diff lens stands as its table has it: a component, and below it everything that it changes. */
export const lensKind: ListKind<LensRow> = {
  noun: "change",
  nouns: "changes",
  sort: { column: "component", descending: false },
  columns: [
    { id: "component", title: "COMPONENT", natural: true, key: () => undefined },
    { id: "path", title: "ATTRIBUTE", key: (row) => (row.kind === "attribute" ? row.name : undefined) },
    { id: "value", title: "HERE", key: (row) => row.after ?? undefined },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.owner },
    path: { kind: "text", of: (row) => (row.kind === "attribute" ? row.name : "") },
    schema: { kind: "text", of: (row) => row.schema },
    value: { kind: "text", of: (row) => `${row.before ?? ""} ${row.after ?? ""}` },
    diff: {
      kind: "words",
      values: ["added", "modified", "removed"],
      of: (row) => [row.change === "changed" ? "modified" : row.change],
    },
    is: {
      kind: "words",
      values: ["edited", "computed", "moved", "marked", "upgradable", "subscribed"],
      of: (row) => row.marks,
    },
    what: {
      kind: "words",
      values: ["component", "variant", "attribute", "view", "manager", "other"],
      of: (row) => [row.kind],
    },
  },
};
