import type { Binding, BindingKind } from "../domain/functions.ts";
import type { Definition } from "../store/rules.ts";

const valueKinds: readonly BindingKind[] = ["attribute", "codegen", "qualification"];

/** Whether what is bound makes values. */
export const makesValues = ({ kind }: Binding): boolean => valueKinds.includes(kind);

/** The ids of the functions that a component's subscriptions go through. */
export const transformationsOf = ({ settings }: Pick<Definition, "settings">): string[] =>
  Object.values(settings).flatMap((setting) =>
    "s" in setting && setting.f !== undefined ? [setting.f] : [],
  );

/** Tells components that functions make values of: by what is bound, by formats, by what they subscribe through. */
export function driveOf(
  bindings: readonly Binding[],
  judged: ReadonlySet<string>,
): (component: Omit<Definition, "id">) => boolean {
  const schemas = new Set(bindings.map(({ schemaId }) => schemaId));
  return (component) =>
    schemas.has(component.schemaId) ||
    judged.has(component.variantId) ||
    transformationsOf(component).length > 0;
}
