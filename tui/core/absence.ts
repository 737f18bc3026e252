import { healthOf } from "./health.ts";
import type { Model } from "./model.ts";
import { durationText, timeOf } from "./time.ts";

/** How long news may trickle in after a return before it is summed up, when the lists do not say that they are done. */
const settleMs = 10_000;
const toastMs = 10_000;

/**
 * Notices when the server or the daemon goes and comes back. Once everything has been read again, a toast says how
 * long it was gone and how much has changed meanwhile. `changed` counts rows of the answer just applied.
 */
export function followAbsence(model: Model, changed: number): Model {
  const health = healthOf(model);
  const known = model.mirror.status !== null;
  const gone = known && (health.state === "offline" || health.state === "no-daemon");
  if (gone) {
    // News that comes before the word of the return belongs to what was missed.
    if (model.away !== null) {
      return changed === 0
        ? model
        : { ...model, away: { ...model.away, changed: model.away.changed + changed } };
    }
    const since = health.state === "offline" ? timeOf(model.mirror.status?.server.since) : model.link.since;
    return { ...model, away: { since: since ?? model.now, changed: 0 }, returning: null };
  }
  const back = health.state === "live" || health.state === "partial";
  if (model.away !== null && back) {
    const { since, changed: before } = model.away;
    return settled({
      ...model,
      away: null,
      returning: { goneAt: since, backAt: model.now, changed: before + changed },
    });
  }
  if (model.returning === null) return model;
  const returning = { ...model.returning, changed: model.returning.changed + changed };
  return settled({ ...model, returning });
}

function settled(model: Model): Model {
  const { returning, now } = model;
  if (returning === null) return model;
  const lists = (model.mirror.status?.lists ?? []).filter(({ note }) => note === undefined);
  const readAgain =
    lists.length > 0 && lists.every((list) => (timeOf(list.syncedAt) ?? 0) >= returning.backAt);
  if (!readAgain && now - returning.backAt < settleMs) return model;
  const { changed } = returning;
  const news =
    changed === 0 ? "nothing changed" : `${changed} ${changed === 1 ? "change" : "changes"} while away`;
  const text = `back after ${durationText(returning.backAt - returning.goneAt)}, ${news}`;
  return { ...model, returning: null, toast: { text, role: "ok", until: now + toastMs } };
}
