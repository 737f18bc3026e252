import type { ActionView } from "../../src/contract/actions.ts";
import type { AttributeDiff, ComponentReview } from "../../src/contract/review.ts";
import { partKey, type ReviewPart, reviewParts } from "../../src/mirror/review-parts.ts";
import { idAt, seeded, type WorldComponent } from "./tui-data.ts";

const attributes = [
  "/domain/CacheNodeType",
  "/domain/NumCacheNodes",
  "/domain/Port",
  "/domain/SecurityGroupIds/0",
  "/domain/SnapshotWindow",
  "/domain/Tags/team",
];

const value = (of: unknown) => ({ value: of, source: "value" });

/** A difference of one attribute, of the kind that comes next. */
function attributeDiff(random: () => number, path: string, other: WorldComponent | undefined): AttributeDiff {
  const kind = Math.floor(random() * 5);
  const plain = { edited: true, headMoved: random() < 0.15 };
  if (kind === 0) return { changeType: "added", new: value(`${path.length}`), ...plain };
  if (kind === 1) return { changeType: "removed", old: value("03:00-04:00"), ...plain };
  if (kind === 2) {
    const link = {
      value: "sg-0f3c9a",
      source: "subscription",
      componentId: other?.componentId ?? idAt(1, 1),
      componentName: other?.name ?? "gone",
      path: "/resource/GroupId",
    };
    return { changeType: "modified", old: value("sg-0a11"), new: link, ...plain };
  }
  if (kind === 3) {
    const computed = { value: `computed ${path.length}`, source: "prototype" };
    const old = { value: "computed before", source: "prototype" };
    return { changeType: "modified", old, new: computed, edited: false, headMoved: false };
  }
  return { changeType: "modified", old: value(11_211), new: value(6_379), ...plain };
}

/** What a review tells of the components of a change set that differ from the head. */
export function worldReview(
  components: readonly WorldComponent[],
  options: { readonly seed?: number; readonly pending?: boolean } = {},
): readonly ReviewPart[] {
  const random = seeded(options.seed ?? 11);
  const reviews = components
    .filter(({ diffStatus }) => diffStatus === "Added" || diffStatus === "Modified")
    .map((component, index): ComponentReview => {
      const paths = attributes.filter(() => random() < 0.55);
      const diffs = paths.map((path) => [
        path,
        attributeDiff(random, path, components[Math.floor(random() * components.length)]),
      ]);
      const attributeDiffs: Record<string, AttributeDiff> = Object.fromEntries(diffs);
      return {
        componentId: component.componentId,
        componentName: component.name,
        schemaName: component.schemaName,
        diffStatus: index % 7 === 3 ? "Removed" : String(component["diffStatus"]),
        toDelete: index % 7 === 3,
        canBeUpgraded: index % 5 === 2,
        attributeDiffs,
        viewsAdded: index % 4 === 0 ? ["network"] : [],
        viewsRemoved: index % 6 === 1 ? ["default"] : [],
        managersAdded: [],
        managersRemoved: [],
        headMoved: Object.values(attributeDiffs).some(({ headMoved }) => headMoved),
      };
    });
  const diffs = reviews.flatMap((review) => Object.values(review.attributeDiffs));
  const count = (status: string): number => reviews.filter(({ diffStatus }) => diffStatus === status).length;
  return reviewParts({
    components: reviews,
    entities: [{ kind: "SchemaVariant", id: idAt(5, 77), name: "AWS::ECS::Service", diffStatus: "Modified" }],
    dropped: [],
    summary: {
      totalComponents: reviews.length,
      added: count("Added"),
      modified: count("Modified"),
      removed: count("Removed"),
      attributes: diffs.length,
      headMoved: diffs.filter(({ headMoved }) => headMoved).length,
    },
    pending: options.pending ?? false,
    at: new Date(0).toISOString(),
  });
}

/** Parts of a review by their keys, as the daemon tells them. */
export const partsByKey = (parts: readonly ReviewPart[]): Record<string, unknown> =>
  Object.fromEntries(parts.map((part) => [partKey(part), part]));

/** A merge status as the daemon tells it; `patch` replaces members. */
export const mergeItem = (
  changeSetId: string,
  status: string,
  patch: Readonly<Record<string, string | null>> = {},
): Record<string, unknown> => ({
  [changeSetId]: {
    id: changeSetId,
    name: "",
    status,
    mergeRequestedByUser: null,
    mergeRequestedAt: null,
    reviewedByUser: null,
    reviewedAt: null,
    note: null,
    ...patch,
  },
});

/** Actions by id, one for each state given. */
export const actionItems = (
  changeSetId: string,
  componentIds: readonly string[],
  states: readonly string[],
): Record<string, ActionView> =>
  Object.fromEntries(
    states.map((state, index) => {
      const id = idAt(6, index + 1);
      const componentId = componentIds[index % Math.max(1, componentIds.length)] ?? null;
      const names = { kind: "Create", name: `create ${index}`, prototypeId: idAt(7, index) };
      return [id, { id, ...names, state, originatingChangeSetId: changeSetId, componentId }];
    }),
  );
