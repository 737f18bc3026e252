import type {
  AttributeDiff,
  ComponentReview,
  DroppedEdits,
  ReviewedValue,
} from "../../src/contract/review.ts";
import { isMarked, managerIdsOf, type Settings, viewIdsOf } from "./overlay.ts";
import { type AttributeChange, attributeChanges, type ReviewedComponent } from "./review.ts";
import type { ReviewSide, ShownAttribute } from "./review-attributes.ts";
import { droppedAttributes } from "./review-dropped.ts";

/** A component as one layer shows it, with what its schema says. */
export interface ComponentSide extends ReviewSide {
  readonly name: string;
  readonly schemaName: string;
  readonly variantId: string;
  /** Whether the schema has a later variant. */
  readonly upgradable: boolean;
  /** The name of a component that the layer shows; undefined for one that it does not. */
  readonly componentName: (componentId: string) => string | undefined;
  /** The name of a view that the layer shows; undefined for one that it does not. */
  readonly viewName: (viewId: string) => string | undefined;
}

/** What a change set makes of one component. */
export interface ComponentPair extends ReviewedComponent {
  readonly id: string;
  /** Each undefined where it is not shown; never both. */
  readonly head: ComponentSide | undefined;
  readonly own: ComponentSide | undefined;
  /** Whether the head changed anything of it since it was marked or erased here. */
  readonly movedSinceRemoval: () => boolean;
  /** Whether the head has another variant than when one was chosen here. */
  readonly variantMoved: () => boolean;
}

/** How the change set differs from the head in one component, and its edits that are dropped; each undefined without any. */
export function reviewPair(pair: ComponentPair): {
  readonly review: ComponentReview | undefined;
  readonly dropped: DroppedEdits | undefined;
} {
  const dropped = droppedEdits(pair);
  return { review: reviewComponent(pair, dropped !== undefined), dropped };
}

function reviewComponent(pair: ComponentPair, isDropped: boolean): ComponentReview | undefined {
  const { head, own } = pair;
  const side = own ?? head;
  if (side === undefined) return undefined;
  const [was, is] = [
    head !== undefined && isMarked(head.settings),
    own !== undefined && isMarked(own.settings),
  ];
  const diffStatus =
    own === undefined || (is && !was) ? "Removed" : head === undefined ? "Added" : "Modified";
  const changes = attributeChanges(pair);
  const [viewsAdded, viewsRemoved] = compare(head, own, viewNames);
  const [managersAdded, managersRemoved] = compare(head, own, managerNames);
  const upgraded = head !== undefined && own !== undefined && head.variantId !== own.variantId;
  const links = viewsAdded.length + viewsRemoved.length + managersAdded.length + managersRemoved.length;
  if (diffStatus === "Modified" && changes.length + links === 0 && !upgraded && was === is) return undefined;
  return {
    componentId: pair.id,
    componentName: side.name,
    schemaName: side.schemaName,
    diffStatus,
    toDelete: is,
    canBeUpgraded: own?.upgradable === true,
    ...(upgraded ? { variant: { old: head.variantId, new: own.variantId } } : {}),
    attributeDiffs: Object.fromEntries(changes.map((change) => [change.pointer, diffOf(pair, change)])),
    viewsAdded,
    viewsRemoved,
    managersAdded,
    managersRemoved,
    headMoved:
      changes.some((change) => change.headMoved) ||
      isDropped ||
      (upgraded && pair.variantMoved()) ||
      (diffStatus === "Removed" && pair.movedSinceRemoval()),
  };
}

/** What was edited of a component that is there, and shows nowhere; undefined when all of it shows. */
function droppedEdits({ id, head, own, patch }: ComponentPair): DroppedEdits | undefined {
  if (own === undefined || patch === undefined) return undefined;
  const attributes = droppedAttributes({ head, own, patch }).map(({ pointer }) => pointer);
  if (attributes.length === 0) return undefined;
  return { componentId: id, componentName: own.name, componentRemoved: false, attributes };
}

function diffOf({ head, own }: ComponentPair, change: AttributeChange): AttributeDiff {
  return {
    changeType: change.old === undefined ? "added" : change.new === undefined ? "removed" : "modified",
    ...(change.old === undefined ? {} : { old: reviewedValue(change.old, head) }),
    ...(change.new === undefined ? {} : { new: reviewedValue(change.new, own) }),
    edited: change.edited,
    headMoved: change.headMoved,
  };
}

function reviewedValue(
  { setting, value, by }: ShownAttribute,
  side: ComponentSide | undefined,
): ReviewedValue {
  const shown = value === undefined ? {} : { value };
  if (setting === undefined)
    return { ...shown, source: "prototype", ...(by === undefined ? {} : { functionName: by }) };
  if (!("s" in setting)) return { ...shown, source: "value" };
  const [componentId, path] = setting.s;
  const componentName = side?.componentName(componentId);
  return {
    ...shown,
    source: "subscription",
    componentId,
    ...(componentName === undefined ? {} : { componentName }),
    path,
    ...(setting.f === undefined ? {} : { func: setting.f }),
  };
}

type NamesOf = (side: ComponentSide) => ReadonlyMap<string, string>;

/** The names of what only the change set has, and of what only the head has, each in alphabetical order. */
function compare(
  head: ComponentSide | undefined,
  own: ComponentSide | undefined,
  namesOf: NamesOf,
): [added: string[], removed: string[]] {
  const nothing: ReadonlyMap<string, string> = new Map();
  const [before, after] = [head ? namesOf(head) : nothing, own ? namesOf(own) : nothing];
  const only = (these: ReadonlyMap<string, string>, those: ReadonlyMap<string, string>): string[] =>
    [...these]
      .filter(([id]) => !those.has(id))
      .flatMap(([, name]) => name)
      .sort();
  return [only(after, before), only(before, after)];
}

const viewNames: NamesOf = ({ settings, viewName }) => named(viewIdsOf(settings), viewName);
const managerNames: NamesOf = ({ settings, componentName }) => named(managerIdsOf(settings), componentName);

const named = (ids: Iterable<string>, nameOf: (id: string) => string | undefined): Map<string, string> =>
  new Map(
    [...ids].flatMap((id): [string, string][] => {
      const name = nameOf(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );

/** Ids of the other components that a component's settings name: those it reads, and those that manage it. */
export const namedIn = (settings: Settings): string[] => [
  ...Object.values(settings).flatMap((setting) => ("s" in setting ? setting.s[0] : [])),
  ...managerIdsOf(settings),
];
