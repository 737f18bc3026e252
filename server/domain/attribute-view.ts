import type { Json } from "./json.ts";
import type { Setting, Settings } from "./overlay.ts";
import { formatPointer, nameSegment, segmentName } from "./pointers.ts";
import { fits, type Prop } from "./props.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";

/**
 * The `attributes` of a component: pointer → what is set there, in the schema's order. Defaults, explicit unsets and
 * what is hidden below a subscription are not in it, nor the secret that a component holds. Sent back as it is, it
 * changes nothing. A subscription to a component that is not there (`exists` says so) counts as unset, and so does a
 * literal of another kind than its property's, which only an upgrade beside an edit can leave.
 */
export function showAttributes(
  root: Prop,
  settings: Settings,
  exists: (componentId: string) => boolean = () => true,
): Readonly<Record<string, Json>> {
  const shown: [string, Json][] = [];
  const visit = (prop: Prop, node: Tree<Setting> | undefined, pointer: string): void => {
    if (node === undefined) return;
    const setting = node.value;
    if (setting !== undefined && "s" in setting) {
      const [component, path] = setting.s;
      const func = setting.f === undefined ? {} : { func: setting.f };
      if (exists(component)) shown.push([pointer, { $source: { component, path, ...func } }]);
      return;
    }
    const inner = childrenOf(prop, node);
    for (const [child, below, name] of inner) visit(child, below, pointer + formatPointer([name]));
    // A container's own setting only says that it is there; what it holds says so too.
    if (setting === undefined || !("v" in setting) || inner.length > 0) return;
    if (fits(prop, setting.v) && !pointer.startsWith("/secrets/")) shown.push([pointer, setting.v]);
  };
  visit(root, plant(settings), "");
  return Object.fromEntries(shown);
}

/** What settings hold below a property, each with the name that a pointer uses. */
function childrenOf(prop: Prop, node: Tree<Setting>): [Prop, Tree<Setting>, string][] {
  const entry = prop.entry;
  if (prop.kind === "object") {
    return [...prop.children.values()].flatMap((member): [Prop, Tree<Setting>, string][] => {
      const child = node.children.get(nameSegment(member.name));
      return child === undefined ? [] : [[member, child, member.name]];
    });
  }
  if (entry === undefined || (prop.kind !== "array" && prop.kind !== "map")) return [];
  return elementsOf(node, prop.kind).map(([segment, element], position) => [
    entry,
    element,
    prop.kind === "array" ? String(position) : segmentName(segment),
  ]);
}
