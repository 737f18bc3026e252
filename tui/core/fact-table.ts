import {
  attributeFacts,
  comparedFacts,
  type FactRow,
  linkFacts,
  reviewFacts,
  viewFacts,
} from "./fact-rows.ts";
import { qualificationFacts, resourceFacts } from "./fact-states.ts";
import type { NameOf } from "./facts.ts";
import type { Detail, TabId } from "./model.ts";
import type { Review } from "./review.ts";
import type { ComponentRow } from "./rows.ts";
import { emptyTable, find, type Table } from "./table.ts";

/** One page of the component detail. */
export interface Tab {
  readonly id: TabId;
  readonly title: string;
  readonly count: number;
  readonly rows: readonly FactRow[];
}

/** What the pages of a component are made of; absent parts leave their pages empty. */
export interface TabSources {
  readonly detail: Detail | undefined;
  readonly row: ComponentRow | undefined;
  /** What its change set changes; undefined in the head, and where the server does not tell. */
  readonly review: Review | undefined;
  readonly componentId: string;
  readonly nameOf: NameOf;
}

/** The pages of a component that have something to show; the diff and the attributes always stand. */
export function tabsOf(sources: TabSources): readonly Tab[] {
  const { detail, row, review, componentId } = sources;
  const reviewed = find(review?.components, componentId);
  const asReviewed = reviewed ?? (review === undefined ? noReview : unchanged);
  const known = [detail ?? noDetail, row ?? noRow, asReviewed];
  return remember(known, () => pages(sources));
}

type Known = WeakMap<object, Known | readonly Tab[]>;
const root: Known = new WeakMap();
const noDetail = {};
const noRow = {};
const noReview = {};
const unchanged = {};

/** The same pages for the same objects. */
function remember(keys: readonly object[], make: () => readonly Tab[]): readonly Tab[] {
  let level: Known = root;
  const last = keys.at(-1) ?? noDetail;
  for (const key of keys.slice(0, -1)) {
    const next = level.get(key);
    const found: Known = next instanceof WeakMap ? next : new WeakMap();
    if (found !== next) level.set(key, found);
    level = found;
  }
  const known = level.get(last);
  if (known !== undefined && !(known instanceof WeakMap)) return known;
  const made = make();
  level.set(last, made);
  return made;
}

function pages({ detail, row, review, componentId, nameOf }: TabSources): readonly Tab[] {
  const own = detail?.own ?? null;
  const reviewed = find(review?.components, componentId);
  const differs = row?.difference !== "none" && row?.difference !== null;
  const diff =
    review !== undefined
      ? reviewFacts(reviewed, nameOf)
      : own !== null && differs
        ? comparedFacts(detail?.head ?? null, own, nameOf)
        : [];
  const optional: readonly Tab[] = [
    tab("qualifications", "Qualifications", qualificationFacts(row)),
    tab("links", "Links", linkFacts(own, row, reviewed, nameOf)),
    tab("views", "Views", viewFacts(own, reviewed)),
    tab("resource", "Resource", resourceFacts(own, row)),
  ];
  return [
    tab("diff", "Diff", diff),
    tab("attributes", "Attributes", attributeFacts(own, diff, nameOf)),
    ...optional.filter(({ count }) => count > 0),
  ];
}

const tab = (id: TabId, title: string, rows: readonly FactRow[]): Tab => ({
  id,
  title,
  rows,
  count: rows.length,
});

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
