import type { ActionLine } from "./actions.ts";
import type { ListKind } from "./parts/list.ts";
import type { LogRow } from "./run-log.ts";
import type { RunRow } from "./runs.ts";

/** What failed stands first, then what runs, then what waits. */
const actionRank: Readonly<Record<string, number>> = {
  Failed: 0,
  Running: 1,
  Dispatched: 2,
  Pending: 3,
  OnHold: 4,
};

export const actionKind: ListKind<ActionLine> = {
  noun: "action",
  nouns: "actions",
  sort: { column: "state", descending: false },
  columns: [
    { id: "state", title: "STATE", key: (row) => `${actionRank[row.state] ?? 5}${row.place}` },
    { id: "kind", title: "KIND", key: (row) => row.kind },
    { id: "name", title: "NAME", key: (row) => row.sortName },
    { id: "component", title: "COMPONENT", key: (row) => row.component.toLowerCase() },
    { id: "set", title: "CHANGE SET", key: (row) => row.changeSet.toLowerCase() },
    { id: "age", title: "AGE", key: (row) => row.created, down: true },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    component: { kind: "text", of: (row) => row.component },
    set: { kind: "text", of: (row) => row.changeSet },
    state: {
      kind: "words",
      values: ["pending", "onhold", "dispatched", "running", "failed"],
      of: (row) => [row.state.toLowerCase()],
    },
    kind: {
      kind: "words",
      values: ["create", "update", "refresh", "destroy", "manual"],
      of: (row) => [row.kind.toLowerCase()],
    },
    age: { kind: "age", of: (row) => row.created },
  },
};

export const runKind: ListKind<RunRow> = {
  noun: "run",
  nouns: "runs",
  sort: { column: "age", descending: true },
  columns: [
    { id: "age", title: "AGE", key: (row) => row.id, down: true },
    { id: "state", title: "STATE", key: (row) => row.progress },
    { id: "name", title: "FUNCTION", key: (row) => row.sortName },
    { id: "kind", title: "KIND", key: (row) => row.kind.toLowerCase() },
    { id: "component", title: "COMPONENT", key: (row) => row.component.toLowerCase() },
    { id: "set", title: "CHANGE SET", key: (row) => row.changeSet.toLowerCase() },
    { id: "took", title: "TOOK", key: (row) => row.took, down: true },
  ],
  fields: {
    name: { kind: "text", of: (row) => row.name },
    component: { kind: "text", of: (row) => row.component },
    set: { kind: "text", of: (row) => row.changeSet },
    kind: { kind: "text", of: (row) => row.kind },
    why: { kind: "text", of: (row) => row.failure ?? "" },
    state: {
      kind: "words",
      values: ["queued", "running", "ok", "failed", "killed"],
      of: (row) => [row.progress],
    },
    is: {
      kind: "words",
      values: ["job", "action"],
      of: (row) => [...(row.jobId === null ? [] : ["job"]), ...(row.actionId === null ? [] : ["action"])],
    },
    id: { kind: "text", of: (row) => row.id },
    age: { kind: "age", of: (row) => row.created },
  },
};

/** A log stands as it was written. */
export const logKind: ListKind<LogRow> = {
  noun: "line",
  nouns: "lines",
  sort: { column: "line", descending: false },
  columns: [{ id: "line", title: "LINE", natural: true, key: () => undefined }],
  fields: {
    stream: { kind: "words", values: ["stdout", "stderr", "output"], of: (row) => [row.stream] },
    is: { kind: "words", values: ["error"], of: (row) => (row.isError ? ["error"] : []) },
  },
};
