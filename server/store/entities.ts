import { sql } from "kysely";
import type { JsonObject } from "../domain/json.ts";
import type { Layer, LayerChange } from "./layer.ts";
import type { Reads, Tx } from "./open.ts";
import type { EntityRules } from "./rules.ts";
import type { EntityTable } from "./tables.ts";

/** Anything low in volume that belongs to a layer (schema, variant, view, …), as the layer shows it. */
export interface Entity {
  readonly kind: string;
  readonly id: string;
  readonly name: string | undefined;
  readonly body: JsonObject;
  /** Changes whenever the body may have changed: `<head's edit_rev>.<own edit_rev>`. */
  readonly version: string;
}

export interface NewEntity {
  readonly kind: string;
  readonly id: string;
  readonly name?: string;
  readonly body: JsonObject;
}

/** Which entities to read. */
export interface EntityFilter {
  readonly kind: string | readonly string[];
  readonly ids?: readonly string[];
  /** Only those that some layer calls so. */
  readonly names?: readonly string[];
  /** False leaves the bodies where they are, for whoever keeps them by version: each of them is empty then. */
  readonly bodies?: false;
}

/** All entities of a kind or of several, or those of some ids or names, in ascending order of id, in one statement. */
export async function listEntities(
  reads: Reads,
  rules: EntityRules,
  layer: Layer,
  { kind, ids, names, bodies }: EntityFilter,
): Promise<Entity[]> {
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const ofKind = typeof kind === "string" ? sql`kind = ${kind}` : sql`kind in (${sql.join(kind)})`;
  const some = ids === undefined ? sql`` : sql`and id ${reads.engine.within(ids)}`;
  const so =
    names === undefined
      ? sql``
      : sql`and id in (select id from entity
          where layer in (${layers}) and ${ofKind} and name ${reads.engine.within(names)})`;
  const body = bodies === false ? sql`null as body` : sql`body`;
  const { rows } = await sql<EntityTable>`
    select layer, kind, id, op, edit_rev, base_rev, name, ${body} from entity
    where layer in (${layers}) and ${ofKind} ${some} ${so} order by id`.execute(reads.db);
  const found: Entity[] = [];
  for (let index = 0; index < rows.length; ) {
    const id = rows[index]?.id;
    const pair: EntityTable[] = [];
    for (let row = rows[index]; row !== undefined && row.id === id; row = rows[++index]) pair.push(row);
    const head = pair.find((row) => row.layer === layer.headId);
    const own = pair.find((row) => row.layer !== layer.headId);
    const one = showEntity(rules, head, own);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** The entity of that kind and id as the layer shows it. */
export async function findEntity(
  reads: Reads,
  rules: EntityRules,
  layer: Layer,
  kind: string,
  id: string,
): Promise<Entity | undefined> {
  return (await listEntities(reads, rules, layer, { kind, ids: [id] }))[0];
}

/** What a layer shows of one entity; undefined when it was removed, or edited here and lost by the head. */
export function showEntity(
  rules: EntityRules,
  head: EntityTable | undefined,
  own: EntityTable | undefined,
): Entity | undefined {
  if (own?.op === "del") return undefined;
  const row = own ?? head;
  if (row === undefined || (own?.op === "edit" && head === undefined)) return undefined;
  const version = `${head?.edit_rev ?? 0}.${own?.edit_rev ?? 0}`;
  let body: JsonObject | undefined;
  return {
    kind: row.kind,
    id: row.id,
    name: own?.name ?? head?.name ?? undefined,
    version,
    // Parsed when somebody looks: whoever keeps what was made of this version does not, and that is most of the work.
    get body() {
      body ??=
        own?.op === "edit" && head !== undefined ? rules.mergeBody(bodyOf(head), bodyOf(own)) : bodyOf(row);
      return body;
    },
  };
}

/** Adds entities in the change set. */
export async function createEntities(change: LayerChange, entities: readonly NewEntity[]): Promise<void> {
  const rows = entities.map(
    (entity): EntityTable => ({
      layer: change.layer.id,
      kind: entity.kind,
      id: entity.id,
      op: "add",
      edit_rev: change.layer.graphRev,
      base_rev: 0,
      name: entity.name ?? null,
      body: JSON.stringify(entity.body),
    }),
  );
  await putEntityRows(change.tx, rows);
  if (rows.length > 0) change.saved();
}

/** Changes members of an entity in the change set; undefined when the layer does not show it. */
export async function patchEntity(
  change: LayerChange,
  rules: EntityRules,
  {
    kind,
    id,
    name,
    patch,
  }: { readonly kind: string; readonly id: string; readonly name?: string; readonly patch: JsonObject },
): Promise<Entity | undefined> {
  const { tx, layer } = change;
  const { rows } = await sql<EntityTable>`
    select layer, kind, id, op, edit_rev, base_rev, name, body from entity
    where layer in (${layer.headId}, ${layer.id}) and kind = ${kind} and id = ${id}`.execute(tx.db);
  const head = rows.find((row) => row.layer === layer.headId);
  const own = rows.find((row) => row.layer === layer.id);
  if (showEntity(rules, head, own) === undefined) return undefined;
  const before = own === undefined ? {} : bodyOf(own);
  const isNew = own?.op === "add";
  const row: EntityTable = {
    layer: layer.id,
    kind,
    id,
    op: isNew ? "add" : "edit",
    edit_rev: layer.graphRev,
    base_rev: head?.edit_rev ?? 0,
    name: name ?? own?.name ?? null,
    body: JSON.stringify(isNew ? rules.mergeBody(before, patch) : rules.mergePatch(before, patch)),
  };
  await putEntityRows(tx, [row]);
  change.saved();
  return showEntity(rules, head, row);
}

/** The body or the patch of a row. */
export const bodyOf = (row: { readonly body: string | null }): JsonObject =>
  row.body === null ? {} : JSON.parse(row.body);

const columns = ["layer", "kind", "id", "op", "edit_rev", "base_rev", "name", "body"] as const;

const replaced = {
  key: ["layer", "kind", "id"],
  update: ["op", "edit_rev", "base_rev", "name", "body"],
} as const;

/** Inserts or replaces entity rows. */
export async function putEntityRows(tx: Tx, rows: readonly EntityTable[]): Promise<void> {
  if (rows.length === 0) return;
  noteWritten(tx);
  await tx.engine.bulk(tx.db, "entity", columns, rows, replaced);
}

/** Removes rows of a layer: all of them, or those of a kind and these ids. */
export async function dropEntityRows(
  tx: Tx,
  layerId: string,
  of?: { readonly kind: string; readonly ids: readonly string[] },
): Promise<void> {
  if (of?.ids.length === 0) return;
  noteWritten(tx);
  const some = of === undefined ? sql`` : sql`and kind = ${of.kind} and id ${tx.engine.within(of.ids)}`;
  await sql`delete from entity where layer = ${layerId} ${some}`.execute(tx.db);
}

function noteWritten({ shared }: Tx): void {
  shared.entities = {};
  shared.hasWrittenEntities = true;
}
