import { fail } from "../../src/contract/errors.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { Problem } from "../../src/lib/problem.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { rotateSecretKey } from "../auth/rotate-secret-key.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import type { OperatorContext } from "./context.ts";

/** Handlers of `svc server rotate-secret-key`. */
export const secretKeyHandlers: GroupHandlers<OperatorApi["secretKey"], OperatorContext> = {
  rotate: async (_input, { store, keys }) => rotateSecretKey(store, await here(keys())),
};

/** A key that cannot be read is the operator's to mend: the reason is theirs to see. */
async function here(keys: Promise<ServerKeys>): Promise<ServerKeys> {
  try {
    return await keys;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return fail("secretKeyNotHere", `${error.message}${error.hint === undefined ? "" : `: ${error.hint}`}`);
  }
}
