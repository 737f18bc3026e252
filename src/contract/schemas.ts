import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { maximumCode } from "./functions.ts";
import { Id } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { AnyJson, named, nullable, optionalNull } from "./shapes.ts";

/** A schema in a list. */
export const SchemaResponse = named("SchemaResponse", {
  schemaId: Id,
  schemaName: Type.String(),
  category: optionalNull(Type.String()),
  installed: Type.Boolean({ description: "False for one that only the catalogue has" }),
});
export type SchemaResponse = Static<typeof SchemaResponse>;

/** A schema that was looked for. */
export const FindSchemaResponse = named("FindSchemaV1Response", { ...SchemaResponse.properties });

/** A schema with the ids of its variants. */
export const GetSchemaResponse = named("GetSchemaV1Response", {
  schemaId: Id,
  name: Type.String(),
  defaultVariantId: Id,
  variantIds: Type.Array(Id),
});
export type GetSchemaResponse = Static<typeof GetSchemaResponse>;

/** A function at work in a variant. */
export const SchemaVariantFunc = named("SchemaVariantFunc", {
  id: Id,
  funcKind: Type.Union([
    Type.Object({
      kind: Type.Literal("action"),
      actionKind: Type.String({ description: "Create, Update, Refresh, Destroy or Manual" }),
    }),
    Type.Object({
      kind: Type.Literal("management"),
      managementFuncKind: Type.String({ description: "discover, import, runTemplate or other" }),
    }),
    Type.Object({
      kind: Type.Literal("other"),
      funcKind: Type.String({ description: "Attribute, Authentication, CodeGeneration or Qualification" }),
    }),
  ]),
  isOverlay: Type.Boolean({ description: "Bound to the schema, so that it is at work in all its variants" }),
});
export type SchemaVariantFunc = Static<typeof SchemaVariantFunc>;

/** A property with everything below it. */
export const PropSchema = Type.Cyclic(
  {
    PropSchemaV1: named("PropSchemaV1", {
      propId: Id,
      name: Type.String(),
      propType: Type.String({ description: "string, integer, float, boolean, json, map, array or object" }),
      description: optionalNull(Type.String()),
      children: Type.Optional(
        nullable(
          Type.Array(Type.Ref("PropSchemaV1"), {
            description: "The members of an object in their order; the one element of an array or a map",
          }),
        ),
      ),
      validationFormat: optionalNull(Type.String({ description: "JSON text of a Joi description" })),
      defaultValue: Type.Optional(AnyJson),
      hidden: optionalNull(Type.Boolean()),
      docLink: optionalNull(Type.String()),
    }),
  },
  "PropSchemaV1",
);
export type PropSchema = Static<typeof PropSchema>;

/** A variant with its functions and the properties below `/domain`. */
export const GetSchemaVariantResponse = named("GetSchemaVariantV1Response", {
  variantId: Id,
  displayName: Type.String(),
  category: Type.String(),
  color: Type.String(),
  isLocked: Type.Boolean(),
  description: optionalNull(Type.String()),
  link: optionalNull(Type.String()),
  assetFuncId: Type.String({ description: "The function whose code defines it" }),
  variantFuncIds: Type.Array(Id),
  variantFuncs: Type.Array(SchemaVariantFunc),
  isDefaultVariant: Type.Boolean(),
  installedFromUpstream: Type.Boolean(),
  domainProps: Type.Optional(nullable(PropSchema)),
});
export type GetSchemaVariantResponse = Static<typeof GetSchemaVariantResponse>;

/** A schema with its unlocked variant. */
export const UnlockedSchemaResponse = named("UnlockedSchemaV1Response", {
  schemaId: Id,
  unlockedVariantId: Id,
  unlockedVariant: GetSchemaVariantResponse,
});
export type UnlockedSchemaResponse = Static<typeof UnlockedSchemaResponse>;

/** Longest name of a schema, a variant or a category, in UTF-16 units; names are indexed. */
const maximumName = 200;
/** Longest description, in UTF-16 units. */
const maximumDescription = 5_000;

const Name = Type.String({ minLength: 1, maxLength: maximumName });
const Code = Type.String({
  maxLength: maximumCode,
  description: "TypeScript with a function `main` that returns what `AssetBuilder.build()` gives",
});
const Color = optionalNull(Type.String({ maxLength: 20, description: "Such as #336699" }));
const Description = optionalNull(Type.String({ maxLength: maximumDescription }));
const Link = optionalNull(Type.String({ maxLength: 2_000, description: "A URL" }));

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/schemas";
const one = `${base}/:schemaId` as const;
const variant = `${one}/variant/:schemaVariantId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const changing = [...missing, "headNotEditable", "changeSetNotActive"] as const;

export const schemas = group({
  list: {
    method: "GET",
    path: base,
    summary: "Schemas in ascending order of id: those that are installed, and those of the catalogue",
    access: "workspace",
    revision: "layer",
    query: Type.Object(PageQuery),
    response: Type.Object({
      schemas: Type.Array(SchemaResponse),
      nextCursor: nullable(Id),
    }),
    errors: missing,
  },
  create: {
    method: "POST",
    path: base,
    summary: "Create a schema and its default variant from code",
    description:
      "The code is run once; what it returns is the variant, unlocked until the change set is applied. A definition that fails, or that makes no sense, leaves nothing.",
    access: "workspace",
    body: Type.Object({
      name: Name,
      code: Code,
      category: optionalNull(Name),
      color: Color,
      description: Description,
      link: Link,
    }),
    response: GetSchemaResponse,
    errors: [...changing, "definitionFailed"],
  },
  find: {
    method: "GET",
    path: `${base}/find`,
    summary: "Find a schema by id, else by name in any letter case",
    access: "workspace",
    revision: "layer",
    query: Type.Object({
      schema: Type.Optional(Type.String({ description: "A name" })),
      schemaId: Type.Optional(Type.String({ description: "Counts where both are given" })),
    }),
    response: FindSchemaResponse,
    errors: [...missing, "schemaNotFound"],
  },
  search: {
    method: "POST",
    path: `${base}/search`,
    summary: "The schemas of a category, or all of them",
    access: "workspace",
    body: Type.Object({ category: optionalNull(Type.String({ description: "Exactly this one" })) }),
    response: Type.Object({ schemas: Type.Array(SchemaResponse) }),
    errors: [...missing, "schemaNotFound"],
  },
  get: {
    method: "GET",
    path: one,
    summary: "A schema with the ids of its variants",
    access: "workspace",
    revision: "layer",
    response: GetSchemaResponse,
    building: true,
    errors: [...missing, "schemaNotFound"],
  },
  unlock: {
    method: "POST",
    path: `${one}/unlock`,
    summary:
      "The variant of a schema that can be changed; makes an unlocked copy of the default where there is none",
    description:
      "The copy has the same functions. Components stay where they are until they are upgraded. A schema that only the catalogue has is installed first.",
    access: "workspace",
    response: UnlockedSchemaResponse,
    errors: [...changing, "invalidRequest"],
  },
  variantDefault: {
    method: "GET",
    path: `${one}/variant/default`,
    summary: "The default variant of a schema",
    access: "workspace",
    revision: "layer",
    response: GetSchemaVariantResponse,
    building: true,
    errors: [...missing, "schemaNotFound"],
  },
  variantGet: {
    method: "GET",
    path: variant,
    summary: "A variant of a schema",
    access: "workspace",
    revision: "layer",
    response: GetSchemaVariantResponse,
    building: true,
    errors: [...missing, "schemaNotFound", "variantNotFound", "variantNotOfSchema"],
  },
  variantUpdate: {
    method: "PUT",
    path: variant,
    summary: "Change an unlocked variant and make it anew from its code",
    description:
      "Components that use it move to a new variant, which takes its place, with what is set where both have it: the id of the answer counts from then on. No description and no link clear them, no color keeps it.",
    access: "workspace",
    body: Type.Object({
      name: { ...Name, description: "Shown for the variant; the schema keeps its name" },
      category: Name,
      code: Code,
      color: Color,
      description: Description,
      link: Link,
    }),
    response: GetSchemaVariantResponse,
    errors: [
      ...changing,
      "schemaNotFound",
      "variantNotFound",
      "variantNotOfSchema",
      "variantLocked",
      "definitionFailed",
    ],
  },
});
