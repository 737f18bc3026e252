import type { Json, JsonObject } from "./json.ts";
import { actionWords, colorPointer, leafInputs, leafWords, pathSeparator } from "./package-bindings.ts";
import { exportRootProp, type PropBindings } from "./package-export-props.ts";
import { encodeCode } from "./package-functions.ts";
import { lowerFirst } from "./package-words.ts";
import type { Package, PackageBinding, PackageFunction, PackageVariant } from "./packages.ts";
import { parsePointer } from "./pointers.ts";

/** What a package spec says beside the package: the same package has the same spec but for these. */
export interface PackageStamp {
  /** Digits of a time, such as `20240131120000`. */
  readonly version: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
}

/** A package as a spec that `readPackage` reads back to the same package. */
export function packageSpec(pack: Package, stamp: PackageStamp): JsonObject {
  const { name, category } = pack;
  const variants = pack.variants.map((variant, index) => ({ variant, key: `variant-${index + 1}` }));
  const [shown] = pack.variants;
  return {
    kind: "module",
    name,
    description: pack.description ?? "",
    ...stamp,
    funcs: pack.functions.map(exportFunction),
    schemas: [
      {
        name,
        data: {
          name,
          category,
          categoryName: shown?.displayName ?? name,
          uiHidden: false,
          defaultSchemaVariant: variants[pack.defaultVariant]?.key ?? null,
        },
        variants: variants.map(({ variant, key }) => exportVariant(variant, { key, version: stamp.version })),
      },
    ],
  };
}

const backends: Readonly<Record<string, readonly [backend: string, response: string]>> = {
  Action: ["jsAction", "action"],
  Attribute: ["jsAttribute", "unset"],
  Authentication: ["jsAuthentication", "json"],
  CodeGeneration: ["jsAttribute", "codeGeneration"],
  Debug: ["debug", "debug"],
  Management: ["management", "management"],
  Qualification: ["jsAttribute", "qualification"],
  SchemaVariantDefinition: ["jsSchemaVariantDefinition", "schemaVariantDefinition"],
};

function exportFunction(func: PackageFunction): JsonObject {
  const { name, key, kind, handler, code, displayName, description, link, isTransformation } = func;
  if (kind === "Intrinsic") return { name, uniqueId: key, arguments: [] };
  const [backendKind, response] = backends[kind] ?? ["jsReconciliation", "unset"];
  const responseType = kind === "Attribute" ? lowerFirst(func.responseType ?? response) : response;
  return {
    name,
    uniqueId: key,
    arguments: func.arguments.map((argument) => ({
      name: argument.name,
      kind: lowerFirst(argument.kind),
      elementKind: argument.elementKind === undefined ? null : lowerFirst(argument.elementKind),
    })),
    data: {
      name,
      handler,
      codeBase64: encodeCode(code),
      backendKind,
      responseType,
      hidden: false,
      isTransformation,
      displayName,
      description,
      link,
    },
  };
}

function exportVariant(
  variant: PackageVariant,
  { key, version }: { readonly key: string; readonly version: string },
): JsonObject {
  const { bindings, secretDefinition } = variant;
  const ofKind = (kind: PackageBinding["kind"]): readonly PackageBinding[] =>
    bindings.filter((binding) => binding.kind === kind);
  const bound: PropBindings = new Map(
    ofKind("attribute").map((binding): readonly [string, JsonObject] => [
      binding.output ?? "",
      { funcUniqueId: binding.func, inputs: (binding.arguments ?? []).map(exportInput) },
    ]),
  );
  return {
    version,
    uniqueId: key,
    data: {
      version,
      componentType: "component",
      funcUniqueId: variant.assetFunc,
      displayName: variant.displayName,
      color: variant.color,
      description: variant.description,
      link: variant.link,
    },
    actionFuncs: ofKind("action").map(({ func, actionKind }) => ({
      funcUniqueId: func,
      kind: wordOf(actionWords, actionKind) ?? "other",
    })),
    authFuncs: ofKind("authentication").map(({ func }) => ({ funcUniqueId: func })),
    leafFunctions: [...ofKind("codegen"), ...ofKind("qualification")].map(({ func, kind, inputs = [] }) => ({
      funcUniqueId: func,
      leafKind: wordOf(leafWords, kind) ?? "",
      inputs: inputs.map((input) => wordOf(leafInputs, input) ?? input),
    })),
    managementFuncs: ofKind("management").map(({ func }) => ({ funcUniqueId: func, name: func })),
    sockets:
      secretDefinition === undefined
        ? []
        : [
            {
              name: secretDefinition.name,
              inputs: [],
              data: {
                kind: "output",
                name: secretDefinition.name,
                arity: "one",
                connectionAnnotations: "[]",
                uiHidden: false,
              },
            },
          ],
    siPropFuncs: [...bound].flatMap(([pointer, data]) =>
      pointer === colorPointer ? [{ kind: "color", ...data }] : [],
    ),
    rootPropFuncs: [],
    domain: exportRootProp("domain", "/domain", variant.domain, bound),
    secrets: exportRootProp("secrets", "/secrets", variant.secrets, bound),
    resourceValue: exportRootProp("resource_value", "/resource_value", variant.resourceValue, bound),
    ...(secretDefinition === undefined
      ? {}
      : {
          secretDefinition: exportRootProp(
            "secret_definition",
            "/secret_definition",
            secretDefinition.fields,
            new Map(),
          ),
        }),
  };
}

function exportInput({ name, path, value }: NonNullable<PackageBinding["arguments"]>[number]): Json {
  if (path === undefined) return { kind: "value", name, value: value ?? null };
  return { kind: "prop", name, prop_path: ["root", ...(parsePointer(path) ?? [])].join(pathSeparator) };
}

const wordOf = (table: Readonly<Record<string, string>>, value: string | undefined): string | undefined =>
  Object.entries(table).find(([, meaning]) => meaning === value)?.[0];
