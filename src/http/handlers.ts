import type { Contract, Endpoint, Output, Parsed } from "../contract/endpoint.ts";
import type { Building } from "./building.ts";
import type { RawJson } from "./raw.ts";

/** What a handler gives: the declared answer, ready text of it, or that it is still being made. */
type Given<E extends Endpoint> =
  | Output<E>
  | RawJson
  | (E extends { readonly building: true } ? Building : never);

/** Performs one row: validated input and the caller's context in, the declared answer out, errors thrown as ApiError. */
export type Handler<E extends Endpoint, Context> = (
  input: Parsed<E>,
  context: Context,
) => Promise<Given<E>> | Given<E>;

/** One handler for every row of a group; a missing one is a compile error. */
export type GroupHandlers<G extends Readonly<Record<string, Endpoint>>, Context> = {
  readonly [K in keyof G]: Handler<G[K], Context>;
};

/** One handler for every row of a contract. */
export type Handlers<C extends Contract, Context> = { readonly [G in keyof C]: GroupHandlers<C[G], Context> };
