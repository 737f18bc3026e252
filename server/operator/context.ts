import type { ServerKeys } from "../auth/server-keys.ts";
import type { VariantCache } from "../read/variants.ts";
import type { Store } from "../store/open.ts";

/** What a handler of the operator's rows knows besides its input. */
export interface OperatorContext {
  readonly store: Store;
  readonly variants: VariantCache;
  /** The server's keys, looked for when they are first asked for; throws a {@link Problem} where there are none. */
  readonly keys: () => Promise<ServerKeys>;
}

/** Who is named in events of what the operator did. */
export const operatorActor = "operator";
