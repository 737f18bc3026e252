import type { Binding } from "../domain/functions.ts";
import type { Vals } from "../domain/values.ts";
import { transformationsOf } from "../read/drive.ts";
import type { RunPair } from "../store/func-run-reads.ts";
import type { Definition } from "../store/rules.ts";
import { validationFunction } from "./validation.ts";

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
