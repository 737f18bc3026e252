import type { ComponentView } from "../../src/contract/components.ts";
import { changesBetween, fullValue, type NameOf, propertiesOf } from "./facts.ts";
import type { ListRow } from "./parts/list.ts";
import type { AttributeChange, ReviewRow } from "./review-rows.ts";
import type { ComponentRow } from "./rows.ts";

/** A line of the component detail. */
export interface FactRow extends ListRow {
  readonly kind: "added" | "changed" | "removed" | "same" | "passed" | "warned" | "failed" | "pending";
  /** What stands there in the head; null where nothing does, and where nobody asks. */
  readonly before: string | null;
  readonly value: string | null;
  /** The component that the line leads to: by its id, or by its name as a person wrote it. */
  readonly target: string | null;
  /** The run that the line tells of. */
  readonly funcRunId: string | null;
  /** Nobody edited it: it follows from other edits. */
  readonly computed: boolean;
  /** The head has changed the same since it was edited here. */
  readonly headMoved: boolean;
}

/** A line with nothing special about it. */
export function fact(
  id: string,
  name: string,
  rest: Partial<Omit<FactRow, "id" | "name" | "sortName">>,
): FactRow {
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    kind: "same",
    before: null,
    value: null,
    target: null,
    funcRunId: null,
    computed: false,
    headMoved: false,
    ...rest,
  };
}

/** What differs from the head, as the server's review tells it; nothing for a component that is not in it. */
export function reviewFacts(review: ReviewRow | undefined, nameOf: NameOf): readonly FactRow[] {
  if (review === undefined) return [];
  const named = (kind: "added" | "removed", what: string, values: readonly string[]): readonly FactRow[] =>
    values.map((value) => {
      const text = nameOf(value) ?? value;
      const side = kind === "added" ? { value: text } : { before: text };
      return fact(`${what} ${kind} ${value}`, what, {
        kind,
        ...side,
        target: what === "managed by" ? value : null,
      });
    });
  return [
    ...(review.marked ? [fact("toDelete", "to delete", { kind: "removed", value: "with the apply" })] : []),
    ...(review.variant === null ? [] : [variantFact(review.variant)]),
    ...review.attributes.map(attributeFact),
    ...named("added", "in the view", review.viewsAdded),
    ...named("removed", "in the view", review.viewsRemoved),
    ...named("added", "managed by", review.managersAdded),
    ...named("removed", "managed by", review.managersRemoved),
  ];
}

const variantFact = ({ before, after }: NonNullable<ReviewRow["variant"]>): FactRow =>
  fact("variant", "variant", { kind: "changed", before, value: after });

const attributeFact = (change: AttributeChange): FactRow =>
  fact(change.path, change.path, {
    kind: change.kind,
    before: change.before,
    value: change.after,
    target: change.source,
    computed: change.computed,
    headMoved: change.headMoved,
  });

/** What differs between two readings, for a server that tells no review. */
export const comparedFacts = (
  head: ComponentView | null,
  own: ComponentView,
  nameOf: NameOf,
): readonly FactRow[] => [
  ...(head === null || head.schemaVariantId === own.schemaVariantId
    ? []
    : [variantFact({ before: head.schemaVariantId, after: own.schemaVariantId })]),
  ...changesBetween(head, own, nameOf)
    .filter(({ kind }) => kind !== "same")
    .map(({ path, kind, before, after, source }) =>
      fact(path, path, { kind, before, value: after, target: source }),
    ),
];

/** Every attribute with its value, and how it differs from the head. */
export function attributeFacts(
  own: ComponentView | null,
  diff: readonly FactRow[],
  nameOf: NameOf,
): readonly FactRow[] {
  if (own === null) return [];
  const changes = new Map(diff.map((row) => [row.id, row]));
  return [...propertiesOf(own).values()].map((property) => {
    const change = changes.get(property.path);
    return fact(property.path, property.path, {
      ...(change === undefined
        ? {}
        : {
            kind: change.kind,
            before: change.before,
            computed: change.computed,
            headMoved: change.headMoved,
          }),
      value: fullValue(property, nameOf),
      target: property.source?.component ?? null,
    });
  });
}

/** What it manages, what manages it, and whose values come from it. */
export function linkFacts(
  own: ComponentView | null,
  row: ComponentRow | undefined,
  review: ReviewRow | undefined,
  nameOf: NameOf,
): readonly FactRow[] {
  const fresh = new Set(review?.managersAdded);
  const managing = (own?.connections ?? []).map((connection) => {
    const [id, name, { componentId, componentName }] =
      "managing" in connection
        ? (["managing", "manages", connection.managing] as const)
        : (["managed", "managed by", connection.managedBy] as const);
    const added = id === "managed" && (fresh.has(componentId) || fresh.has(componentName));
    return fact(`${id} ${componentId}`, name, {
      kind: added ? "added" : "same",
      value: nameOf(componentId) ?? componentName,
      target: componentId,
    });
  });
  const subscriptions = (row?.subscriptions ?? []).map((link) =>
    fact(`${link.componentId}${link.toPath} ${link.fromPath}`, link.fromPath, {
      value: `→ ${link.componentName} ${link.toPath}`,
      target: link.componentId,
    }),
  );
  return [...managing, ...subscriptions];
}

/** The views it is in, and those that the change set took it out of. */
export function viewFacts(own: ComponentView | null, review: ReviewRow | undefined): readonly FactRow[] {
  if (own === null) return [];
  const added = new Set(review?.viewsAdded);
  return [
    ...own.views.map(({ id, name, isDefault }) =>
      fact(id, name, {
        kind: added.has(name) ? "added" : "same",
        value: isDefault ? "the default view" : "",
      }),
    ),
    ...(review?.viewsRemoved ?? []).map((name) =>
      fact(`removed ${name}`, name, { kind: "removed", value: "only in the head" }),
    ),
  ];
}
