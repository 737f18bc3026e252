import type { ErrorName } from "../../src/contract/errors.ts";

/** A rule says no: `error` is the row of the catalogue to answer with, the message the one line a person reads. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly error: ErrorName;

  constructor(error: ErrorName, message: string) {
    super(message);
    this.error = error;
  }
}

/** Throws a {@link Refusal}; an expression, so that it fits after `??`. */
export function refuse(error: ErrorName, message: string): never {
  throw new Refusal(error, message);
}
