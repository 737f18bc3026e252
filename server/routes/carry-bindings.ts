import { overlap } from "../domain/bindings.ts";
import type { ValueCopy } from "../domain/definition-copies.ts";
import type { Binding } from "../domain/functions.ts";
import type { Prop } from "../domain/props.ts";
import { staysBound } from "../domain/regeneration.ts";
import { createEntities } from "../store/entities.ts";
import { removeEntities } from "../store/entity-removal.ts";
import type { LayerChange } from "../store/layer.ts";
import { bindingEntity } from "./bind-function.ts";
import { copyBindings, isCopy } from "./copy-bindings.ts";

/** A variant that is made anew, and what it is from now on. */
export interface Regeneration {
  readonly schemaId: string;
  readonly variantId: string;
  /** The same where it is made anew in its place. */
  readonly newVariantId: string;
  readonly props: Prop;
  readonly copies: readonly ValueCopy[];
  /** Components that go over to the new one. */
  readonly componentIds: ReadonlySet<string>;
}

/**
 * Carries the bindings of a variant over to what it is from now on, under their ids. Attribute functions whose
 * properties are gone are dropped, those of the components that go over as well; what the definition itself copies is
 * bound anew. In a number of statements that does not grow.
 */
export async function carryBindings(
  change: LayerChange,
  bindings: readonly Binding[],
  { schemaId, variantId, newVariantId, props, copies, componentIds }: Regeneration,
): Promise<void> {
  const own = bindings.filter((binding) => binding.variantId === variantId);
  const kept = own.filter((binding) => !isCopy(binding) && staysBound(binding, props));
  const ofComponents = bindings.filter(
    ({ componentId }) => componentId !== undefined && componentIds.has(componentId),
  );
  const dropped = [
    ...own.filter((binding) => !kept.includes(binding)),
    ...ofComponents.filter((binding) => !own.includes(binding) && !staysBound(binding, props)),
  ];
  await removeEntities(
    change,
    "binding",
    dropped.map(({ id }) => id),
  );
  const moved = kept
    .filter(() => newVariantId !== variantId)
    .map(({ id, func: _, ...binding }) => bindingEntity(id, { ...binding, variantId: newVariantId }));
  // What somebody bound to a property counts before what the definition says of it.
  const free = copies.filter(({ output }) => !kept.some((one) => one.output && overlap(one.output, output)));
  await createEntities(change, [
    ...moved,
    ...copyBindings(change.tx, { schemaId, variantId: newVariantId }, free),
  ]);
}
