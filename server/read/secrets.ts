import type { Secret } from "../domain/secrets.ts";
import { listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";

/** Every secret that the layer shows, without its content, in ascending order of id. */
export async function listSecrets(reads: Reads, layer: Layer): Promise<Secret[]> {
  const entities = await listEntities(reads, entityRules, layer, { kind: "secret" });
  return entities.map(({ id, name, body }) => ({
    id,
    name: name ?? "",
    definition: typeof body["definition"] === "string" ? body["definition"] : "",
  }));
}
