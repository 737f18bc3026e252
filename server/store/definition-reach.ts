import { type RawBuilder, sql } from "kysely";
import type { BindingDefinition } from "../domain/functions.ts";
import type { Reads, Tx } from "./open.ts";

/** What says how values are computed, beside settings: a row of a layer. */
export interface DefinitionRow {
  readonly layer: string;
  readonly kind: string;
  readonly id: string;
  /** JSON text; of bindings only. */
  readonly body: string | null;
}

/** Which components rows of definitions have a part in. */
export interface Reach {
  readonly variantIds: ReadonlySet<string>;
  /** All variants of these. */
  readonly schemaIds: ReadonlySet<string>;
  readonly componentIds: ReadonlySet<string>;
  /** Those that read something through one of these functions. */
  readonly funcIds: ReadonlySet<string>;
  /** Whether those are among them who are given secrets. */
  readonly secrets: boolean;
}

/** Every row of bindings, functions and variants in these layers, in one statement. */
export async function definitionRows(reads: Reads, layers: RawBuilder<unknown>): Promise<DefinitionRow[]> {
  const { rows } = await sql<DefinitionRow>`
    select layer, kind, id, case when kind = 'binding' then body end as body from entity
    where layer in ${layers} and kind in ('binding', 'func', 'variant')`.execute(reads.db);
  return rows;
}

/** The bindings of the head, by id. */
export async function headBindings(reads: Reads, headId: string): Promise<Map<string, BindingDefinition>> {
  const { rows } = await sql<{ id: string; body: string }>`
    select id, body from entity where layer = ${headId} and kind = 'binding'`.execute(reads.db);
  return new Map(rows.map(({ id, body }) => [id, JSON.parse(body)]));
}

/** What these rows of one layer reach over such a head; undefined when that is nothing. */
export function reachOf(
  rows: readonly DefinitionRow[],
  head: ReadonlyMap<string, BindingDefinition>,
): Reach | undefined {
  const bindings = new Map<string, Partial<BindingDefinition>>(head);
  const changed: Partial<BindingDefinition>[] = [];
  for (const { kind, id, body } of rows) {
    if (kind !== "binding") continue;
    const before = bindings.get(id);
    // All of one that was added, a patch over the head's, nothing of one that was removed.
    const now: Partial<BindingDefinition> = { ...before, ...(body === null ? {} : JSON.parse(body)) };
    changed.push(now);
    bindings.set(id, now);
  }
  const funcIds = new Set(rows.flatMap(({ kind, id }) => (kind === "func" ? [id] : [])));
  const touched = [...changed, ...[...bindings.values()].filter(({ funcId = "" }) => funcIds.has(funcId))];
  const variantIds = new Set(rows.flatMap(({ kind, id }) => (kind === "variant" ? [id] : [])));
  const [schemaIds, componentIds] = [new Set<string>(), new Set<string>()];
  for (const { kind = "", componentId, variantId, schemaId } of touched) {
    if (!makesValues.has(kind)) continue;
    if (componentId !== undefined) componentIds.add(componentId);
    else if (typeof variantId === "string") variantIds.add(variantId);
    // What is left of a patch of one that the head has lost names neither, and reaches nothing.
    else if (schemaId !== undefined) schemaIds.add(schemaId);
  }
  const secrets = touched.some(({ kind }) => kind === "authentication");
  const count = variantIds.size + schemaIds.size + componentIds.size + funcIds.size;
  return count === 0 && !secrets ? undefined : { variantIds, schemaIds, componentIds, funcIds, secrets };
}

const makesValues: ReadonlySet<string> = new Set(["attribute", "codegen", "qualification"]);

/** What rows of one layer reach over its head, in two statements, one when it has none. */
export async function reachOfLayer(
  reads: Reads,
  layerId: string,
  headId: string,
): Promise<Reach | undefined> {
  const rows = await definitionRows(reads, sql`(${layerId})`);
  return rows.length === 0 ? undefined : reachOf(rows, await headBindings(reads, headId));
}

/**
 * Ids of the components of some layers that are reached, as a select without duplicates: by the rows of those layers
 * alone, and as `layer, id` where `columns` asks for both.
 */
export function reachedIn(
  { engine }: Reads | Tx,
  layers: RawBuilder<unknown>,
  reach: Reach,
  columns: "id" | "layer, id" = "id",
): RawBuilder<unknown> {
  const [id, both] = [sql.raw(columns), columns !== "id"];
  const subscriber = sql.raw(both ? "layer, subscriber as id" : "subscriber as id");
  const arms: RawBuilder<unknown>[] = [
    sql`select ${id} from component where layer in ${layers} and variant_id ${engine.within([...reach.variantIds])}`,
    sql`select ${id} from component where layer in ${layers} and id ${engine.within([...reach.componentIds])}`,
  ];
  if (reach.schemaIds.size > 0) {
    arms.push(
      sql`select ${id} from component where layer in ${layers} and schema_id ${engine.within([...reach.schemaIds])}`,
    );
  }
  if (reach.funcIds.size > 0) {
    arms.push(
      sql`select ${subscriber} from sub where layer in ${layers} and func ${engine.within([...reach.funcIds])}`,
    );
  }
  if (reach.secrets)
    arms.push(sql`select ${subscriber} from sub where layer in ${layers} and to_path like '/secrets/%'`);
  return sql.join(arms, sql` union `);
}
