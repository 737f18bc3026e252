import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import type { SecretsOfDefinition, SecretView } from "../../src/contract/secrets.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import { formOf } from "../domain/secret-definitions.ts";
import type { Secret } from "../domain/secrets.ts";
import { listSecretDefinitions, listSecrets } from "../read/secrets.ts";
import { writingOf } from "./change-component.ts";
import { createSecret, deleteSecret, type SecretWriting, updateSecret } from "./change-secret.ts";

/** Handlers of the rows in `src/contract/secrets.ts`. */
export const secretHandlers: GroupHandlers<typeof api.secrets, Context> = {
  list: async (_input, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const definitions = await listSecretDefinitions(store, variants, layer);
    const stored = await listSecrets(store, layer);
    const names = new Set([...definitions.keys(), ...stored.map(({ definition }) => definition)]);
    const views = new Map([...names].map((name): [string, SecretView[]] => [name, []]));
    for (const secret of stored) views.get(secret.definition)?.push(secretView(secret));
    return Object.fromEntries(
      [...views].map(([name, secrets]): [string, SecretsOfDefinition] => {
        const found = definitions.get(name);
        const formData = found === undefined ? [] : formOf(found);
        return [name, { definition: { secretDefinition: name, formData }, secrets }];
      }),
    );
  },
  create: async ({ body }, context) => ({ secret: secretView(await createSecret(writing(context), body)) }),
  update: async ({ secretId, body }, context) => ({
    secret: secretView(await updateSecret(writing(context), secretIdIn(secretId), body)),
  }),
  delete: async ({ secretId }, context) => {
    await deleteSecret(writing(context), secretIdIn(secretId));
    return { success: true };
  },
};

/** Read in any letter case; what cannot be an id names no secret. */
const secretIdIn = (text: string): string =>
  looksLikeUlid(text) ? text.toUpperCase() : fail("secretNotFound");

const writing = (context: Context): SecretWriting => ({ ...writingOf(context), keys: context.server.keys });

const secretView = ({ id, name, definition, description }: Secret): SecretView => ({
  id,
  name,
  definition,
  description,
});
