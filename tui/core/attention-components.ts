import type { ActionRow } from "./action-rows.ts";
import { type AttentionRow, attentionRow, perChangeSet } from "./attention-row.ts";
import { ownActions } from "./change-set-rows.ts";
import type { Route } from "./model.ts";
import type { ChangeSetItem, ComponentRow } from "./rows.ts";
import type { RunItem } from "./run-rows.ts";
import { remembered } from "./select.ts";
import { find, type Table } from "./table.ts";

/** Actions that failed, and why: they keep others from running until somebody retries or cancels them. */
export function fromActions(
  queue: Table<ActionRow>,
  set: ChangeSetItem,
  components: Table<ComponentRow> | undefined,
  runs: Table<RunItem> | undefined,
): readonly AttentionRow[] {
  const failed = ownActions(queue, set).filter(({ state }) => state === "Failed");
  return failed.slice(0, perChangeSet).map((action) => {
    const component = action.componentId === null ? undefined : find(components, action.componentId);
    const run = action.funcRunId === null ? undefined : find(runs, action.funcRunId);
    const route: Route | null =
      action.funcRunId !== null
        ? { screen: "run", changeSetId: set.id, funcRunId: action.funcRunId }
        : component === undefined
          ? null
          : { screen: "component", changeSetId: set.id, componentId: component.id };
    const what = "action failed";
    // Its component tells of the same failure under the same id.
    const id = component === undefined ? `action ${action.id}` : `${what} ${component.id} ${action.name}`;
    return attentionRow(id, component?.name ?? action.name, {
      severity: "failed",
      what,
      why: run?.failure ?? action.name,
      where: set.name,
      since: run?.updated,
      route,
    });
  });
}

/** What is wrong with the components of a change set; of a table that did not change the same rows as before. */
export const componentTrouble = remembered((table: Table<ComponentRow>) =>
  remembered((set: ChangeSetItem): readonly AttentionRow[] => {
    const found: AttentionRow[] = [];
    let more = 0;
    for (const component of table.rows) {
      // What is wrong in the head is wrong in every change set that leaves it alone: it is told once.
      if (!component.troubled || (!set.isHead && component.difference === "none")) continue;
      for (const trouble of troubles(component)) {
        if (found.length >= perChangeSet) more++;
        else found.push(troubleRow(set, component, trouble));
      }
    }
    if (more === 0) return found;
    const route: Route = { screen: "components", changeSetId: set.id };
    const rest = {
      severity: "warn",
      what: "and more",
      where: set.name,
      why: "",
      since: undefined,
      route,
    } as const;
    return [...found, attentionRow(`more ${set.id}`, `${more} other components`, rest)];
  }),
);

interface Trouble {
  readonly severity: "failed" | "warn";
  readonly what: string;
  readonly why: string;
}

function troubles(component: ComponentRow): readonly Trouble[] {
  const found: Trouble[] = [];
  const named = (states: readonly string[]): string =>
    component.qualifications
      .filter(({ state }) => state !== null && states.includes(state))
      .map(({ name }) => name)
      .join(", ");
  const failedActions = component.actions.filter(({ state }) => state === "Failed").map(({ name }) => name);
  if (failedActions.length > 0)
    found.push({ severity: "failed", what: "action failed", why: failedActions.join(", ") });
  if (component.failed > 0) {
    found.push({ severity: "failed", what: "qualification", why: named(["Failed", "Failure"]) });
  } else if (component.warned > 0) {
    found.push({ severity: "warn", what: "qualification", why: named(["Warning"]) });
  }
  const resource = component.resource?.toLowerCase();
  if (resource === "error")
    found.push({ severity: "failed", what: "resource error", why: component.resourceId ?? "" });
  if (resource === "warning")
    found.push({ severity: "warn", what: "resource", why: component.resourceId ?? "" });
  return found;
}

const troubleRow = (set: ChangeSetItem, component: ComponentRow, trouble: Trouble): AttentionRow =>
  attentionRow(`${trouble.what} ${component.id} ${trouble.why}`, component.name, {
    ...trouble,
    where: set.name,
    since: undefined,
    route: { screen: "component", changeSetId: set.id, componentId: component.id },
  });
