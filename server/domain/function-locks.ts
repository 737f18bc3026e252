import { levelOf } from "./bindings.ts";
import type { Binding, StoredFunction } from "./functions.ts";
import { refuse } from "./refusal.ts";

/** Kinds of functions that may be changed while they are locked, as long as no variant itself has them. */
const free: ReadonlySet<string> = new Set([
  "Action",
  "Attribute",
  "CodeGeneration",
  "Management",
  "Qualification",
]);

/** Those of a function's bindings that belong to a variant itself, not to its schema or one component. */
const ofVariants = (bindings: readonly Binding[]): Binding[] =>
  bindings.filter((binding) => levelOf(binding).of === "variant");

/**
 * Refuses a change of a locked function that is bound to a variant; an overlay, one for a component alone, and one
 * that nothing is bound to are changed as they are.
 */
export function checkChangeable(func: StoredFunction, bindings: readonly Binding[]): void {
  if (func.kind === "Intrinsic") {
    refuse(
      "functionLocked",
      `the function ${JSON.stringify(func.name)} belongs to every workspace and cannot be changed`,
    );
  }
  if (!func.isLocked || (free.has(func.kind) && ofVariants(bindings).length === 0)) return;
  refuse(
    "functionLocked",
    func.kind === "SchemaVariantDefinition"
      ? `the function ${JSON.stringify(func.name)} is the definition of a locked variant: unlock its schema and change the variant that it answers with`
      : `the function ${JSON.stringify(func.name)} is locked: unlock its schema, then the function for the variant that it answers with, and change the one that is answered`,
  );
}

/** What to do to give an unlocked variant a function of its own. */
export type Unlocking =
  /** It is there. */
  | { readonly does: "nothing"; readonly funcId: string }
  /** No variant itself has it. */
  | { readonly does: "unlock" }
  /** These bindings get a copy. */
  | { readonly does: "copy"; readonly bindings: readonly Binding[] };

/** Decides it; `bindings` are all of its schema, and all of the function wherever they are. */
export function unlockingFor(
  func: StoredFunction,
  variantId: string,
  bindings: { readonly ofSchema: readonly Binding[]; readonly ofFunction: readonly Binding[] },
): Unlocking {
  if (func.kind === "Intrinsic") checkChangeable(func, []);
  if (!func.isLocked) return { does: "nothing", funcId: func.id };
  const own = bindings.ofFunction.filter((binding) => binding.variantId === variantId);
  if (own.length > 0) return { does: "copy", bindings: own };
  // The variant was given a copy before: names are unique there.
  const copy = bindings.ofSchema.find(
    (binding) =>
      binding.variantId === variantId &&
      binding.func.name === func.name &&
      binding.func.kind === func.kind &&
      !binding.func.isLocked,
  );
  if (copy !== undefined) return { does: "nothing", funcId: copy.funcId };
  if (free.has(func.kind) && ofVariants(bindings.ofFunction).length === 0) return { does: "unlock" };
  return refuse(
    "invalidRequest",
    `schemaVariantId: expected a variant that the function ${JSON.stringify(func.name)} is bound to, found one that has no part in it`,
  );
}
