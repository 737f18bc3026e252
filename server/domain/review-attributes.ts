import type { Json } from "./json.ts";
import type { Setting, Settings } from "./overlay.ts";
import { nameSegment } from "./pointers.ts";
import { fits, isContainer, type Prop } from "./props.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";
import { render, type Vals } from "./values.ts";

/** One component as a layer shows it, to be reviewed. */
export interface ReviewSide {
  readonly props: Prop;
  readonly settings: Settings;
  readonly vals: Vals;
  /** Whether the layer shows a component; a subscription to one that it does not show counts as unset. */
  readonly exists: (componentId: string) => boolean;
}

/** One attribute of a component: what is set there, undefined where the schema gives the value. */
export interface ShownAttribute {
  readonly setting: Setting | undefined;
  /** Undefined for a subscription that gives nothing. */
  readonly value: Json | undefined;
}

/**
 * Everything that a component has, by stored key in the schema's order, each thing once: scalars, containers that are
 * subscribed as a whole, and containers and elements below which nothing is set. Of hidden properties only those that
 * somebody set.
 */
export function shownAttributes(side: ReviewSide): Map<string, ShownAttribute> {
  const shown = new Map<string, ShownAttribute>();
  const top = { prop: side.props, node: plant(side.settings), values: plant(side.vals), key: "" };
  visit(side, shown, { ...top, isElement: false, hidden: false });
  return shown;
}

interface Spot {
  readonly prop: Prop;
  readonly node: Tree<Setting> | undefined;
  readonly values: Tree<Json> | undefined;
  readonly key: string;
  /** An element of an array or a map is there even when it has no value. */
  readonly isElement: boolean;
  readonly hidden: boolean;
}

/** Lists what is at and below a place; says whether anything there was set. */
function visit(side: ReviewSide, shown: Map<string, ShownAttribute>, spot: Spot): boolean {
  const { prop, node, values, key, isElement } = spot;
  const hidden = spot.hidden || prop.definition.hidden === true;
  const put = (setting: Setting | undefined, value: Json | undefined): boolean => {
    shown.set(key, { setting, value });
    return setting !== undefined;
  };
  const said = node?.value;
  // A literal of another kind, which an upgrade beside an edit can leave, counts for nothing.
  const setting = said !== undefined && "v" in said && !fits(prop, said.v) ? undefined : said;
  const isSubscribed = setting !== undefined && "s" in setting;
  if (isSubscribed && side.exists(setting.s[0])) return put(setting, values?.value);
  if (!isSubscribed) {
    const anySet = spotsBelow(spot, hidden).filter((child) => visit(side, shown, child)).length > 0;
    if (anySet) return true;
    if (setting !== undefined && "v" in setting) return put(setting, setting.v);
  }
  if (isElement) return put({ u: 1 }, null);
  if (setting !== undefined || hidden) return false;
  const value = prop.kind === "object" ? values?.value : render(prop, values);
  return value !== undefined && put(undefined, value);
}

function spotsBelow({ prop, node, values, key }: Spot, hidden: boolean): Spot[] {
  const below = (child: Prop, segment: string, isElement: boolean): Spot => ({
    prop: child,
    node: node?.children.get(segment),
    values: values?.children.get(segment),
    key: `${key}/${segment}`,
    isElement,
    hidden,
  });
  if (prop.kind === "object") {
    return [...prop.children.values()].map((member) => below(member, nameSegment(member.name), false));
  }
  const { entry } = prop;
  if (entry === undefined || node === undefined || !isContainer(prop.kind)) return [];
  return elementsOf(node, prop.kind).map(([segment]) => below(entry, segment, true));
}
