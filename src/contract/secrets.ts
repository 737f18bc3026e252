import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, nullable, optionalNull, Success } from "./shapes.ts";

/** A secret without what it holds, which no answer ever carries. */
export const SecretView = named("SecretV1", {
  id: Id,
  name: Type.String(),
  definition: Type.String({ description: "Name of the definition that it was made from" }),
  description: optionalNull(Type.String()),
});
export type SecretView = Static<typeof SecretView>;

export const SecretDefinitionView = named("SecretDefinitionV1", {
  secretDefinition: Type.String({ description: "Its name" }),
  formData: Type.Array(
    Type.Object({
      name: Type.String({ description: "A key of `rawData`" }),
      kind: Type.String({ description: "`password` for what is not to be shown, else the property's kind" }),
    }),
  ),
});
export type SecretDefinitionView = Static<typeof SecretDefinitionView>;

/** A definition with the secrets made from it. */
export const SecretsOfDefinition = Type.Object({
  definition: SecretDefinitionView,
  secrets: Type.Array(SecretView),
});
export type SecretsOfDefinition = Static<typeof SecretsOfDefinition>;

/** Longest name, in UTF-16 units; it is indexed. */
const maximumName = 200;
/** Longest description, in UTF-16 units: lists carry it. */
const maximumDescription = 1_000;
/** Longest value of a field, in UTF-16 units: a chain of certificates or the key file of a service account fits. */
export const maximumSecretValue = 65_536;

const Name = Type.String({ minLength: 1, maxLength: maximumName });
const Description = optionalNull(Type.String({ maxLength: maximumDescription }));
const RawData = Type.Record(Type.String(), Type.String({ maxLength: maximumSecretValue }), {
  description: "Field of the definition's form → value; sealed at once and never answered",
  // Also keeps messages from repeating it.
  writeOnly: true,
});

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/secrets";
const one = `${base}/:secretId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const changing = [...missing, "headNotEditable", "changeSetNotActive"] as const;

export const secrets = group({
  list: {
    method: "GET",
    path: base,
    summary: "The kinds of secrets that installed schemas define, by name, each with its secrets",
    description:
      "Secrets whose definition is no longer installed stand under its name with an empty form, so that they can still be found and deleted.",
    access: "workspace",
    revision: "layer",
    response: Type.Record(Type.String(), SecretsOfDefinition),
    errors: missing,
  },
  create: {
    method: "POST",
    path: base,
    summary: "Store a secret of an installed definition",
    description:
      "Names need not be unique; components name a secret by name where it is the only one, else by id.",
    access: "workspace",
    body: Type.Object({
      definitionName: Type.String({ maxLength: maximumName }),
      name: Name,
      description: Description,
      rawData: Type.Optional(RawData),
    }),
    response: Type.Object({ secret: SecretView }),
    errors: changing,
  },
  update: {
    method: "PUT",
    path: one,
    summary: "Rename a secret, describe it, and replace what it holds",
    description:
      "`name` and `description` are replaced, no description clears it; `rawData` replaces everything that the secret holds, without it that stays. In the head the old content counts until the change set is applied.",
    access: "workspace",
    body: Type.Object({
      id: Type.String({ description: "The id of the path" }),
      name: Name,
      description: Description,
      rawData: Type.Optional(nullable(RawData)),
    }),
    response: Type.Object({ secret: SecretView }),
    errors: [...changing, "secretNotFound"],
  },
  delete: {
    method: "DELETE",
    path: one,
    summary: "Delete a secret that no component of the change set uses",
    access: "workspace",
    response: Success,
    errors: [...changing, "secretNotFound", "secretInUse"],
  },
});
