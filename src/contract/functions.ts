/** What a function is for, as the API names it. */
export const functionKinds = [
  "Action",
  "Attribute",
  "Authentication",
  "CodeGeneration",
  "Debug",
  "Intrinsic",
  "Management",
  "Qualification",
  "SchemaVariantDefinition",
  "Unknown",
] as const;
export type FunctionKind = (typeof functionKinds)[number];
