/** Where one run of a function stands. */
export const functionRunStates = [
  "Created",
  "Running",
  "PostProcessing",
  "Success",
  "Failure",
  "Killed",
] as const;
export type FunctionRunState = (typeof functionRunStates)[number];

/** What an action, a management or a debug function did, as far as it is known. */
export const actionResults = ["Success", "Failure", "Unknown"] as const;
export type ActionResultState = (typeof actionResults)[number];
