import type { ListRow } from "./parts/list.ts";
import type { Review } from "./review.ts";
import type { AttributeChange, ChangeKind, EntityRow, ReviewRow } from "./review-rows.ts";
import type { ComponentRow } from "./rows.ts";
import { remembered } from "./select.ts";
import type { Table } from "./table.ts";

/** One line of the diff lens: a component that differs from the head, or one thing in which it differs. */
export interface LensRow extends ListRow {
  readonly kind: "component" | "variant" | "attribute" | "view" | "manager" | "other";
  readonly change: ChangeKind;
  /** The component it belongs to; null for what belongs to none. */
  readonly componentId: string | null;
  /** The name of that component, else its own. */
  readonly owner: string;
  readonly schema: string;
  /** In the head, and here. */
  readonly before: string | null;
  readonly after: string | null;
  /** Words that a filter finds it by. */
  readonly marks: readonly string[];
  /** Of a component: how many of its attributes differ. */
  readonly attributes: number;
}

/** Whether a line has a mark. */
export const hasMark = (row: LensRow, mark: string): boolean => row.marks.includes(mark);

/**
 * The lines of a review in the order of names, each component followed by what differs in it. Made anew when the review
 * changes; lines of a component that did not change are the same objects.
 */
export const lensTable = remembered((review: Review): Table<LensRow> => {
  const components = [...review.components.rows].sort(byName);
  const others = [...review.entities.rows].sort(byName);
  return tableOf([...components.flatMap(componentLines), ...others.map(entityLine)]);
});

/** The lens where the server tells no review: the components that differ, without what differs in them. */
export const roughLensTable = remembered((components: Table<ComponentRow>): Table<LensRow> => {
  const differing = components.rows.filter(({ difference }) => difference !== "none" && difference !== null);
  return tableOf(
    differing.sort(byName).map((row) => ({
      ...blank,
      id: row.id,
      name: row.name,
      sortName: row.sortName,
      kind: "component",
      change: row.difference === "added" ? "added" : row.difference === "removed" ? "removed" : "changed",
      componentId: row.id,
      owner: row.name,
      schema: row.schema,
    })),
  );
});

const byName = (a: ListRow, b: ListRow): number =>
  a.sortName === b.sortName ? (a.id < b.id ? -1 : 1) : a.sortName < b.sortName ? -1 : 1;

function tableOf(rows: readonly LensRow[]): Table<LensRow> {
  const index = new Map(rows.map((row, position) => [row.id, position]));
  return { version: 0, rows, index, changed: null };
}

const blank = { schema: "", before: null, after: null, marks: [], attributes: 0 } as const;

const componentLines = remembered((row: ReviewRow): readonly LensRow[] => {
  const { id, name, schema, attributes } = row;
  const line = (kind: "view" | "manager", change: "added" | "removed", value: string): LensRow => ({
    ...blank,
    id: `${id} ${kind} ${change} ${value}`,
    name: kind === "view" ? "in the view" : "managed by",
    sortName: row.sortName,
    kind,
    change,
    componentId: id,
    owner: name,
    schema,
    before: change === "removed" ? value : null,
    after: change === "added" ? value : null,
  });
  return [
    {
      ...blank,
      id,
      name,
      sortName: row.sortName,
      kind: "component",
      change: row.kind,
      componentId: id,
      owner: name,
      schema,
      marks: [
        ...(row.marked ? ["marked"] : []),
        ...(row.upgradable ? ["upgradable"] : []),
        ...(row.headMoved ? ["moved"] : []),
      ],
      attributes: attributes.length,
    },
    ...(row.variant === null ? [] : [variantLine(row, row.variant)]),
    ...attributes.map((change) => attributeLine(row, change)),
    ...row.viewsAdded.map((view) => line("view", "added", view)),
    ...row.viewsRemoved.map((view) => line("view", "removed", view)),
    ...row.managersAdded.map((manager) => line("manager", "added", manager)),
    ...row.managersRemoved.map((manager) => line("manager", "removed", manager)),
  ];
});

/** Who chose another variant edited the component. */
const variantLine = (row: ReviewRow, variant: NonNullable<ReviewRow["variant"]>): LensRow => ({
  ...blank,
  ...variant,
  id: `${row.id} variant`,
  name: "variant",
  sortName: row.sortName,
  kind: "variant",
  change: "changed",
  componentId: row.id,
  owner: row.name,
  schema: row.schema,
  marks: ["edited"],
});

const attributeLine = (row: ReviewRow, change: AttributeChange): LensRow => ({
  id: `${row.id} ${change.path}`,
  name: change.path,
  sortName: `${row.sortName} ${change.path.toLowerCase()}`,
  kind: "attribute",
  change: change.kind,
  componentId: row.id,
  owner: row.name,
  schema: row.schema,
  before: change.before,
  after: change.after,
  marks: [
    change.computed ? "computed" : "edited",
    ...(change.headMoved ? ["moved"] : []),
    ...(change.source === null ? [] : ["subscribed"]),
  ],
  attributes: 0,
});

const entityLine = (row: EntityRow): LensRow => ({
  ...blank,
  id: row.id,
  name: row.name,
  sortName: row.sortName,
  kind: "other",
  change: row.kind,
  componentId: null,
  owner: row.name,
  schema: row.noun,
});
