import { drivenBy } from "./driven-values.ts";
import { type Json, sameJson } from "./json.ts";
import { type Setting, type Settings, sameSetting } from "./overlay.ts";
import { fits, isContainer, type Prop } from "./props.ts";
import { isTouched, type Places, withinPlaces } from "./review-places.ts";
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
  /** The name of the function that made the value. */
  readonly by?: string;
}

/** What one side shows, by stored key. */
export type Shown = ReadonlyMap<string, ShownAttribute>;

/** Whether two sides show the same of an attribute, from the same source; undefined where one does not show it. */
export function sameShown(was: ShownAttribute | undefined, is: ShownAttribute | undefined): boolean {
  if (was === undefined || is === undefined) return was === is;
  if (!same(was.setting, is.setting, sameSetting)) return false;
  return same(was.value, is.value, sameJson);
}

const same = <T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => boolean): boolean =>
  a === undefined || b === undefined ? a === b : compare(a, b);

/**
 * Everything that a component has, by stored key in the schema's order, each thing once: scalars, containers that are
 * subscribed as a whole, and containers and elements below which nothing is set. Of hidden properties only those that
 * somebody set. With `places` only what is at or below them.
 */
export function shownAttributes(side: ReviewSide, places?: Places): Map<string, ShownAttribute> {
  const shown = new Map<string, ShownAttribute>();
  const node = plant(withinPlaces(side.settings, places));
  const values = plant(withinPlaces(side.vals, places));
  visit(
    { side, shown, places },
    { prop: side.props, node, values, key: "", isElement: false, hidden: false },
  );
  return shown;
}

interface Showing {
  readonly side: ReviewSide;
  readonly shown: Map<string, ShownAttribute>;
  readonly places: Places | undefined;
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
function visit(showing: Showing, spot: Spot): boolean {
  const { side, shown } = showing;
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
    const anySet =
      spotsBelow(spot, hidden, showing.places).filter((child) => visit(showing, child)).length > 0;
    if (anySet) return true;
    if (setting !== undefined && "v" in setting) return put(setting, setting.v);
  }
  if (isElement) return put({ u: 1 }, null);
  if (setting !== undefined || hidden) return false;
  const value = prop.kind === "object" ? values?.value : render(prop, values);
  if (value === undefined) return false;
  const by = drivenBy(side.vals, key);
  shown.set(key, { setting: undefined, value, ...(by === undefined ? {} : { by }) });
  return false;
}

function spotsBelow({ prop, node, values, key }: Spot, hidden: boolean, places?: Places): Spot[] {
  const below = (child: Prop, segment: string, isElement: boolean): Spot => ({
    prop: child,
    node: node?.children.get(segment),
    values: values?.children.get(segment),
    key: `${key}/${segment}`,
    isElement,
    hidden,
  });
  if (prop.kind === "object") {
    // Only the first two levels are told apart: below them all is in a place, or nothing.
    const counted = key.lastIndexOf("/") <= 0 ? places : undefined;
    const members = [...prop.children.values()].filter(
      ({ segment }) => counted === undefined || isTouched(counted, `${key}/${segment}`),
    );
    return members.map((member) => below(member, member.segment, false));
  }
  const { entry } = prop;
  if (entry === undefined || node === undefined || !isContainer(prop.kind)) return [];
  return elementsOf(node, prop.kind).map(([segment]) => below(entry, segment, true));
}
