import type { Contract, Endpoint, Output, Parsed } from "../contract/endpoint.ts";
import type { RawJson } from "./raw.ts";

/** Performs one row: validated input and the caller's context in, the declared answer out, errors thrown as ApiError. */
export type Handler<E extends Endpoint, Context> = (
  input: Parsed<E>,
  context: Context,
) => Promise<Output<E> | RawJson> | Output<E> | RawJson;

/** One handler for every row of a group; a missing one is a compile error. */
export type GroupHandlers<G extends Readonly<Record<string, Endpoint>>, Context> = {
  readonly [K in keyof G]: Handler<G[K], Context>;
};

/** One handler for every row of a contract. */
export type Handlers<C extends Contract, Context> = { readonly [G in keyof C]: GroupHandlers<C[G], Context> };
