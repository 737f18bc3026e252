import type { BindingDefinition, FunctionDefinition } from "./functions.ts";
import type { PropDefinition, SecretDefinition } from "./props.ts";

/** A function of a package; `key` is what its variants name it by. */
export interface PackageFunction extends FunctionDefinition {
  readonly key: string;
}

/** A function at work in a variant of a package. */
export interface PackageBinding
  extends Omit<BindingDefinition, "schemaId" | "variantId" | "funcId" | "componentId"> {
  /** Key of its function. */
  readonly func: string;
}

/** A variant as a package carries it. */
export interface PackageVariant {
  readonly displayName: string;
  readonly color: string;
  readonly description: string | null;
  readonly link: string | null;
  /** Key of the function whose code defines it. */
  readonly assetFunc: string;
  readonly domain: readonly PropDefinition[];
  readonly secrets: readonly PropDefinition[];
  readonly secretDefinition?: SecretDefinition;
  readonly resourceValue: readonly PropDefinition[];
  readonly bindings: readonly PackageBinding[];
}

/** A schema with its functions, as it goes from one workspace to another: all that makes it behave as it does. */
export interface Package {
  readonly name: string;
  readonly category: string;
  readonly description: string | null;
  /** Only those that a variant names. */
  readonly functions: readonly PackageFunction[];
  /** At least one. */
  readonly variants: readonly PackageVariant[];
  /** Position of the default variant. */
  readonly defaultVariant: number;
}

/** The color of a variant whose package says none. */
export const defaultColor = "#000000";
