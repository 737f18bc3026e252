/** What a thrown thing says of itself, in one text: the message of an error, anything else as it is. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
