import { ApiError } from "../src/contract/errors.ts";
import { Refusal } from "./domain/refusal.ts";

/** What the product refuses on purpose; undefined for everything else. */
export function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return error instanceof Refusal ? new ApiError(error.error, error.message) : undefined;
}
