import type { ComponentReference } from "../../src/contract/component-shapes.ts";
import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { getComponent, getComponentNamed } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import type { Rules } from "./rules.ts";

/**
 * The component that a request names by exactly one of name and id; `at` says where. Throws `invalidRequest`,
 * `componentNotFound`, and `duplicateComponentName` for a name that several have.
 */
export function getReferenced(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  { component: name, componentId }: ComponentReference,
  at: string,
): Promise<ShownComponent> {
  if (name !== undefined && componentId === undefined) return getComponentNamed(reads, rules, layer, name);
  if (componentId !== undefined && name === undefined) {
    if (looksLikeUlid(componentId)) return getComponent(reads, rules, layer, componentId.toUpperCase());
    fail("componentNotFound", `${at}: no component has the id ${JSON.stringify(componentId.slice(0, 100))}`);
  }
  const found = name === undefined ? "neither" : "both";
  return fail(
    "invalidRequest",
    `${at}: expected component (a name) or componentId, one of the two, found ${found}`,
  );
}
