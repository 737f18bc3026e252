import type { FunctionDefinition } from "./functions.ts";

/** What a management function may be for. */
export type ManagementKind = "discover" | "import" | "runTemplate" | "other";

/** What a management function is for, as its names tell. */
export function managementKindOf({
  name,
  displayName,
}: Pick<FunctionDefinition, "name" | "displayName">): ManagementKind {
  const names = [name, displayName ?? ""];
  const begins = (start: string): boolean => names.some((text) => text.startsWith(start));
  if (begins("Import from ")) return "import";
  if (begins("Discover on ")) return "discover";
  return displayName === "Run Template" ? "runTemplate" : "other";
}
