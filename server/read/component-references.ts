import type { ComponentReference } from "../../src/contract/component-shapes.ts";
import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { getComponent, getComponentNamed } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import type { Rules } from "./rules.ts";

/** Refuses a reference that does not name its component by exactly one of name and id; `at` says where it stands. */
export function checkReference(reference: ComponentReference, at: string): void {
  const { component, componentId } = reference;
  if ((component === undefined) !== (componentId === undefined)) return;
  fail(
    "invalidRequest",
    `${at}: expected component (a name) or componentId, one of the two, found ${component === undefined ? "neither" : "both"}`,
  );
}

/**
 * The component that a reference names. Throws as {@link checkReference} does, `componentNotFound`, and
 * `duplicateComponentName` for a name that several have.
 */
export function getReferenced(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  reference: ComponentReference,
  at: string,
): Promise<ShownComponent> {
  checkReference(reference, at);
  const { component: name, componentId = "" } = reference;
  if (name !== undefined) return getComponentNamed(reads, rules, layer, name);
  if (looksLikeUlid(componentId)) return getComponent(reads, rules, layer, componentId.toUpperCase());
  return fail(
    "componentNotFound",
    `${at}: no component has the id ${JSON.stringify(componentId.slice(0, 100))}`,
  );
}
