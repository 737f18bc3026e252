import type { Binding, BindingKind } from "../domain/functions.ts";
import type { Vals } from "../domain/values.ts";
import type { RunPair } from "../store/func-run-reads.ts";
import type { Definition } from "../store/rules.ts";
import { validationFunction } from "./validation.ts";

const valueKinds: readonly BindingKind[] = ["attribute", "codegen", "qualification"];

/** Whether what is bound makes values. */
export const makesValues = ({ kind }: Binding): boolean => valueKinds.includes(kind);

/** The ids of the functions that a component's subscriptions go through. */
export const transformationsOf = ({ settings }: Definition): string[] =>
  Object.values(settings).flatMap((setting) =>
    "s" in setting && setting.f !== undefined ? [setting.f] : [],
  );

/** Tells components that functions make values of: by what is bound, by formats, by what they subscribe through. */
export function driveOf(
  bindings: readonly Binding[],
  judged: ReadonlySet<string>,
): (component: Definition) => boolean {
  const schemas = new Set(bindings.map(({ schemaId }) => schemaId));
  return (component) =>
    schemas.has(component.schemaId) ||
    judged.has(component.variantId) ||
    transformationsOf(component).length > 0;
}

/** The functions whose last runs on a component are of use. */
export const pairsOf = (
  component: Definition,
  bindings: readonly Binding[],
  judged: ReadonlySet<string>,
): RunPair[] =>
  [
    ...bindings.map(({ func }) => func.id),
    ...transformationsOf(component),
    ...(judged.has(component.variantId) ? [validationFunction.id] : []),
  ].map((funcId) => ({ componentId: component.id, funcId }));

/** Whether a component is given secrets. */
export const hasSecrets = ({ settings }: Definition): boolean =>
  Object.keys(settings).some((key) => key.startsWith("/secrets/"));

/** The name that values give a component; empty without one. */
export const nameIn = (vals: Vals): string => {
  const name = vals["/si/name"];
  return typeof name === "string" ? name : "";
};
