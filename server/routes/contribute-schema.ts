import { fail } from "../../src/contract/errors.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { versionAt } from "../domain/asset-functions.ts";
import { bindingsFor } from "../domain/bindings.ts";
import type { Binding, FunctionDefinition } from "../domain/functions.ts";
import { packageSpec } from "../domain/package-export.ts";
import { readPackage } from "../domain/package-spec.ts";
import type { Package, PackageBinding, PackageFunction } from "../domain/packages.ts";
import { refuse } from "../domain/refusal.ts";
import { assetFunctionOf } from "../read/asset-functions.ts";
import { packageHash } from "../read/catalogue.ts";
import { bindingsOfSchemas } from "../read/functions.ts";
import { findSchema } from "../read/schemas.ts";
import { getVariant, type Variant } from "../read/variants.ts";
import { contribute } from "../store/catalogue.ts";
import type { Writing } from "./change-component.ts";

/** Who contributes, from which change set. */
export interface Contributing extends Writing {
  readonly clock: Clock;
  /** As it stands in the package: an e-mail address. */
  readonly author: string;
}

/**
 * Puts the default variant of a schema, as the change set shows it, into the catalogue of this server. Throws
 * `schemaNotFound`, and `contributionRefused` for the head, an unlocked variant and a schema that came from a catalogue.
 */
export async function contributeSchema(contributing: Contributing, schemaId: string): Promise<void> {
  const { store, layer, variants: cache, actor, author, clock } = contributing;
  const schema = (await findSchema(store, layer, schemaId)) ?? fail("schemaNotFound");
  const called = JSON.stringify(schema.name);
  const no = (problem: string): never => refuse("contributionRefused", problem);
  if (layer.id === layer.headId)
    no(`${called} cannot be contributed from the head: use a change set that shows it`);
  if (schema.upstream !== undefined)
    no(`${called} was installed from the catalogue: contribute a schema that was made here`);
  const variant = await getVariant(store, cache, layer, schema.defaultVariantId);
  if (!variant.isLocked)
    no(`the default variant of ${called} is not locked: apply the change set that it was made in first`);
  const asset = await assetFunctionOf(store, layer, variant);
  const bindings = bindingsFor(await bindingsOfSchemas(store, layer, [schema.id]), variant);
  const pack = packageFrom(variant, asset, bindings);
  const now = clock.now();
  const stamp = {
    version: versionAt(now),
    createdAt: new Date(now).toISOString(),
    createdBy: author,
  };
  const spec = packageSpec(pack, stamp);
  // What cannot be read back must not get into the catalogue.
  readPackage(spec);
  const { workspaceId, id: changeSetId } = layer;
  const contribution = {
    schema_id: schema.id,
    name: schema.name,
    category: pack.category,
    hash: packageHash(pack),
    spec: JSON.stringify(spec),
  };
  const event = { kind: "schema.contributed", subject: schema.id, data: { name: schema.name } } as const;
  await contribute(store, contribution, { ...event, actor, workspaceId, changeSetId });
}

/** A variant with the functions at work in its components as a package. */
function packageFrom(variant: Variant, asset: FunctionDefinition, bindings: readonly Binding[]): Package {
  const { id: _id, schema, props: _props, schemaId: _schema, isLocked: _, version: __, ...rest } = variant;
  const { category, assetFuncId = "definition", ...declared } = rest;
  const functions = new Map<string, PackageFunction>([[assetFuncId, functionOf(assetFuncId, asset)]]);
  for (const { func } of bindings) functions.set(keyOf(func), functionOf(keyOf(func), func));
  return {
    name: schema.name,
    category,
    description: schema.description ?? null,
    functions: [...functions.values()],
    variants: [
      {
        ...declared,
        description: declared.description ?? null,
        link: declared.link ?? null,
        assetFunc: assetFuncId,
        bindings: bindings.map(bindingOf),
      },
    ],
    defaultVariant: 0,
  };
}

/** Functions that every workspace has go by their name, all others by their id. */
const keyOf = ({ id, name, kind }: Binding["func"]): string => (kind === "Intrinsic" ? name : id);

function functionOf(key: string, func: FunctionDefinition): PackageFunction {
  const { name, displayName, description, link, kind, handler, code, isTransformation } = func;
  const { responseType } = func;
  return {
    key,
    name,
    displayName,
    description,
    link,
    kind,
    handler,
    code,
    isLocked: true,
    arguments: func.arguments,
    isTransformation,
    ...(responseType === undefined ? {} : { responseType }),
  };
}

function bindingOf(binding: Binding): PackageBinding {
  const { kind, func, actionKind, output, inputs } = binding;
  return {
    kind,
    func: keyOf(func),
    ...(actionKind === undefined ? {} : { actionKind }),
    ...(output === undefined ? {} : { output }),
    ...(binding.arguments === undefined ? {} : { arguments: binding.arguments }),
    ...(inputs === undefined ? {} : { inputs }),
  };
}
