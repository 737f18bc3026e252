import Type from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { GetSchemaResponse } from "./schemas.ts";
import { named } from "./shapes.ts";

/** Largest package spec: ten times what JSON bodies may hold, since code travels in it. */
export const maximumPackageBytes = 20 * 1024 * 1024;

/** The variant that a package became. */
export const InstallFromFileResponse = named("InstallFromFileV1Response", {
  schemaId: Id,
  schemaVariantId: Id,
  schemaName: Type.String(),
  displayName: Type.String(),
  category: Type.String(),
});

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/schemas";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const changing = [...missing, "headNotEditable", "changeSetNotActive"] as const;

export const packages = group({
  installFromFile: {
    method: "POST",
    path: `${base}/install_from_file`,
    summary: "Install a schema from a package spec, or upgrade the schema of its name",
    description:
      "A schema that is new comes locked. One that is installed, or that the catalogue has, gets the first variant of the package as its new default, unlocked; components stay where they are until they are upgraded.",
    access: "workspace",
    multipart: { field: "pkg_spec", maximumBytes: maximumPackageBytes },
    body: Type.String({ minLength: 1, description: "A package spec as JSON, as a file or as text" }),
    response: InstallFromFileResponse,
    invalid: "packageUnreadable",
    errors: [...changing, "packageInvalid"],
  },
  install: {
    method: "POST",
    path: `${base}/:schemaId/install`,
    summary: "Install a schema of the catalogue; one that is installed is answered as it is",
    access: "workspace",
    response: GetSchemaResponse,
    errors: [...changing, "invalidRequest"],
  },
  contribute: {
    method: "POST",
    path: `${base}/:schemaId/contribute`,
    summary: "Put the default variant of a schema into this server's catalogue, for every workspace",
    description:
      "The variant goes with all functions that are bound to it or to its schema; secrets and components stay. Contributing a schema again replaces what the catalogue has of it, while schemas that were installed from it stay as they are.",
    access: "workspace",
    errors: [...missing, "contributionRefused", "schemaNotFound"],
  },
});
