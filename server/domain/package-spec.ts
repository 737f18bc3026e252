import { isDeeperThan, type Json } from "./json.ts";
import type { FunctionsByKey } from "./package-bindings.ts";
import { readFunctions } from "./package-functions.ts";
import {
  choiceOf,
  flagOf,
  objectAt,
  objectsOf,
  optionalFlag,
  optionalObject,
  optionalObjects,
  optionalText,
  type Placed,
  present,
  senseless,
  textOf,
  unreadable,
} from "./package-reader.ts";
import { readVariant } from "./package-variants.ts";
import type { Package, PackageFunction, PackageVariant } from "./packages.ts";

/** Where a package spec stands in a request. */
const root = "pkg_spec";

/** Deepest nesting that is read: each level of properties is two, and those of a variant stand nine deep. */
const maximumNesting = 100;

/** Most functions and variants of one package: they are written in one transaction. */
const maximumFunctions = 1_000;
const maximumVariants = 100;

/** RFC 3339, to any fraction of a second. */
const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Reads a package spec into a package, or throws the refusal of the first mistake with its place: `packageUnreadable`
 * for a shape that is not a package's, `packageInvalid` for one that cannot be a schema.
 */
export function readPackage(spec: Json): Package {
  const document = objectAt(spec, root);
  if (isDeeperThan(spec, maximumNesting))
    unreadable(root, `arrays and objects nested at most ${maximumNesting} deep`, "deeper ones");
  const kind = choiceOf(document, "kind", ["module", "workspaceBackup"]);
  if (kind !== "module") unreadable(`${root}.kind`, "module", kind);
  for (const name of ["name", "version", "createdBy"]) textOf(document, name);
  const description = textOf(document, "description");
  const created = textOf(document, "createdAt");
  if (!time.test(created) || Number.isNaN(Date.parse(created)))
    unreadable(`${root}.createdAt`, "a time such as 2024-01-31T12:00:00Z", created);
  for (const name of ["defaultChangeSet", "workspacePk", "workspaceName"]) optionalText(document, name);
  optionalObjects(document, "changeSets");
  const specs = optionalObjects(document, "funcs");
  if (specs.length > maximumFunctions)
    senseless(`${root}.funcs`, `expected at most ${maximumFunctions} functions, found ${specs.length}`);
  const functions = readFunctions(specs);
  const schemas = present(optionalObjects(document, "schemas"));
  const [schema] = schemas;
  if (schema === undefined || schemas.length > 1)
    return unreadable(
      `${root}.schemas`,
      "exactly one schema",
      schemas.map(({ object }) => object),
    );
  return readSchema(schema, functions, description);
}

function readSchema(schema: Placed, functions: FunctionsByKey, description: string): Package {
  const name = textOf(schema, "name");
  optionalText(schema, "uniqueId");
  optionalFlag(schema, "isBuiltin");
  const data = optionalObject(schema, "data");
  if (data === undefined) return senseless(`${schema.at}.data`, "expected what the schema is, found nothing");
  if (textOf(data, "name") !== name)
    senseless(`${data.at}.name`, `expected the name of ${schema.at}, found another one`);
  const category = textOf(data, "category");
  const displayName = optionalText(data, "categoryName") ?? name;
  checkLine(name, `${schema.at}.name`);
  checkLine(category, `${data.at}.category`);
  checkLine(displayName, `${data.at}.categoryName`);
  flagOf(data, "uiHidden");
  const defaultKey = optionalText(data, "defaultSchemaVariant");
  const specs = present(objectsOf(schema, "variants"));
  if (specs.length === 0) unreadable(`${schema.at}.variants`, "at least one variant", []);
  if (specs.length > maximumVariants)
    senseless(`${schema.at}.variants`, `expected at most ${maximumVariants} variants, found ${specs.length}`);
  const variants = specs.map((spec) => readVariant(spec, { displayName, category, functions }));
  const position = specs.findIndex((spec) => optionalText(spec, "uniqueId") === defaultKey);
  if (defaultKey !== undefined && position < 0)
    senseless(`${data.at}.defaultSchemaVariant`, "expected the uniqueId of a variant of the schema");
  return {
    name,
    category,
    description: description === "" ? null : description,
    functions: usedFunctions(functions, variants),
    variants,
    defaultVariant: defaultKey === undefined ? variants.length - 1 : position,
  };
}

/** Longest name of a schema, a variant or a category, in UTF-16 units; names are indexed. */
const maximumName = 200;

function checkLine(text: string, at: string): void {
  if (text.length > maximumName || !/\S/.test(text) || /\p{Cc}/u.test(text))
    senseless(at, `expected 1 to ${maximumName} characters to read in one line`);
}

/** Those that variants name: nothing else of a package comes into effect. */
function usedFunctions(functions: FunctionsByKey, variants: readonly PackageVariant[]): PackageFunction[] {
  const used = new Set(
    variants.flatMap(({ assetFunc, bindings }) => [assetFunc, ...bindings.map(({ func }) => func)]),
  );
  return [...functions.values()].map(({ func }) => func).filter(({ key }) => used.has(key));
}
