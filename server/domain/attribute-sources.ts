import type { Link } from "./attribute-forms.ts";
import type { Draft, Place } from "./attribute-paths.ts";
import type { Setting, Settings } from "./overlay.ts";
import { formatPointer, isElement, parsePointer, segmentName } from "./pointers.ts";
import { expectedBelow, type Prop, type PropKind, stepTo } from "./props.ts";
import { refuse } from "./refusal.ts";
import { plant, sortedChildren, type Tree } from "./tree.ts";

/** A component that a subscription names. */
export interface FoundComponent {
  readonly id: string;
  readonly props: Prop;
}

/**
 * A function that a subscription names, as subscriptions keep it; `ambiguous` where several have the name, `unfit`
 * where it does not take the value of a subscription.
 */
export type FoundFunction = { readonly func: string } | "ambiguous" | "unfit";

/** How a write looks up what subscriptions name. */
export interface SourceLookup {
  /** The component that is written; undefined while it is being created. */
  readonly componentId: string | undefined;
  /** The component of that id, else of that exact name. */
  readonly findComponent: (reference: string) => FoundComponent | "ambiguous" | undefined;
  /** The function of that id or name; nothing that a subscription names is looked up where it is absent. */
  readonly findFunction?: ((reference: string) => FoundFunction | undefined) | undefined;
  /** The names of the components on the circle that a subscription to `sourceId` would close; undefined without one. */
  readonly circleThrough?: ((sourceId: string) => readonly string[] | undefined) | undefined;
}

/** What a checked subscription reads from. */
export interface Source {
  readonly componentId: string;
  readonly func: string | undefined;
}

/** Names of the function that changes nothing. */
const identity: ReadonlySet<string> = new Set(["si:identity", "identity"]);

/** Kinds of one family can feed each other. */
const family: Readonly<Record<PropKind, string>> = {
  string: "text",
  json: "text",
  integer: "number",
  float: "number",
  boolean: "boolean",
  array: "array",
  map: "members",
  object: "members",
};

/** Checks what a subscription names: the component, the path in its schema, the kinds, and that no circle arises. */
export function checkSource(lookup: SourceLookup, draft: Draft, place: Place, link: Link): Source {
  if (place.pointer === "/si") {
    refuse(
      "invalidRequest",
      "attributes /si: expected a subscription of its own for each member, such as /si/color, found one for all: the component would lose its name",
    );
  }
  const component = findSource(lookup, place, link);
  const source = walk(component.props, place, link);
  const func = findFunction(lookup, place, link);
  if (func === undefined && family[source.kind] !== family[place.prop.kind]) {
    refuse(
      "invalidRequest",
      `attributes ${place.pointer}: expected a source of kind ${place.prop.kind}, found ${link.path} of kind ${source.kind}`,
    );
  }
  const takesSecrets = place.prop.definition.secret !== undefined;
  if (takesSecrets && (source.definition.secret === undefined || func !== undefined)) {
    refuse(
      "invalidRequest",
      `attributes ${place.pointer}: expected a secret as it is, such as /secrets/… of a component that holds one, found ${link.path}`,
    );
  }
  if (component.id === lookup.componentId) refuseOwnCircle(draft, place, link, component.id);
  else refuseCircle(lookup.circleThrough?.(component.id), place, link);
  return { componentId: component.id, func };
}

function findSource(lookup: SourceLookup, place: Place, link: Link): FoundComponent {
  const found = lookup.findComponent(link.component);
  const name = JSON.stringify(link.component);
  if (found === undefined) {
    return refuse(
      "componentNotFound",
      `attributes ${place.pointer}: $source.component: no component of this change set has the id or name ${name}`,
    );
  }
  if (found !== "ambiguous") return found;
  return refuse(
    "duplicateComponentName",
    `attributes ${place.pointer}: $source.component: several components are named ${name}; use the id`,
  );
}

function walk(root: Prop, place: Place, link: Link): Prop {
  let prop = root;
  for (const segment of parsePointer(link.path) ?? []) {
    const next = stepTo(prop, segment);
    if (next === undefined) {
      return refuse(
        prop.kind === "array" ? "invalidRequest" : "notFound",
        `attributes ${place.pointer}: $source.path ${link.path}: expected ${expectedBelow(prop, "read")}, found ${JSON.stringify(segment)}`,
      );
    }
    prop = next;
  }
  return prop;
}

function findFunction(lookup: SourceLookup, place: Place, link: Link): string | undefined {
  if (link.func === undefined || identity.has(link.func)) return undefined;
  const found = lookup.findFunction?.(link.func);
  const at = `attributes ${place.pointer}: $source.func`;
  const name = JSON.stringify(link.func);
  if (found === undefined) {
    return refuse("notFound", `${at}: no transformation function has the id or name ${name}`);
  }
  if (found === "ambiguous") {
    return refuse("invalidRequest", `${at}: several transformation functions are named ${name}; use the id`);
  }
  if (found === "unfit") {
    return refuse(
      "invalidRequest",
      `${at}: expected a transformation function, found ${name}, which takes no subscription's value; make one with POST …/funcs/transformation`,
    );
  }
  return identity.has(found.func) ? undefined : found.func;
}

function refuseCircle(circle: readonly string[] | undefined, place: Place, link: Link): void {
  if (circle === undefined) return;
  refuse(
    "subscriptionCycle",
    `attributes ${place.pointer}: subscribing to ${JSON.stringify(link.component)} would make components wait for each other in a circle: ${circle.join(" → ")}`,
  );
}

/** Follows the component's subscriptions to itself from the source; coming back to the attribute is a circle. */
function refuseOwnCircle(draft: Draft, place: Place, link: Link, componentId: string): void {
  const edges = ownEdges(draft.tree, componentId);
  const target = place.pointer;
  const seen = new Set<string>();
  const open = [link.path];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (overlap(path, target)) {
      refuse(
        "subscriptionCycle",
        `attributes ${target}: expected a source that does not depend on it, found ${link.path} of the same component`,
      );
    }
    if (seen.has(path)) continue;
    seen.add(path);
    for (const edge of edges) if (overlap(path, edge.to)) open.push(edge.from);
  }
}

/** The attributes of a component that read each other in a circle, the first one last again; undefined without one. */
export function ownCircle(settings: Settings, componentId: string): string[] | undefined {
  const edges = ownEdges(plant(settings), componentId);
  const settled = new Set<string>();
  const follow = (path: string, way: readonly string[]): string[] | undefined => {
    for (const { to, from } of edges) {
      if (!overlap(path, to)) continue;
      const start = way.indexOf(to);
      if (start >= 0) return [...way.slice(start), to];
      if (settled.has(to)) continue;
      const circle = follow(from, [...way, to]);
      if (circle !== undefined) return circle;
      settled.add(to);
    }
    return undefined;
  };
  for (const { to } of edges) {
    const circle = follow(to, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/** The component's subscriptions to itself, as pointers; elements of an array by the position they would not have. */
function ownEdges(
  root: Tree<Setting>,
  componentId: string,
): { readonly to: string; readonly from: string }[] {
  const edges: { to: string; from: string }[] = [];
  const visit = (node: Tree<Setting>, pointer: string): void => {
    if (node.value !== undefined && "s" in node.value && node.value.s[0] === componentId) {
      edges.push({ to: pointer, from: node.value.s[1] });
    }
    for (const [position, [segment, child]] of sortedChildren(node).entries()) {
      const name = isElement(segment) ? String(position) : segmentName(segment);
      visit(child, pointer + formatPointer([name]));
    }
  };
  visit(root, "");
  return edges;
}
