import { assetFunction } from "../domain/asset-functions.ts";
import { definitionCode } from "../domain/definition-code.ts";
import type { FunctionDefinition } from "../domain/functions.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { findFunctions } from "./functions.ts";
import type { Variant } from "./variants.ts";

/** The function that defines a variant; one that has none, because it came as data, is given one of the same meaning. */
export async function assetFunctionOf(
  reads: Reads,
  layer: Layer,
  variant: Variant,
): Promise<FunctionDefinition & { readonly id: string | undefined }> {
  const { assetFuncId } = variant;
  const known =
    assetFuncId === undefined
      ? undefined
      : (await findFunctions(reads, layer, [assetFuncId])).get(assetFuncId);
  if (known !== undefined) return known;
  const { isLocked, version = "" } = variant;
  const code = definitionCode(variant);
  return { ...assetFunction(variant.schema.name, { code, version, isLocked }), id: undefined };
}
