import type { GetSchemaVariantResponse, PropSchema, SchemaVariantFunc } from "../../src/contract/schemas.ts";
import { levelOf } from "../domain/bindings.ts";
import type { Binding } from "../domain/functions.ts";
import { managementKindOf } from "../domain/management-kinds.ts";
import type { Prop } from "../domain/props.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { bindingsOfSchemas } from "./functions.ts";
import type { Variant } from "./variants.ts";

/** A variant as the API shows it, with the functions at work in all of its components; two statements. */
export async function variantView(
  reads: Reads,
  layer: Layer,
  variant: Variant,
): Promise<GetSchemaVariantResponse> {
  const bindings = await bindingsOfSchemas(reads, layer, [variant.schemaId]);
  return {
    ...plainVariantView(variant),
    variantFuncIds: functionIds(variant, bindings),
    variantFuncs: boundTo(variant, bindings).map(boundFunction),
  };
}

/** A variant without its functions. */
export function plainVariantView(
  variant: Variant,
): Omit<GetSchemaVariantResponse, "variantFuncIds" | "variantFuncs"> {
  const { id, displayName, category, color, isLocked, schema } = variant;
  const domain = variant.props.children.get("domain");
  return {
    variantId: id,
    displayName,
    category,
    color,
    isLocked,
    // Absent from a body once a patch has cleared them.
    description: variant.description ?? null,
    link: variant.link ?? null,
    // Variants of older versions of this software have none.
    assetFuncId: variant.assetFuncId ?? "",
    isDefaultVariant: schema.defaultVariantId === id,
    installedFromUpstream: schema.upstream !== undefined,
    domainProps: domain === undefined ? null : propSchema(domain),
  };
}

/** A property with everything below it as the API shows it. */
export function propSchema(prop: Prop): PropSchema {
  const { definition, entry, children } = prop;
  const below = prop.kind === "object" ? [...children.values()] : entry && [entry];
  return {
    propId: prop.id,
    name: prop.name,
    propType: prop.kind,
    description: definition.description ?? null,
    children: below?.map(propSchema) ?? null,
    validationFormat: definition.validationFormat ?? null,
    defaultValue: definition.defaultValue ?? null,
    hidden: definition.hidden ?? false,
    docLink: definition.docLink ?? null,
  };
}

/** The variant's own bindings and the overlays of its schema, each function of a kind once. */
function boundTo(variant: Variant, bindings: readonly Binding[]): Binding[] {
  const seen = new Set<string>();
  return bindings.filter((binding) => {
    const level = levelOf(binding);
    const isHere = level.of === "schema" || (level.of === "variant" && level.variantId === variant.id);
    const key = `${binding.funcId} ${binding.kind} ${binding.actionKind ?? ""} ${level.of}`;
    if (!isHere || binding.func.kind === "Intrinsic" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const boundFunction = (binding: Binding): SchemaVariantFunc => ({
  id: binding.funcId,
  funcKind: functionKind(binding),
  isOverlay: levelOf(binding).of === "schema",
});

function functionKind({ kind, actionKind = "Manual", func }: Binding): SchemaVariantFunc["funcKind"] {
  if (kind === "action") return { kind, actionKind };
  if (kind === "management") return { kind, managementFuncKind: managementKindOf(func) };
  return { kind: "other", funcKind: func.kind };
}

/** Ids of the variant's own functions in ascending order, then those of overlays. */
function functionIds(variant: Variant, bindings: readonly Binding[]): string[] {
  const idsAt = (of: "variant" | "schema"): string[] =>
    bindings
      .filter(
        (binding) => levelOf(binding).of === of && (of === "schema" || binding.variantId === variant.id),
      )
      .map(({ funcId }) => funcId)
      .sort();
  return [...new Set([...idsAt("variant"), ...idsAt("schema")])];
}
