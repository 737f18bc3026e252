import { type ArgumentWish, checkOutputFree, readArguments, readOutput } from "./attribute-bindings.ts";
import { checkCircle } from "./binding-circles.ts";
import {
  atLevel,
  type BindingLevel,
  type BoundVariant,
  bindingsFor,
  checkActionKindFree,
  checkFunctionNameFree,
  levelFor,
  readActionKind,
} from "./bindings.ts";
import { defineFunction, type FunctionWishes, functionKindOf } from "./function-definitions.ts";
import {
  type Binding,
  type BindingDefinition,
  type BindingKind,
  codegenInputs,
  type FunctionArgument,
  type FunctionDefinition,
  qualificationInputs,
} from "./functions.ts";
import type { Prop } from "./props.ts";

/** What a request to make and bind a function says. */
export interface BindingRequest extends FunctionWishes {
  readonly kind: BindingKind;
  readonly skipOverlay?: boolean | null | undefined;
  /** Actions only. */
  readonly actionKind?: string;
  /** Attribute functions only. */
  readonly attribute?: {
    readonly propId: string;
    readonly argumentBindings: readonly ArgumentWish[];
    readonly componentId?: string | undefined;
  };
}

/** What comes of such a request. */
export interface BindingPlan {
  readonly level: BindingLevel;
  readonly func: FunctionDefinition;
  readonly binding: Omit<BindingDefinition, "funcId">;
  /** Bindings that make way for it. */
  readonly replaced: readonly Binding[];
}

/** Decides what a new function is and where it goes among the bindings of its schema, or throws why it cannot. */
export function planBinding(
  variant: BoundVariant & { readonly props: Prop },
  bindings: readonly Binding[],
  request: BindingRequest,
): BindingPlan {
  const { kind, attribute } = request;
  const level = levelFor(variant, {
    kind,
    skipOverlay: request.skipOverlay === true,
    componentId: attribute?.componentId,
  });
  const actionKind = request.actionKind === undefined ? undefined : readActionKind(request.actionKind);
  const bound = attribute && readArguments(variant.props, attribute.argumentBindings);
  const output = attribute && readOutput(variant.props, attribute.propId);
  const inputs = leafInputs[kind];
  const func = defineFunction(functionKindOf[kind], request, {
    arguments: bound?.map(declared) ?? (inputs ?? []).map((name) => ({ name, kind: "Object" })),
  });
  checkFunctionNameFree(bindings, level, func.name);
  if (actionKind !== undefined) checkActionKindFree(bindings, level, actionKind);
  const peers = atLevel(bindings, level);
  const replaced = peers.filter((one) => output !== undefined && one.output === output);
  const binding = {
    kind,
    schemaId: variant.schema.id,
    variantId: level.of === "variant" ? level.variantId : null,
    ...(level.of === "component" ? { componentId: level.componentId } : {}),
    ...(actionKind === undefined ? {} : { actionKind }),
    ...(output === undefined ? {} : { output }),
    ...(bound === undefined ? {} : { arguments: bound }),
    ...(inputs === undefined ? {} : { inputs }),
  };
  const staying = bindings.filter((one) => !replaced.includes(one));
  if (output !== undefined) checkOutputFree(output, atLevel(staying, level));
  const at = { id: variant.id, schemaId: variant.schema.id };
  checkCircle(bindingsFor(staying, at, attribute?.componentId), { ...binding, func });
  return { level, func, binding, replaced };
}

const leafInputs: Partial<Readonly<Record<BindingKind, readonly string[]>>> = {
  codegen: codegenInputs,
  qualification: qualificationInputs,
};

const declared = ({ name, kind, elementKind }: FunctionArgument): FunctionArgument => ({
  name,
  kind,
  ...(elementKind === undefined ? {} : { elementKind }),
});
