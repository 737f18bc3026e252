import type { FunctionDefinition } from "./functions.ts";

/** UTC time in digits, down to nanoseconds that nobody measures: versions of a schema ascend with it. */
export const versionAt = (ms: number): string => `${new Date(ms).toISOString().replaceAll(/\D/g, "")}000000`;

/** The function that defines a variant: `<camelCase of the schema>Scaffold_<version>`. */
export const assetFunction = (
  schemaName: string,
  {
    code,
    version,
    isLocked,
  }: { readonly code: string; readonly version: string; readonly isLocked: boolean },
): FunctionDefinition => ({
  name: `${camelCase(schemaName)}Scaffold_${version}`,
  displayName: null,
  description: null,
  link: null,
  kind: "SchemaVariantDefinition",
  handler: "main",
  code,
  isLocked,
  arguments: [],
  isTransformation: false,
});

/** `Cloud Credential` and `AWS::EC2::Instance` as `cloudCredential` and `awsEc2Instance`. */
function camelCase(name: string): string {
  const [first = "schema", ...rest] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const lower = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return [first.toLowerCase(), ...lower].join("");
}
