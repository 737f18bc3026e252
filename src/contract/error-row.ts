/** One row of the error catalogue: a stable number and word, the HTTP status, and the sentence a person reads. */
export interface ErrorRow {
  /** The `code` of ApiError: never renumbered, never used again. */
  readonly code: number;
  /** The `code` of the key-authentication API: upper case, as stable as the number. */
  readonly word: string;
  readonly status: number;
  readonly message: string;
}
