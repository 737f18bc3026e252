import type { ValueCopy } from "../domain/definition-copies.ts";
import type { BindingDefinition } from "../domain/functions.ts";
import { intrinsicId } from "../read/intrinsics.ts";
import type { NewEntity } from "../store/entities.ts";
import type { Tx } from "../store/open.ts";
import { bindingEntity } from "./bind-function.ts";

/** The function that passes a value on. */
const identity = intrinsicId("si:identity");

/** Whether a binding is there because the definition of its variant says that one property copies another. */
export const isCopy = ({ kind, funcId, variantId }: BindingDefinition): boolean =>
  kind === "attribute" && funcId === identity && variantId !== null;

/** The bindings that make properties of a variant copy others, as its definition says. */
export const copyBindings = (
  tx: Tx,
  { schemaId, variantId }: { readonly schemaId: string; readonly variantId: string },
  copies: readonly ValueCopy[],
): NewEntity[] =>
  copies.map(({ from, output }) =>
    bindingEntity(tx.store.id(), {
      kind: "attribute",
      schemaId,
      variantId,
      funcId: identity,
      output,
      arguments: [{ name: "identity", kind: "Any", path: from }],
    }),
  );
