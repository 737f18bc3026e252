import type { RawBuilder } from "kysely";
import type { Engine } from "../engine.ts";

/** One step of the database's shape; once released it never changes. */
export interface Migration {
  /** `NNNN-what`: the order is the order of names. */
  readonly name: string;
  /** The statements in order; the engine gives the type of ids. */
  statements(engine: Engine): readonly RawBuilder<unknown>[];
}
