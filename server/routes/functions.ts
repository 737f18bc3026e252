import { fail } from "../../src/contract/errors.ts";
import type { FunctionView } from "../../src/contract/functions.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import type { StoredFunction } from "../domain/functions.ts";
import { findFunction } from "../read/functions.ts";
import { writingOf } from "./change-component.ts";
import { createTransformation, unlockFunction, updateFunction } from "./change-function.ts";

/** Handlers of the rows in `src/contract/functions.ts`. */
export const functionHandlers: GroupHandlers<typeof api.functions, Context> = {
  createTransformation: async ({ body }, context) => ({
    funcId: await createTransformation(writingOf(context), body),
  }),
  get: async ({ funcId }, context) => {
    const found = await findFunction(context.server.store, layerOf(context), funcId.toUpperCase());
    return functionView(found ?? fail("functionNotFound"));
  },
  update: async ({ funcId, body }, context) => {
    await updateFunction(writingOf(context), funcId.toUpperCase(), body);
    return { success: true };
  },
  unlock: async ({ funcId, body }, context) => ({
    unlockedFuncId: await unlockFunction(writingOf(context), funcId.toUpperCase(), body.schemaVariantId),
  }),
};

const functionView = (func: StoredFunction): FunctionView => ({
  name: func.name,
  kind: func.kind,
  code: func.code,
  isLocked: func.isLocked,
  description: func.description,
  displayName: func.displayName,
  link: func.link,
});
