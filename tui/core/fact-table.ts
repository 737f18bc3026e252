import { changesBetween, fullValue, type NameOf, propertiesOf } from "./facts.ts";
import type { Detail, TabId } from "./model.ts";
import type { ListRow } from "./parts/list.ts";
import type { ComponentRow, FunctionState } from "./rows.ts";
import { emptyTable, type Table } from "./table.ts";

/** A line of the component detail. */
export interface FactRow extends ListRow {
  readonly kind: "added" | "changed" | "removed" | "same" | "passed" | "warned" | "failed" | "pending";
  /** What stood there before, on the diff page only. */
  readonly before: string | null;
  readonly value: string | null;
}

export interface Tab {
  readonly id: TabId;
  readonly title: string;
  readonly count: number;
  readonly rows: readonly FactRow[];
}

const fact = (
  id: string,
  name: string,
  kind: FactRow["kind"],
  value: string | null,
  before: string | null = null,
) => ({
  id,
  name,
  sortName: name.toLowerCase(),
  kind,
  value,
  before,
});

/** The pages of a component that have something to show; the diff and the attributes always stand. */
export function tabsOf(
  detail: Detail | undefined,
  row: ComponentRow | undefined,
  nameOf: NameOf,
): readonly Tab[] {
  const key = detail ?? noDetail;
  let byRow = known.get(key);
  if (byRow === undefined) {
    byRow = new WeakMap();
    known.set(key, byRow);
  }
  let tabs = byRow.get(row ?? noRow);
  if (tabs === undefined) {
    tabs = pages(detail, row, nameOf);
    byRow.set(row ?? noRow, tabs);
  }
  return tabs;
}

const known = new WeakMap<object, WeakMap<object, readonly Tab[]>>();
const noDetail = {};
const noRow = {};

function pages(detail: Detail | undefined, row: ComponentRow | undefined, nameOf: NameOf): readonly Tab[] {
  const own = detail?.own ?? null;
  const changes =
    own === null
      ? []
      : changesBetween(detail?.head ?? null, own, nameOf).filter(({ kind }) => kind !== "same");
  const differs = row?.difference !== "none" && row?.difference !== null;
  const diff = differs
    ? changes.map((change) => fact(change.path, change.path, change.kind, change.after, change.before))
    : [];
  const attributes =
    own === null
      ? []
      : [...propertiesOf(own).values()].map((property) =>
          fact(property.path, property.path, "same", fullValue(property, nameOf)),
        );
  const resource =
    own === null
      ? []
      : own.resourceProps.flatMap(({ path, value }) =>
          typeof value === "object" && value !== null
            ? []
            : [fact(path, path.replace(/^root\/resource(_value)?/, ""), "same", String(value ?? ""))],
        );
  const optional: readonly Tab[] = [
    tab("qualifications", "Qualifications", row?.qualifications.map(qualification) ?? []),
    tab("links", "Links", linkRows(detail, row)),
    tab("resource", "Resource", resource),
  ];
  return [
    tab("diff", "Diff", diff),
    tab("attributes", "Attributes", attributes),
    ...optional.filter(({ count }) => count > 0),
  ];
}

const tab = (id: TabId, title: string, rows: readonly FactRow[]): Tab => ({
  id,
  title,
  rows,
  count: rows.length,
});

function qualification({ name, state, running }: FunctionState): FactRow {
  const kind =
    state === "Succeeded"
      ? "passed"
      : state === "Failed"
        ? "failed"
        : state === "Warning"
          ? "warned"
          : "pending";
  return fact(name, name, kind, running ? "running" : (state ?? "not run yet"));
}

function linkRows(detail: Detail | undefined, row: ComponentRow | undefined): readonly FactRow[] {
  const managing = (detail?.own?.connections ?? []).map((connection) =>
    "managing" in connection
      ? fact(
          `managing ${connection.managing.componentId}`,
          "manages",
          "same",
          connection.managing.componentName,
        )
      : fact(
          `managed ${connection.managedBy.componentId}`,
          "managed by",
          "same",
          connection.managedBy.componentName,
        ),
  );
  const subscriptions = (row?.subscriptions ?? []).map((link) =>
    fact(
      `${link.componentId}${link.toPath} ${link.fromPath}`,
      link.fromPath,
      "same",
      `→ ${link.componentName} ${link.toPath}`,
    ),
  );
  return [...managing, ...subscriptions];
}

const tables = new WeakMap<Tab, Table<FactRow>>();

/** The rows of a page as a list. */
export function factTable(page: Tab | undefined): Table<FactRow> {
  if (page === undefined) return emptyTable;
  let table = tables.get(page);
  if (table === undefined) {
    const index = new Map(page.rows.map((row, position) => [row.id, position]));
    table = { version: 0, rows: page.rows, index, changed: null };
    tables.set(page, table);
  }
  return table;
}
