/** What a {@link Problem} may say beside its sentence. */
export interface ProblemOptions extends ErrorOptions {
  /** The exact command or edit that helps. */
  readonly hint?: string | undefined;
  /** A stable snake_case word for programs; default `error`. */
  readonly code?: string | undefined;
}

/** A failure that a person can act on: one sentence, the remedy, never a stack. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly hint: string | undefined;
  readonly code: string;
  constructor(message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.code = options.code ?? "error";
  }
}
