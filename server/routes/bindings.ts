import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";
import type { BindingKind } from "../domain/functions.ts";
import type { VariantAddress } from "../read/schema-variants.ts";
import { bindFunction, detachFunction } from "./bind-function.ts";
import { writingOf } from "./change-component.ts";

/** Handlers of the rows in `src/contract/bindings.ts`. */
export const bindingHandlers: GroupHandlers<typeof api.bindings, Context> = {
  createAction: async ({ body: { kind: actionKind, ...body }, ...address }, context) => {
    const request = { ...body, kind: "action", actionKind } as const;
    return answer(await bindFunction(writingOf(context), address, request));
  },
  createAttribute: async ({ body, ...address }, context) => {
    const { propId, argumentBindings, componentId } = body;
    const attribute = { propId, argumentBindings, componentId: componentId ?? undefined };
    const request = { ...body, kind: "attribute", attribute } as const;
    const { funcId, prototypeId } = await bindFunction(writingOf(context), address, request);
    return { attributePrototypeId: prototypeId, funcId };
  },
  createAuthentication: async ({ body, ...address }, context) =>
    answer(await bindFunction(writingOf(context), address, { ...body, kind: "authentication" })),
  createCodegen: async ({ body, ...address }, context) =>
    answer(await bindFunction(writingOf(context), address, { ...body, kind: "codegen" })),
  createManagement: async ({ body, ...address }, context) =>
    answer(await bindFunction(writingOf(context), address, { ...body, kind: "management" })),
  createQualification: async ({ body, ...address }, context) =>
    answer(await bindFunction(writingOf(context), address, { ...body, kind: "qualification" })),
  deleteAction: (input, context) => detach("action", input, context),
  deleteAttribute: (input, context) => detach("attribute", input, context),
  deleteAuthentication: (input, context) => detach("authentication", input, context),
  deleteCodegen: (input, context) => detach("codegen", input, context),
  deleteManagement: (input, context) => detach("management", input, context),
  deleteQualification: (input, context) => detach("qualification", input, context),
};

const answer = ({ funcId }: { readonly funcId: string }): { funcId: string } => ({ funcId });

async function detach(
  kind: BindingKind,
  { funcId, ...address }: VariantAddress & { readonly funcId: string },
  context: Context,
): Promise<{ success: boolean }> {
  await detachFunction(writingOf(context), address, { kind, funcId });
  return { success: true };
}
