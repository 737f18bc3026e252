import { transform } from "../domain/intrinsics.ts";
import type { Json } from "../domain/json.ts";
import { idOf } from "../read/ids.ts";
import { intrinsicNameOf } from "../read/intrinsics.ts";

/** The functions that every workspace has, by id or name. */
export const builtIn = (funcId: string): ((input: Json) => Json | undefined) | undefined => {
  const name = intrinsicNameOf(funcId) ?? (funcId.startsWith("si:") ? funcId : undefined);
  return name === undefined ? undefined : (input) => transform(name, input);
};

/** What a function is given in place of a secret: nothing of it, but another one where it is another. */
export const standIn = (secretId: string): string => idOf(`stand-in ${secretId}`);
