import type { ActionKind } from "../../src/contract/actions.ts";
import type { FunctionKind } from "../../src/contract/functions.ts";
import type { Json } from "./json.ts";

/** One argument of a function as it is declared; kinds describe, values are not judged by them. */
export interface FunctionArgument {
  readonly name: string;
  readonly kind: string;
  /** What an `Array` holds. */
  readonly elementKind?: string;
}

/** Body of an entity of kind `func`: a user's function, or the code that defines a variant. */
export interface FunctionDefinition {
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly link: string | null;
  readonly kind: FunctionKind;
  /** Name of the function to call inside `code`. */
  readonly handler: string;
  /** TypeScript as its author wrote it. */
  readonly code: string;
  readonly isLocked: boolean;
  readonly arguments: readonly FunctionArgument[];
  /** Takes the value of a subscription as `input` and returns what the subscriber gets. */
  readonly isTransformation: boolean;
  /** What an attribute function is declared to return, such as `Unset` or `String`; see `runKinds`. */
  readonly responseType?: string;
}

/** A function with its id. */
export interface StoredFunction extends FunctionDefinition {
  readonly id: string;
}

/** What a binding makes of its function. */
export const bindingKinds = [
  "action",
  "attribute",
  "authentication",
  "codegen",
  "management",
  "qualification",
] as const;
export type BindingKind = (typeof bindingKinds)[number];

/** Where one argument of an attribute function comes from: a property of the same component, else a fixed value. */
export interface BoundArgument extends FunctionArgument {
  /** Pointer of a property, such as `/domain/region`. */
  readonly path?: string;
  readonly value?: Json;
}

/**
 * Body of an entity of kind `binding`, whose id is the prototype's and whose name is the schema's id: one function at
 * work in a variant, in all variants of a schema (an overlay), or in one component.
 */
export interface BindingDefinition {
  readonly kind: BindingKind;
  readonly schemaId: string;
  /** Null for an overlay. */
  readonly variantId: string | null;
  readonly funcId: string;
  /** Actions only. */
  readonly actionKind?: ActionKind;
  /** Attribute functions only: the one component it is for; absent means all of the variant's. */
  readonly componentId?: string;
  /** Attribute functions only: pointer of the property that takes the result, none of them inside an array or a map. */
  readonly output?: string;
  /** Attribute functions only. */
  readonly arguments?: readonly BoundArgument[];
  /** Codegen and qualification only: the members of the component that the function is given. */
  readonly inputs?: readonly string[];
}

/** A binding with its id and its function. */
export interface Binding extends BindingDefinition {
  readonly id: string;
  readonly func: StoredFunction;
}

/** What a codegen function is given unless its binding says otherwise. */
export const codegenInputs = ["domain"] as const;

/** What a qualification is given unless its binding says otherwise. */
export const qualificationInputs = ["domain", "code", "resource", "secrets"] as const;
