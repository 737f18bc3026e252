import type { ActionKind } from "../../src/contract/actions.ts";
import type { Binding, BindingDefinition, BindingKind } from "./functions.ts";
import { refuse } from "./refusal.ts";

/** How far a function that is bound reaches. */
export type BindingLevel =
  | { readonly of: "variant"; readonly variantId: string }
  /** All variants of the schema: an overlay. */
  | { readonly of: "schema" }
  | { readonly of: "component"; readonly componentId: string };

/** The variant that functions are bound to, with what its schema says of itself. */
export interface BoundVariant {
  readonly id: string;
  readonly displayName: string;
  readonly isLocked: boolean;
  readonly schema: { readonly id: string; readonly name: string; readonly upstream?: string };
}

/** How a request wants a function bound. */
export interface BindingWish {
  readonly kind: BindingKind;
  readonly skipOverlay: boolean;
  readonly componentId?: string | undefined;
}

/**
 * Where a function that is bound to a variant goes: to the one component that is named; to all variants where the
 * schema comes from a catalogue, unless the request or the kind has none of it; else to the variant, which must be unlocked.
 */
export function levelFor(variant: BoundVariant, wish: BindingWish): BindingLevel {
  if (wish.componentId !== undefined) return { of: "component", componentId: wish.componentId };
  const mayOverlay = wish.kind !== "authentication" && variant.schema.upstream !== undefined;
  if (mayOverlay && !wish.skipOverlay) return { of: "schema" };
  checkUnlocked(variant, mayOverlay ? ", or leave out skipOverlay to bind to all its variants" : "");
  return { of: "variant", variantId: variant.id };
}

/** Refuses a change of what a locked variant itself has. */
export function checkUnlocked(variant: BoundVariant, otherwise = ""): void {
  if (!variant.isLocked) return;
  refuse(
    "variantLocked",
    `the variant ${JSON.stringify(variant.displayName)} is locked: unlock the schema ${JSON.stringify(variant.schema.name)} and use the variant that it answers with${otherwise}`,
  );
}

/** The level of a binding that is there. */
export const levelOf = ({ variantId, componentId }: BindingDefinition): BindingLevel => {
  if (componentId !== undefined) return { of: "component", componentId };
  return variantId === null ? { of: "schema" } : { of: "variant", variantId };
};

/** The bindings of a schema that stand at one level. */
export const atLevel = <B extends BindingDefinition>(bindings: readonly B[], level: BindingLevel): B[] =>
  bindings.filter((binding) => sameLevel(levelOf(binding), level));

function sameLevel(a: BindingLevel, b: BindingLevel): boolean {
  if (a.of === "variant") return b.of === "variant" && a.variantId === b.variantId;
  if (a.of === "component") return b.of === "component" && a.componentId === b.componentId;
  return b.of === "schema";
}

/** What a level is called in a message. */
const places: Readonly<Record<BindingLevel["of"], string>> = {
  variant: "the variant",
  schema: "the overlays of the schema",
  component: "the component",
};

/** Refuses a name that another function has at the same level. */
export function checkFunctionNameFree(bindings: readonly Binding[], level: BindingLevel, name: string): void {
  const other = atLevel(bindings, level).find(({ func }) => func.name === name);
  if (other === undefined) return;
  refuse(
    "duplicateFunctionName",
    `name: ${places[level.of]} has a function ${JSON.stringify(name)} already, of kind ${other.kind}; choose another name, or change that one (${other.func.id})`,
  );
}

const actionKindNames: Readonly<Record<string, ActionKind>> = {
  create: "Create",
  update: "Update",
  refresh: "Refresh",
  destroy: "Destroy",
  manual: "Manual",
};

/** The kind of action that a text names in any letter case, or its refusal. */
export function readActionKind(text: string): ActionKind {
  const wanted = text.toLowerCase();
  const found = Object.hasOwn(actionKindNames, wanted) ? actionKindNames[wanted] : undefined;
  return (
    found ??
    refuse(
      "invalidRequest",
      `kind: expected one of ${Object.values(actionKindNames).join(", ")}, found ${JSON.stringify(text.slice(0, 40))}`,
    )
  );
}

/** Refuses a second action of a kind at a level; there may be any number of Manual ones. */
export function checkActionKindFree(
  bindings: readonly Binding[],
  level: BindingLevel,
  actionKind: ActionKind,
): void {
  if (actionKind === "Manual") return;
  const other = atLevel(bindings, level).find((binding) => binding.actionKind === actionKind);
  if (other === undefined) return;
  refuse(
    "duplicateActionKind",
    `kind: ${places[level.of]} has the ${actionKind} action ${JSON.stringify(other.func.name)} already; detach it first, or change its code (${other.func.id})`,
  );
}

/**
 * The bindings of a function that a request to detach it from a variant is about: the variant's own and those that
 * reach it, of that kind. Throws where there is none, and where the variant's own cannot be changed.
 */
export function bindingsToDetach(
  bindings: readonly Binding[],
  variant: BoundVariant,
  { kind, funcId }: { readonly kind: BindingKind; readonly funcId: string },
): Binding[] {
  const bound = bindings.filter(
    (one) =>
      one.kind === kind && one.funcId === funcId && (one.variantId === null || one.variantId === variant.id),
  );
  if (bound.length === 0) {
    refuse(
      "functionNotFound",
      `no ${kind} function with that id is bound to the variant ${JSON.stringify(variant.displayName)}`,
    );
  }
  if (bound.some((one) => levelOf(one).of === "variant")) checkUnlocked(variant);
  return bound;
}

const ranks: Readonly<Record<BindingLevel["of"], number>> = { variant: 0, schema: 1, component: 2 };

/**
 * The bindings at work in a component of a variant, in ascending order of id: the variant's own, the schema's overlays
 * and the component's. One takes the place of another where only one can be: of two actions of one kind (Manual ones
 * aside), of two codegen functions or qualifications of one name, of two attribute functions of which one's property
 * holds the other's. The component's comes before the overlay, that before the variant's, then the newer one.
 */
export function bindingsFor<B extends Binding>(
  bindings: readonly B[],
  variant: { readonly id: string; readonly schemaId: string },
  componentId?: string,
): B[] {
  const reaching = bindings.filter(
    (binding) =>
      binding.schemaId === variant.schemaId &&
      (binding.variantId === null || binding.variantId === variant.id) &&
      (binding.componentId === undefined || binding.componentId === componentId),
  );
  const byRank = [...reaching].sort(
    (a, b) => ranks[levelOf(b).of] - ranks[levelOf(a).of] || (a.id < b.id ? 1 : -1),
  );
  const kept = new Set<B>();
  const slots = new Set<string>();
  const outputs: string[] = [];
  for (const binding of byRank) {
    const slot = slotOf(binding);
    if (slot !== undefined && slots.has(slot)) continue;
    const { output } = binding;
    if (output !== undefined && outputs.some((other) => overlap(other, output))) continue;
    if (slot !== undefined) slots.add(slot);
    if (output !== undefined) outputs.push(output);
    kept.add(binding);
  }
  return reaching.filter((binding) => kept.has(binding)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What only one binding can have in a component. */
function slotOf(binding: Binding): string | undefined {
  if (binding.kind === "action") {
    return binding.actionKind === "Manual" ? undefined : `action ${binding.actionKind}`;
  }
  const isNamed = binding.kind === "codegen" || binding.kind === "qualification";
  return isNamed ? `${binding.kind} ${binding.func.name}` : undefined;
}

/** Whether two pointers name one place, or one holds the other. */
export const overlap = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
