import type { JsonObject } from "../../../server/domain/json.ts";
import { type Settings, sourcesOf } from "../../../server/domain/overlay.ts";
import type { ReadValue, Vals } from "../../../server/domain/values.ts";
import { listEntities } from "../../../server/store/entities.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import type { FunctionRules } from "../../../server/store/rules.ts";
import { lossyRules, lossyValues, madeKey } from "./model.ts";

/** A function that multiplies, or one that is at work in a variant, in all of them where it names none. */
export type ModelDefinition =
  | { readonly kind: "func"; readonly n: number }
  | { readonly kind: "binding"; readonly variantId: string | null; readonly funcId: string };

/** What a layer shows of definitions, by id. */
export type ModelDefinitions = ReadonlyMap<string, ModelDefinition>;

const factorOf = (definitions: ModelDefinitions, funcId: string | undefined): number | undefined => {
  const found = funcId === undefined ? undefined : definitions.get(funcId);
  return found?.kind === "func" ? found.n : undefined;
};

/** The functions at work in a variant, in the order of their bindings. */
const factorsOf = (definitions: ModelDefinitions, variantId: string): number[] =>
  [...definitions]
    .sort(byId)
    .flatMap(([, one]) =>
      one.kind === "binding" && (one.variantId === null || one.variantId === variantId)
        ? [factorOf(definitions, one.funcId) ?? 0]
        : [],
    );

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** The values of a component with what functions make; as lossy as those without. */
export function modelValues(
  { settings, variantId }: { readonly settings: Settings; readonly variantId: string },
  read: ReadValue,
  definitions: ModelDefinitions,
): Vals {
  const through: ReadValue = (source, path, funcId) => {
    const value = read(source, path);
    if (funcId === undefined || value === undefined) return value;
    const n = factorOf(definitions, funcId);
    return n === undefined ? undefined : (Number(value) * n) % 3;
  };
  const factors = factorsOf(definitions, variantId);
  const base = lossyValues(settings, through, variantId);
  const [a, out] = [Number(base["/domain/a"] ?? 0), Number(base["/domain/out"] ?? 0)];
  // One may hide what another does, so that a change shows only where something else changed too.
  const made = factors.reduce((before, n) => (before * n + a + out) % 3, 1);
  return factors.length === 0 ? base : lossyValues(settings, through, variantId, made);
}

/** The rules of a store in which nothing is computed again that is what it will be. */
export const economicalRules = (store: Store): typeof lossyRules => ({
  ...lossyRules,
  finality: async (layer) => {
    const definitions = await definitionsOf(store, layer);
    return ({ variantId, settings }, vals) =>
      sourcesOf(settings).length === 0 &&
      factorsOf(definitions, variantId).length === 0 &&
      vals[madeKey] === undefined;
  },
});

/** The same as the store is given it: what is at work is read from the layer, and takes a while. */
export const modelFunctions = (store: Store): FunctionRules => ({
  prepare: async (layer) => {
    const definitions = await definitionsOf(store, layer);
    return {
      drive: ({ variantId, settings }) =>
        factorsOf(definitions, variantId).length > 0 ||
        Object.values(settings).some((setting) => "s" in setting && setting.f !== undefined),
      compute: async (components, others) => {
        await new Promise((resolve) => setImmediate(resolve));
        return new Map(components.map((one) => [one.id, modelValues(one, others.read, definitions)]));
      },
    };
  },
});

async function definitionsOf(store: Store, layer: Layer): Promise<ModelDefinitions> {
  const found = await listEntities(store, lossyRules, layer, { kind: ["binding", "func"] });
  return new Map(found.map(({ id, kind, body }) => [id, read(kind, body)]));
}

function read(kind: string, body: JsonObject): ModelDefinition {
  if (kind === "func") return { kind: "func", n: Number(body["n"]) };
  const variantId = body["variantId"];
  return {
    kind: "binding",
    variantId: typeof variantId === "string" ? variantId : null,
    funcId: String(body["funcId"]),
  };
}

/** The body that a definition is stored with: what the store looks into is there. */
export const bodyOf = (definition: ModelDefinition): JsonObject =>
  definition.kind === "func"
    ? { n: definition.n }
    : {
        kind: "attribute",
        schemaId: "schema",
        variantId: definition.variantId,
        funcId: definition.funcId,
      };
