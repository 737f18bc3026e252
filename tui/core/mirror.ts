import type { DaemonStatus, ListDelta } from "../../src/ipc/contract.ts";
import type { MirrorEvent } from "../../src/mirror/resources.ts";
import {
  type ChangeSetItem,
  type ComponentRow,
  changeSetItem,
  componentRow,
  eventItem,
  sameChangeSet,
  sameComponent,
} from "./rows.ts";
import { applyDelta, type Table, type Touch } from "./table.ts";

/** One answer of the daemon, its status already checked. */
export interface Answer {
  readonly instance: string;
  readonly revision: number;
  /** Everything follows; what is not in it is gone. */
  readonly fresh: boolean;
  readonly status: DaemonStatus | undefined;
  readonly changes: readonly ListDelta[];
}

/** A row that changed a moment ago, and how. */
export interface Mark {
  readonly at: number;
  readonly kind: Touch["kind"];
}

/** Everything the daemon has told so far. */
export interface Mirror {
  readonly instance: string | null;
  readonly revision: number;
  readonly status: DaemonStatus | null;
  readonly changeSets: Table<ChangeSetItem> | undefined;
  readonly components: ReadonlyMap<string, Table<ComponentRow>>;
  /** The history, oldest first. */
  readonly events: readonly MirrorEvent[];
  /** By list name and id, see {@link markKey}. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export const emptyMirror: Mirror = {
  instance: null,
  revision: -1,
  status: null,
  changeSets: undefined,
  components: new Map(),
  events: [],
  marks: new Map(),
};

/** How long a changed row stays marked. */
export const markMs = 10_000;
const componentsPrefix = "components/";

export const componentsList = (changeSetId: string): string => `${componentsPrefix}${changeSetId}`;
export const markKey = (list: string, id: string): string => `${list}\n${id}`;

/** The mirror after an answer, and how many rows it changed (none on the very first one, which is not news). */
export function applyAnswer(
  mirror: Mirror,
  answer: Answer,
  now: number,
): { readonly mirror: Mirror; readonly changed: number } {
  const first = mirror.instance === null;
  const named = new Set(answer.changes.map((delta) => delta.resource));
  const marks = new Map(mirror.marks);
  const components = new Map(
    answer.fresh ? [...mirror.components].filter(([id]) => named.has(componentsList(id))) : mirror.components,
  );
  let { changeSets, events } = mirror;
  let changed = 0;
  const note = (resource: string, touched: readonly Touch[], known: boolean): void => {
    if (first || !known) return;
    changed += touched.length;
    for (const { id, kind } of touched) marks.set(markKey(resource, id), { at: now, kind });
  };
  for (const delta of answer.changes) {
    const { resource, deleted, whole } = delta;
    const entries = Object.entries(delta.upserted);
    if (resource === "changeSets") {
      const upserted = entries.map(([id, item]) => changeSetItem(id, item));
      const result = applyDelta(changeSets, { upserted, deleted, whole }, sameChangeSet);
      note(resource, result.touched, changeSets !== undefined);
      changeSets = result.table;
    } else if (resource.startsWith(componentsPrefix)) {
      const changeSetId = resource.slice(componentsPrefix.length);
      const before = components.get(changeSetId);
      const upserted = entries.map(([id, item]) => componentRow(id, item));
      const result = applyDelta(before, { upserted, deleted, whole }, sameComponent);
      note(resource, result.touched, before !== undefined);
      components.set(changeSetId, result.table);
    } else if (resource === "events") {
      events = withEvents(whole ? [] : events, delta);
    }
  }
  for (const [id, table] of components) {
    if (table.rows.length === 0 && changeSets?.index.has(id) === false) components.delete(id);
  }
  return {
    mirror: {
      instance: answer.instance,
      revision: answer.revision,
      status: answer.status ?? mirror.status,
      changeSets,
      components,
      events,
      marks,
    },
    changed,
  };
}

/** The mirror without marks that have stood long enough; the same mirror when there are none. */
export function fadeMarks(mirror: Mirror, now: number): Mirror {
  const kept = [...mirror.marks].filter(([, mark]) => now - mark.at < markMs);
  return kept.length === mirror.marks.size ? mirror : { ...mirror, marks: new Map(kept) };
}

function withEvents(events: readonly MirrorEvent[], delta: ListDelta): readonly MirrorEvent[] {
  const gone = new Set([...delta.deleted, ...Object.keys(delta.upserted)]);
  const added = Object.values(delta.upserted).flatMap((item) => eventItem(item) ?? []);
  return [...events.filter((event) => !gone.has(event.id)), ...added].sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  );
}
