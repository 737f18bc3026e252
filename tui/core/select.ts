import type { MirrorEvent } from "../../src/mirror/resources.ts";
import type { Mirror } from "./mirror.ts";
import type { Model, Route } from "./model.ts";
import type { Lookup } from "./parts/filter.ts";
import type { ChangeSetItem, ComponentRow } from "./rows.ts";
import type { Table } from "./table.ts";
import { timeOf } from "./time.ts";

/** Remembers the last answer for each input object; inputs are never changed in place. */
export function remembered<Input extends object, Output>(
  compute: (input: Input) => Output,
): (input: Input) => Output {
  const known = new WeakMap<Input, { readonly output: Output }>();
  return (input) => {
    let entry = known.get(input);
    if (entry === undefined) {
      entry = { output: compute(input) };
      known.set(input, entry);
    }
    return entry.output;
  };
}

/** Numbers about the components of one change set. */
export interface ComponentFacts {
  readonly total: number;
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  /** Failed qualifications of the components that differ from the head. */
  readonly ownFailed: number;
  readonly pending: number;
  readonly resources: number;
  /** Components that are marked for deletion, can be upgraded, or whose edits the head has moved under. */
  readonly marked: number;
  /** The most marks that one component has. */
  readonly mostMarks: number;
  /** Components that manage others. */
  readonly managers: number;
  /** Attributes that differ from the head. */
  readonly attributes: number;
  readonly broken: number;
}

export const componentFacts = remembered((table: Table<ComponentRow>): ComponentFacts => {
  const facts = {
    total: table.rows.length,
    added: 0,
    modified: 0,
    removed: 0,
    passed: 0,
    warned: 0,
    failed: 0,
    ownFailed: 0,
    pending: 0,
    resources: 0,
    marked: 0,
    mostMarks: 0,
    managers: 0,
    attributes: 0,
    broken: 0,
  };
  for (const row of table.rows) {
    if (row.difference === "added") facts.added++;
    else if (row.difference === "modified") facts.modified++;
    else if (row.difference === "removed") facts.removed++;
    const marks = Number(row.marked) + Number(row.upgradable) + Number(row.headMoved);
    if (marks > 0) facts.marked++;
    facts.mostMarks = Math.max(facts.mostMarks, marks);
    if (row.manages.length > 0) facts.managers++;
    facts.attributes += row.attributes;
    facts.passed += row.passed;
    facts.warned += row.warned;
    facts.failed += row.failed;
    if (row.difference !== "none") facts.ownFailed += row.failed;
    facts.pending += row.pending;
    if (row.resource !== null) facts.resources++;
    if (row.resource !== null && row.resource.toLowerCase() !== "ok") facts.broken++;
  }
  return facts;
});

/** When each thing of the history last changed: change sets by id, components by change set and id. */
const lastChanges = remembered((events: readonly MirrorEvent[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const event of events) {
    const at = timeOf(event.at);
    if (at === undefined) continue;
    times.set(`${event.changeSetId ?? ""}/${event.key}`, at);
    if (event.changeSetId !== null) times.set(`/${event.changeSetId}`, at);
  }
  return times;
});

/** How lists of one change set (or of change sets, without one) ask about the history. */
export function lookupFor(model: Model, changeSetId?: string): Lookup {
  const times = lastChanges(model.mirror.events);
  return { now: model.now, changedAt: (id) => times.get(`${changeSetId ?? ""}/${id}`) };
}

/** True when the history knows of a change in that change set. */
export const hasHistory = (mirror: Mirror, changeSetId?: string): boolean =>
  changeSetId === undefined ? mirror.events.length > 0 : lastChanges(mirror.events).has(`/${changeSetId}`);

export const headOf = (mirror: Mirror): ChangeSetItem | undefined =>
  mirror.changeSets?.rows.find(({ isHead }) => isHead);

/** The change set of a route: the one named, else the head. */
export function changeSetOf(model: Model, route: Route = model.route): ChangeSetItem | undefined {
  const { changeSets } = model.mirror;
  if (!("changeSetId" in route)) return undefined;
  const position = changeSets?.index.get(route.changeSetId);
  return position === undefined ? undefined : changeSets?.rows[position];
}

/** How many things changed in each of the last `minutes`, oldest first; the last one is the running minute. */
export function activity(model: Model, minutes: number): readonly number[] {
  return activityUntil(model.mirror.events, Math.floor(model.now / 60_000), minutes);
}

let lastActivity: {
  events: readonly MirrorEvent[];
  minute: number;
  minutes: number;
  values: readonly number[];
} | null = null;

/** The same array for the same question, so that charts can tell by identity that nothing changed. */
function activityUntil(events: readonly MirrorEvent[], minute: number, minutes: number): readonly number[] {
  if (lastActivity?.events === events && lastActivity.minute === minute && lastActivity.minutes === minutes) {
    return lastActivity.values;
  }
  const values = new Array<number>(minutes).fill(0);
  for (const event of events) {
    const at = timeOf(event.at);
    if (at === undefined) continue;
    const place = minutes - 1 - (minute - Math.floor(at / 60_000));
    if (place >= 0 && place < minutes) values[place] = (values[place] ?? 0) + 1;
  }
  lastActivity = { events, minute, minutes, values };
  return values;
}
