import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";

/** What components are made of besides themselves. */
const parts = ["variant", "schema", "view"];

/** Entities kept at once: a variant of 200 properties with what is made of it takes about 100 kB, others next to nothing. */
const limit = 1_000;

/**
 * Schemas, variants and views by layer, id and version: what one version says never changes, so that only the version
 * is asked for. The same version is the same object: whatever is made of it can be kept with it.
 */
export class KeptEntities {
  readonly #kept = new Map<string, Entity>();

  /** Those of the entities that the layer shows, in one statement where their versions were met before, else two. */
  async find(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Entity[]> {
    const filter = { kind: parts, ids: [...new Set(ids)] };
    const shown = await listEntities(reads, entityRules, layer, { ...filter, bodies: false });
    const known = shown.flatMap((entity) => this.#kept.get(nameOf(layer, entity)) ?? []);
    if (known.length === shown.length) return known;
    const read = await listEntities(reads, entityRules, layer, filter);
    return showsCommitted(reads) ? read.map((entity) => this.#keep(layer, entity)) : read;
  }

  #keep(layer: Layer, entity: Entity): Entity {
    const name = nameOf(layer, entity);
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    if (this.#kept.size >= limit) this.#kept.clear();
    this.#kept.set(name, entity);
    return entity;
  }
}

/** Whether entities are read as they were committed, to be kept: what is taken back leaves its numbers to others. */
export const showsCommitted = ({ shared }: Reads): boolean => shared?.hasWrittenEntities !== true;

/** A version of the head's alone ends in `.0` and means the same in every change set. */
const nameOf = ({ id, headId }: Layer, entity: Entity): string =>
  `${entity.version.endsWith(".0") ? headId : id} ${entity.kind} ${entity.id} ${entity.version}`;
