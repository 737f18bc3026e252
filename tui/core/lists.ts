import { actionTable } from "./actions.ts";
import { attentionTable } from "./attention.ts";
import type { AttentionRow } from "./attention-row.ts";
import { type ChangeSetRow, changeSetRow } from "./change-set-rows.ts";
import type { FactRow } from "./fact-rows.ts";
import { factTable, type Tab, tabsOf } from "./fact-table.ts";
import { attentionKind, changeSetKind, componentKind, factKind, lensKind } from "./kinds.ts";
import { actionKind, logKind, runKind } from "./kinds-work.ts";
import { type LensRow, lensTable, roughLensTable } from "./lens.ts";
import { componentsList, type Mirror, reviewList } from "./mirror.ts";
import { detailKey, type Model } from "./model.ts";
import { choices, completeFilter } from "./parts/filter.ts";
import {
  type ListKind,
  type ListRow,
  type ListState,
  newList,
  refreshList,
  stickToEnd,
} from "./parts/list.ts";
import type { ComponentRow } from "./rows.ts";
import { logTable } from "./run-log.ts";
import { runTable } from "./runs.ts";
import { lookupFor, remembered } from "./select.ts";
import { emptyTable, find, type Table } from "./table.ts";

/** A list as keys and mouse see it, whatever its rows are. */
export interface BoundList {
  readonly key: string;
  /** Groups lists that share a chosen sort order. */
  readonly kindId: string;
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly { readonly id: string; readonly title: string; readonly down?: boolean }[];
  readonly table: Table<ListRow> | undefined;
  readonly refresh: (state: ListState) => ListState;
  readonly complete: (text: string) => string;
  readonly choices: (text: string) => readonly string[];
  readonly start: () => ListState;
}

export const attentionKey = "attention";
export const changeSetsKey = "changeSets";
export const componentsKey = componentsList;
export const actionsKey = "actions";
export const runsKey = "runs";
const logPrefix = "log/";
export const logKey = (funcRunId: string): string => `${logPrefix}${funcRunId}`;
const lensPrefix = "lens/";
export const lensKey = (changeSetId: string): string => `${lensPrefix}${changeSetId}`;
export const factsKey = (model: Model): string =>
  model.route.screen === "component"
    ? `facts/${model.tab}/${detailKey(model.route.changeSetId, model.route.componentId)}`
    : "facts";

export const attentionRows = (model: Model): Table<AttentionRow> => attentionTable(model.mirror);

/** The change sets with what is known of their components. */
export const changeSetRows = (model: Model): Table<ChangeSetRow> | undefined => changeSetTable(model.mirror);

const changeSetTable = remembered((mirror: Mirror): Table<ChangeSetRow> | undefined => {
  const { changeSets } = mirror;
  return changeSets === undefined
    ? undefined
    : {
        version: 0,
        rows: changeSets.rows.map((item) => changeSetRow(mirror, item)),
        index: changeSets.index,
        changed: null,
      };
});

/** The components of a change set; undefined while they are not known, none when the change set is gone. */
export function componentRows(model: Model, changeSetId: string): Table<ComponentRow> | undefined {
  const { components, changeSets } = model.mirror;
  return changeSets?.index.has(changeSetId) === false ? emptyTable : components.get(changeSetId);
}

/** What a change set changes, line by line; undefined while nothing is known. The head changes nothing. */
export function lensRows(model: Model, changeSetId: string): Table<LensRow> | undefined {
  const { reviews, components, changeSets } = model.mirror;
  if (find(changeSets, changeSetId)?.isHead !== false)
    return changeSets === undefined ? undefined : emptyTable;
  const review = reviews.get(changeSetId);
  if (review !== undefined) return lensTable(review);
  const rows = components.get(changeSetId);
  return rows === undefined || !isWithoutReview(model, changeSetId) ? undefined : roughLensTable(rows);
}

/** True when the server does not tell what a change set changes, so that there is no use in waiting for it. */
export const isWithoutReview = (model: Model, changeSetId: string): boolean => {
  const name = reviewList(changeSetId);
  const list = model.mirror.status?.lists.find(({ resource }) => resource === name);
  return list?.note !== undefined;
};

/** Names of the components of a change set. */
export const namesIn =
  (model: Model, changeSetId: string) =>
  (componentId: string): string | undefined =>
    find(model.mirror.components.get(changeSetId), componentId)?.name;

/** The id of a component of a change set, which is named by its id or by its name. */
export function componentNamed(model: Model, changeSetId: string, idOrName: string): string | undefined {
  const table = componentRows(model, changeSetId);
  if (table === undefined) return undefined;
  return table.index.has(idOrName) ? idOrName : idsByName(table).get(idOrName);
}

const idsByName = remembered(
  (table: Table<ComponentRow>): ReadonlyMap<string, string> =>
    new Map(table.rows.map(({ id, name }) => [name, id])),
);

/** The component a route shows, as its list knows it. */
export function componentOf(model: Model): ComponentRow | undefined {
  if (model.route.screen !== "component") return undefined;
  return find(componentRows(model, model.route.changeSetId), model.route.componentId);
}

/** What of a component's page is not there any more; null while both are, and while nobody knows. */
export function goneFrom(model: Model): "component" | "change set" | null {
  if (model.route.screen !== "component") return null;
  const { changeSetId } = model.route;
  if (model.mirror.changeSets?.index.has(changeSetId) === false) return "change set";
  const known = componentRows(model, changeSetId) !== undefined;
  return known && componentOf(model) === undefined ? "component" : null;
}

/** What is special about a component, as its list, its review and its last reading tell. */
export function marksOf(
  model: Model,
  changeSetId: string,
  row: ComponentRow,
): Pick<ComponentRow, "marked" | "upgradable" | "headMoved"> {
  const own = model.details.get(detailKey(changeSetId, row.id))?.own ?? null;
  return {
    marked: row.marked || own?.toDelete === true,
    upgradable: row.upgradable || own?.canBeUpgraded === true,
    headMoved: row.headMoved,
  };
}

/** The pages of a component. */
export const tabsFor = (model: Model, changeSetId: string, componentId: string): readonly Tab[] =>
  tabsOf({
    detail: model.details.get(detailKey(changeSetId, componentId)),
    row: find(componentRows(model, changeSetId), componentId),
    review: model.mirror.reviews.get(changeSetId),
    componentId,
    nameOf: namesIn(model, changeSetId),
  });

/** The pages of the component a route shows. */
export function currentTabs(model: Model): readonly Tab[] {
  if (model.route.screen !== "component") return [];
  const { changeSetId, componentId } = model.route;
  return tabsFor(model, changeSetId, componentId);
}

export const currentTab = (model: Model): Tab | undefined => {
  const tabs = currentTabs(model);
  return tabs.find(({ id }) => id === model.tab) ?? tabs[0];
};

export const factRows = (model: Model): Table<FactRow> => factTable(currentTab(model));

/** The list behind a key, or undefined when there is none of that name. */
export function listOf(model: Model, key: string): BoundList | undefined {
  if (key === attentionKey) return bind(model, key, "attention", attentionKind, attentionRows(model));
  if (key === changeSetsKey) return bind(model, key, "changeSets", changeSetKind, changeSetRows(model));
  if (key.startsWith("facts")) return bind(model, key, "facts", factKind, factRows(model));
  if (key === actionsKey) return bind(model, key, "actions", actionKind, knownWork(model, actionTable));
  if (key === runsKey) return bind(model, key, "runs", runKind, knownWork(model, runTable));
  if (key.startsWith(logPrefix)) {
    const reading = model.runLogs.get(key.slice(logPrefix.length))?.reading ?? null;
    const table = reading === null ? undefined : logTable(reading);
    const list = bind(model, key, "log", logKind, table);
    return { ...list, refresh: (state) => stickToEnd(state, list.refresh(state), table) };
  }
  if (key.startsWith(lensPrefix)) {
    const id = key.slice(lensPrefix.length);
    return bind(model, key, "lens", lensKind, lensRows(model, id), id);
  }
  const changeSetId = key.startsWith("components/") ? key.slice("components/".length) : undefined;
  return changeSetId === undefined
    ? undefined
    : bind(model, key, "components", componentKind, componentRows(model, changeSetId), changeSetId);
}

/** What is going on in the workspace; undefined before anything is known of it. */
const knownWork = <Row>(model: Model, tableOf: (mirror: Mirror) => Table<Row>): Table<Row> | undefined =>
  model.mirror.changeSets === undefined ? undefined : tableOf(model.mirror);

/** Where a person is in a list; a list that was never opened starts as its kind was last sorted. */
export const stateOf = (model: Model, list: BoundList): ListState => model.lists[list.key] ?? list.start();

function bind<Row extends ListRow>(
  model: Model,
  key: string,
  kindId: string,
  kind: ListKind<Row>,
  table: Table<Row> | undefined,
  changeSetId?: string,
): BoundList {
  return {
    key,
    kindId,
    noun: kind.noun,
    nouns: kind.nouns,
    columns: kind.columns,
    table,
    refresh: (state) => refreshList(state, kind, table, lookupFor(model, changeSetId)),
    complete: (text) => completeFilter(text, kind.fields),
    choices: (text) => choices(text, kind.fields),
    start: () => newList(model.sorts[kindId] ?? kind.sort),
  };
}
