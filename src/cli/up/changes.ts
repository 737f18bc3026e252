import { ChangeSetView } from "../../contract/change-sets.ts";
import { matches } from "../../contract/check.ts";
import { eventList } from "../../ipc/contract.ts";
import { follow } from "../../ipc/follow.ts";
import { applyChanges, type Changes, emptyMirror, type MirrorState } from "../../ipc/state.ts";
import type { Clock } from "../../lib/clock.ts";
import { listName, MirrorEvent } from "../../mirror/resources.ts";
import { printable } from "../table.ts";

/** What is told of the mirror while it is followed. */
export interface ChangeListener {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Each change that happens after the following began, oldest first. */
  readonly onChange: (event: MirrorEvent, line: string) => void;
  /** Once when the daemon is lost, and once when it is found again. */
  readonly onConnection: (line: string) => void;
}

/** Follows the daemon at `socketPath` until the signal aborts, and tells each change once. Never rejects. */
export async function followChanges(socketPath: string, listener: ChangeListener): Promise<void> {
  const { clock, signal, onChange, onConnection } = listener;
  let mirror: MirrorState = emptyMirror;
  let told: ReadonlySet<string> | undefined;
  let lost = false;
  await follow(socketPath, {
    clock,
    signal,
    onChanges: (changes: Changes) => {
      mirror = applyChanges(mirror, changes);
      const events = eventsOf(mirror);
      const before = told;
      told = new Set(events.map(({ id }) => id));
      // The first answer brings the history of before; it is no news.
      if (before === undefined) return;
      for (const event of events) if (!before.has(event.id)) onChange(event, changeLine(event, mirror));
    },
    onLost: ({ error }) => {
      if (!lost) onConnection(`the daemon does not answer: ${error.message}`);
      lost = true;
    },
    onFound: () => {
      if (lost) onConnection("the daemon answers again");
      lost = false;
    },
  });
}

/** The mirror's history, oldest first; ids rise with time. */
const eventsOf = (mirror: MirrorState): MirrorEvent[] =>
  [...(mirror.lists.get(eventList)?.values() ?? [])]
    .filter((item) => matches(MirrorEvent, item))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

const nouns: Readonly<Record<string, string>> = {
  changeSets: "change set",
  components: "component",
  actions: "action",
};

/** `12:00:01 added component web-2 in bigger disks`, in UTC. */
export function changeLine(event: MirrorEvent, mirror: MirrorState): string {
  const { at, kind, resource, changeSetId, name } = event;
  const noun = nouns[resource.split("/")[0] ?? ""] ?? resource;
  const place = changeSetId === null ? "" : ` in ${changeSetName(mirror, changeSetId)}`;
  return `${at.slice(11, 19)} ${kind} ${noun} ${printable(name)}${place}`;
}

function changeSetName(mirror: MirrorState, changeSetId: string): string {
  const changeSet = mirror.lists.get(listName("changeSets"))?.get(changeSetId);
  return changeSet !== undefined && matches(ChangeSetView, changeSet)
    ? printable(changeSet.name)
    : changeSetId;
}
