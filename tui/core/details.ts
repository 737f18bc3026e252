import { propertiesOf, shownValue } from "./facts.ts";
import { healthOf } from "./health.ts";
import { componentRows, componentsKey } from "./lists.ts";
import type { ComponentResult, Step } from "./message.ts";
import { markMs } from "./mirror.ts";
import { type Detail, detailKey, type Model } from "./model.ts";
import { selectedId } from "./parts/list.ts";
import { placeOf } from "./place.ts";
import { headOf } from "./select.ts";
import { find } from "./table.ts";

/** Components kept after they were looked at; the oldest readings go first. */
const kept = 64;
/** While a component is on the screen it is read again this often: its list does not tell every change of a value. */
const againMs = 5_000;
/** How long the cursor rests on a row before the preview reads it, so that running past rows costs nothing. */
const restMs = 150;

const unknown: Omit<Detail, "askedAt"> = {
  state: "loading",
  loadedAt: null,
  error: null,
  own: null,
  head: null,
  outdated: false,
  fresh: new Map(),
};

/** Asks for the component that is on the screen when it is not known, or known to have changed. */
export function askForDetail(model: Model): Step {
  const { route } = model;
  if (route.screen === "component") return ask(model, route.changeSetId, route.componentId);
  if (route.screen !== "components" || placeOf(model).areas.preview === undefined) return [model, []];
  const componentId = selectedId(model.lists[componentsKey(route.changeSetId)]);
  if (componentId === null) return [model, []];
  const { changeSetId } = route;
  const key = detailKey(changeSetId, componentId);
  if (model.resting === key || !canAsk(model, changeSetId, componentId)) return [model, []];
  return [{ ...model, resting: key }, [{ type: "rest", key, ms: restMs }]];
}

/** The cursor has rested: the preview's component is asked for, when the cursor is still there. */
export function rested(model: Model, key: string): Step {
  const { route } = model;
  if (model.resting !== key) return [model, []];
  const next = { ...model, resting: null };
  if (route.screen !== "components") return [next, []];
  const componentId = selectedId(model.lists[componentsKey(route.changeSetId)]);
  return componentId !== null && detailKey(route.changeSetId, componentId) === key
    ? ask(next, route.changeSetId, componentId)
    : [next, []];
}

function isWanted(model: Model, key: string): boolean {
  const detail = model.details.get(key);
  if (detail === undefined) return true;
  if (detail.state === "loading") return false;
  const age = model.now - detail.askedAt;
  if (detail.outdated || detail.state === "failed") return age >= 1_000;
  return model.route.screen === "component" && age >= againMs;
}

/** Whether reading the component is of use and has a chance. */
function canAsk(model: Model, changeSetId: string, componentId: string): boolean {
  const health = healthOf(model).state;
  const reachable = health === "live" || health === "partial";
  const exists = find(componentRows(model, changeSetId), componentId) !== undefined;
  const scoped = (model.mirror.status?.workspaceId ?? null) !== null;
  return reachable && exists && scoped && isWanted(model, detailKey(changeSetId, componentId));
}

function ask(model: Model, changeSetId: string, componentId: string): Step {
  const key = detailKey(changeSetId, componentId);
  const workspaceId = model.mirror.status?.workspaceId ?? null;
  if (workspaceId === null || !canAsk(model, changeSetId, componentId)) return [model, []];
  const before = model.details.get(key) ?? { ...unknown, askedAt: model.now };
  const asked: Detail = { ...before, state: "loading", askedAt: model.now, outdated: false };
  const isHead = headOf(model.mirror)?.id === changeSetId;
  return [
    { ...model, details: keep(model.details, key, asked) },
    [
      {
        type: "component",
        key,
        workspaceId,
        changeSetId,
        componentId,
        withHead: !isHead,
      },
    ],
  ];
}

function keep(
  details: ReadonlyMap<string, Detail>,
  key: string,
  detail: Detail,
): ReadonlyMap<string, Detail> {
  const next = new Map(details);
  next.delete(key);
  next.set(key, detail);
  for (const oldest of next.keys()) {
    if (next.size <= kept) break;
    next.delete(oldest);
  }
  return next;
}

/** The model with a component's reading; a failed one leaves what was read before. */
export function detailArrived(model: Model, key: string, result: ComponentResult, now: number): Model {
  const before = model.details.get(key);
  if (before === undefined) return model;
  const after: Detail =
    "error" in result
      ? { ...before, state: "failed", error: result.error }
      : {
          ...before,
          state: "ready",
          loadedAt: now,
          error: null,
          own: result.own,
          head: result.head,
          fresh: freshPaths(before, result.own, now),
        };
  const details = new Map(model.details);
  details.set(
    key,
    sameReading(before, after) ? { ...before, state: after.state, loadedAt: now, error: null } : after,
  );
  return { ...model, details };
}

/** Reading the same again leaves the objects as they are, so that the page does not start anew. */
const sameReading = (before: Detail, after: Detail): boolean =>
  after.state === "ready" &&
  before.own !== null &&
  JSON.stringify([before.own, before.head]) === JSON.stringify([after.own, after.head]);

function freshPaths(
  before: Detail,
  own: NonNullable<Detail["own"]>,
  now: number,
): ReadonlyMap<string, number> {
  if (before.own === null) return before.fresh;
  const old = propertiesOf(before.own);
  const kept = [...before.fresh].filter(([, at]) => now - at < markMs);
  const changed = [...propertiesOf(own)].filter(
    ([path, property]) => shownValue(old.get(path)) !== shownValue(property),
  );
  return new Map([...kept, ...changed.map(([path]) => [path, now] as const)]);
}

/** Marks what was read before a change of its row, here or in the head, as outdated. */
export function outdateDetails(before: Model, after: Model): Model {
  if (before.mirror.components === after.mirror.components || after.details.size === 0) return after;
  const headId = headOf(after.mirror)?.id ?? "";
  const details = new Map(after.details);
  for (const [key, detail] of details) {
    const [changeSetId = "", componentId = ""] = key.split("/");
    const moved = [changeSetId, headId].some(
      (id) =>
        find(before.mirror.components.get(id), componentId) !==
        find(after.mirror.components.get(id), componentId),
    );
    if (moved) details.set(key, { ...detail, outdated: true });
  }
  return { ...after, details };
}
