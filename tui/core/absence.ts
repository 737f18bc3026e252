import { healthOf } from "./health.ts";
import type { Model } from "./model.ts";
import { durationText, timeOf } from "./time.ts";

/** How long news may trickle in after a return before it is summed up, when the lists do not say that they are done. */
const settleMs = 3_000;
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
    if (model.goneAt !== null) return model;
    const since = health.state === "offline" ? timeOf(model.mirror.status?.server.since) : model.link.since;
    return { ...model, goneAt: since ?? model.now, returning: null };
  }
  const back = health.state === "live" || health.state === "partial";
  if (model.goneAt !== null && back) {
    const returning = { goneAt: model.goneAt, backAt: model.now, changed };
    return settled({ ...model, goneAt: null, returning });
  }
  if (model.returning === null) return model;
  const returning = { ...model.returning, changed: model.returning.changed + changed };
  return settled({ ...model, returning });
}

function settled(model: Model): Model {
  const { returning, now } = model;
  if (returning === null) return model;
  const lists = model.mirror.status?.lists ?? [];
  const readAgain =
    lists.length > 0 && lists.every((list) => (timeOf(list.syncedAt) ?? 0) >= returning.backAt);
  if (!readAgain && now - returning.backAt < settleMs) return model;
  const { changed } = returning;
  const news =
    changed === 0 ? "nothing changed" : `${changed} ${changed === 1 ? "change" : "changes"} while away`;
  const text = `back after ${durationText(returning.backAt - returning.goneAt)}, ${news}`;
  return { ...model, returning: null, toast: { text, role: "ok", until: now + toastMs } };
}
