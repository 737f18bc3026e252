import { valueText } from "./facts.ts";
import { countOf, type Members, membersOf, textOf, textOrNull, textsOf } from "./members.ts";
import type { ListRow } from "./parts/list.ts";
import { sideOf } from "./sides.ts";

/** How something in a change set differs from the head. */
export type ChangeKind = "added" | "changed" | "removed";

/** One attribute that a change set shows otherwise than the head. */
export interface AttributeChange {
  readonly path: string;
  readonly kind: ChangeKind;
  /** In the head, and here; null where it is not set. A subscription reads `value  ← name path`. */
  readonly before: string | null;
  readonly after: string | null;
  /** True when nobody edited it: it follows from other edits. */
  readonly computed: boolean;
  /** True when the head has changed the same attribute since it was edited here. */
  readonly headMoved: boolean;
  /** The component that the value here is subscribed to. */
  readonly source: string | null;
}

/** One component that a change set shows otherwise than the head. */
export interface ReviewRow extends ListRow {
  readonly schema: string;
  readonly kind: ChangeKind;
  /** Marked for deletion: gone with the apply. */
  readonly marked: boolean;
  readonly upgradable: boolean;
  readonly headMoved: boolean;
  /** Of one that was moved to another variant of its schema: the variant's id in the head, and here. */
  readonly variant: { readonly before: string; readonly after: string } | null;
  /** In order of path. */
  readonly attributes: readonly AttributeChange[];
  readonly viewsAdded: readonly string[];
  readonly viewsRemoved: readonly string[];
  readonly managersAdded: readonly string[];
  readonly managersRemoved: readonly string[];
}

/** Something else that a change set shows otherwise than the head: a schema, a view, … */
export interface EntityRow extends ListRow {
  readonly noun: string;
  readonly kind: ChangeKind;
}

/** The numbers of a review, and whether values are still being computed. */
export interface ReviewSummary {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly attributes: number;
  readonly headMoved: number;
  readonly pending: boolean;
}

const kinds: Readonly<Record<string, ChangeKind>> = {
  added: "added",
  modified: "changed",
  removed: "removed",
};
const kindOf = (word: unknown): ChangeKind => kinds[textOf(word).toLowerCase()] ?? "changed";

/** Reads one component of a review. */
export function reviewRow(id: string, item: unknown): ReviewRow {
  const members = membersOf(item);
  const name = textOf(members["componentName"]) || id;
  const diffs = Object.entries(membersOf(members["attributeDiffs"]));
  const attributes = diffs.map(([path, diff]) => attributeChange(path, membersOf(diff)));
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    schema: textOf(members["schemaName"]),
    kind: kindOf(members["diffStatus"]),
    marked: members["toDelete"] === true,
    upgradable: members["canBeUpgraded"] === true,
    headMoved: members["headMoved"] === true || attributes.some(({ headMoved }) => headMoved),
    variant: variantOf(members["variant"]),
    attributes: attributes.sort((a, b) => (a.path < b.path ? -1 : 1)),
    viewsAdded: textsOf(members["viewsAdded"]),
    viewsRemoved: textsOf(members["viewsRemoved"]),
    managersAdded: textsOf(members["managersAdded"]),
    managersRemoved: textsOf(members["managersRemoved"]),
  };
}

function variantOf(item: unknown): ReviewRow["variant"] {
  const { old, new: now } = membersOf(item);
  const [before, after] = [textOrNull(old), textOrNull(now)];
  return before === null || after === null ? null : { before, after };
}

/** Reads the edits of one component that an apply leaves out: a row of its own, that the component may stand beside. */
export function droppedRow(id: string, item: unknown): ReviewRow {
  const members = membersOf(item);
  const name = textOf(members["componentName"]) || id;
  const isGone = members["componentRemoved"] === true;
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    schema: isGone
      ? "removed in the head: edits are dropped"
      : "edits are dropped: the head removed their place",
    kind: "removed",
    marked: false,
    upgradable: false,
    headMoved: true,
    variant: null,
    attributes: [...textsOf(members["attributes"])].sort().map((path) => ({
      path,
      kind: "removed",
      before: null,
      after: "not applied",
      computed: false,
      headMoved: true,
      source: null,
    })),
    viewsAdded: [],
    viewsRemoved: [],
    managersAdded: [],
    managersRemoved: [],
  };
}

function attributeChange(path: string, diff: Members): AttributeChange {
  const after = membersOf(diff["new"]);
  return {
    path,
    kind: kindOf(diff["changeType"]),
    before: sideText(diff["old"]),
    after: sideText(diff["new"]),
    computed: diff["edited"] === false,
    headMoved: diff["headMoved"] === true,
    source: after["source"] === "subscription" ? textOrNull(after["componentId"]) : null,
  };
}

/** What a person reads for one side: the value, and whose it is when it is subscribed. */
function sideText(side: unknown): string | null {
  if (typeof side !== "object" || side === null) return null;
  const members = membersOf(side);
  const value = valueText(members["value"]);
  if (members["source"] !== "subscription") return value;
  const name = textOf(members["componentName"]) || textOf(members["componentId"]) || "?";
  const func = textOrNull(members["func"]);
  return sideOf(value, `← ${name} ${textOf(members["path"])}${func === null ? "" : ` through ${func}`}`);
}

/** Reads one other thing of a review. */
export function entityRow(id: string, item: unknown): EntityRow {
  const members = membersOf(item);
  const name = textOf(members["name"]) || id;
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    noun: textOf(members["kind"])
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase(),
    kind: kindOf(members["diffStatus"]),
  };
}

/** Reads the numbers of a review. */
export function reviewSummary(item: unknown): ReviewSummary {
  const members = membersOf(item);
  return {
    added: countOf(members["added"]),
    modified: countOf(members["modified"]),
    removed: countOf(members["removed"]),
    attributes: countOf(members["attributes"]),
    headMoved: countOf(members["headMoved"]),
    pending: members["pending"] === true,
  };
}
