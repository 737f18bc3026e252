import type { ActionKind } from "../../src/contract/actions.ts";
import { definitionCode } from "../domain/definition-code.ts";
import { functionKindOf } from "../domain/function-definitions.ts";
import {
  type BindingKind,
  codegenInputs,
  type FunctionArgument,
  qualificationInputs,
} from "../domain/functions.ts";
import { packageSpec } from "../domain/package-export.ts";
import { readPackage } from "../domain/package-spec.ts";
import type { Package, PackageBinding, PackageFunction } from "../domain/packages.ts";
import type { PropDefinition, SecretDefinition } from "../domain/props.ts";

/** A function of a shipped schema. */
export interface ShippedFunction {
  readonly kind: BindingKind;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** TypeScript with a function `main`. */
  readonly code: string;
  /** Actions only. */
  readonly actionKind?: ActionKind;
  /** Attribute functions only: pointer of what it computes, and the pointers of its arguments by name. */
  readonly output?: string;
  readonly arguments?: readonly (FunctionArgument & { readonly path: string })[];
  /** Attribute functions only. */
  readonly returns?: string;
}

/** A schema that comes with the server. Its definition's code is written from its properties. */
export interface ShippedSchema {
  readonly name: string;
  readonly category: string;
  readonly color: string;
  readonly description: string;
  readonly domain: readonly PropDefinition[];
  readonly secrets?: readonly PropDefinition[];
  readonly secretDefinition?: SecretDefinition;
  readonly resourceValue?: readonly PropDefinition[];
  readonly functions: readonly ShippedFunction[];
}

/** A shipped schema as a package in its normal form: as its spec is read. */
export function packageOf(schema: ShippedSchema): Package {
  const { name, category, color, description, secretDefinition } = schema;
  const declared = {
    domain: schema.domain,
    secrets: schema.secrets ?? [],
    ...(secretDefinition === undefined ? {} : { secretDefinition }),
    resourceValue: schema.resourceValue ?? [],
  };
  const asset = definingFunction(name, definitionCode(declared));
  const variant = {
    displayName: name,
    color,
    description,
    link: null,
    assetFunc: asset.key,
    ...declared,
    bindings: schema.functions.map(shippedBinding),
  };
  const pack: Package = {
    name,
    category,
    description,
    functions: [asset, ...schema.functions.map(shippedFunction)],
    variants: [variant],
    defaultVariant: 0,
  };
  return readPackage(packageSpec(pack, { version: "", createdAt: "1970-01-01T00:00:00Z", createdBy: "" }));
}

function definingFunction(schemaName: string, code: string): PackageFunction {
  const name = `define${schemaName.replaceAll(" ", "")}`;
  return {
    key: name,
    name,
    displayName: `Define ${schemaName}`,
    description: null,
    link: null,
    kind: "SchemaVariantDefinition",
    handler: "main",
    code,
    isLocked: true,
    arguments: [],
    isTransformation: false,
  };
}

/** A shipped function as a package carries it, named by its own name. */
export const shippedFunction = (func: ShippedFunction): PackageFunction => ({
  key: func.name,
  name: func.name,
  displayName: func.displayName,
  description: func.description,
  link: null,
  kind: functionKindOf[func.kind],
  handler: "main",
  code: func.code,
  isLocked: true,
  arguments: (func.arguments ?? []).map(({ path: _, ...argument }) => argument),
  isTransformation: false,
  ...(func.kind === "attribute" ? { responseType: func.returns ?? "Unset" } : {}),
});

/** What a shipped function does in its variant. */
export function shippedBinding({ kind, name: func, ...more }: ShippedFunction): PackageBinding {
  if (kind === "action") return { kind, func, actionKind: more.actionKind ?? "Manual" };
  if (kind === "codegen") return { kind, func, inputs: codegenInputs };
  if (kind === "qualification") return { kind, func, inputs: qualificationInputs };
  if (kind !== "attribute") return { kind, func };
  return { kind, func, output: more.output ?? "", arguments: more.arguments ?? [] };
}
