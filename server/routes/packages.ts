import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { findUnstorable } from "../../src/contract/text.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, userOf } from "../context.ts";
import type { Json } from "../domain/json.ts";
import { readPackage } from "../domain/package-spec.ts";
import { refuse } from "../domain/refusal.ts";
import { findCatalogued } from "../read/catalogue.ts";
import { findSchema, schemaView } from "../read/schemas.ts";
import { getVariant } from "../read/variants.ts";
import { changeLayer } from "../store/layer.ts";
import { writingOf } from "./change-component.ts";
import { contributeSchema } from "./contribute-schema.ts";
import { findOrInstall, installCatalogued, installPackage, upgradeByPackage } from "./install-package.ts";
import type { InstalledSchema } from "./install-schema.ts";

/** Handlers of the rows in `src/contract/packages.ts`. */
export const packageHandlers: GroupHandlers<typeof api.packages, Context> = {
  installFromFile: async ({ body }, context) => {
    const pack = readPackage(parseSpec(body));
    const { store, variants, layer, actor } = writingOf(context);
    const event = { kind: "schema.installed", data: { name: pack.name }, actor } as const;
    const installed = await changeLayer(store, layer, event, async (change): Promise<InstalledSchema> => {
      const schema = await findOrInstall(change, pack.name);
      return schema === undefined ? installPackage(change, pack) : upgradeByPackage(change, schema, pack);
    });
    const variant = await getVariant(store, variants, layer, installed.variantId);
    return {
      schemaId: installed.schemaId,
      schemaVariantId: variant.id,
      schemaName: variant.schema.name,
      displayName: variant.displayName,
      category: variant.category,
    };
  },
  install: async ({ schemaId }, context) => {
    const { store, layer, actor } = writingOf(context);
    const event = { kind: "schema.installed", subject: schemaId.toUpperCase(), actor } as const;
    return changeLayer(store, layer, event, async (change) => {
      const known = await findSchema(change.tx, change.layer, schemaId);
      if (known !== undefined) return schemaView(change.tx, change.layer, known);
      const found = await findCatalogued(change.tx, schemaId);
      if (found === undefined)
        return refuse(
          "invalidRequest",
          "schemaId: expected the id of a schema of the catalogue, found another",
        );
      await installCatalogued(change, found);
      const schema = (await findSchema(change.tx, change.layer, schemaId)) ?? fail("schemaNotFound");
      return schemaView(change.tx, change.layer, schema);
    });
  },
  contribute: async ({ schemaId }, context) => {
    const { clock } = context.server;
    await contributeSchema({ ...writingOf(context), clock, author: authorOf(context) }, schemaId);
    return undefined;
  },
};

/** Who is named as the author of what is contributed: a user's e-mail, or `@` and the slug of a collective. */
const authorOf = (context: Context): string =>
  context.principal?.kind === "collective" ? `@${context.principal.collective.slug}` : userOf(context).email;

/** The document of a spec; what no database keeps is refused as anywhere else. */
function parseSpec(text: string): Json {
  let document: Json;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const place = error instanceof Error ? (/\bat position \d+/.exec(error.message)?.[0] ?? "") : "";
    return refuse("packageUnreadable", `pkg_spec: expected JSON, found text that is not ${place}`.trimEnd());
  }
  const bad = findUnstorable(document);
  if (bad === undefined) return document;
  const at = bad.path === "" ? "pkg_spec" : `pkg_spec.${bad.path}`;
  return refuse("packageInvalid", `${at}: expected plain text and data, found ${bad.found}`);
}
