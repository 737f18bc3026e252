/** The innermost reason, which for a lost socket is the system's word for it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    return cause.code === "ENOENT" ? "its socket does not exist" : cause.code;
  }
  return error.message;
}
