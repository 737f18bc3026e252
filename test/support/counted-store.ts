import type { KyselyPlugin } from "kysely";
import type { Engine } from "../../server/store/engine.ts";
import type { Store } from "../../server/store/open.ts";

/** A store that notes what it asks the database. */
export interface CountedStore {
  readonly store: Store;
  /** How many statements `work` sends; a bulk write is one, in however many pieces an engine sends it. */
  count(work: () => Promise<unknown>): Promise<number>;
}

/** Counts the statements of a store; begin and commit are not among them. */
export function countStatements(store: Store): CountedStore {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      return result;
    },
  };
  const bulk: Engine["bulk"] = async (queries, table, columns, rows, conflict) => {
    const before = statements;
    await store.engine.bulk(queries, table, columns, rows, conflict);
    statements = before + Math.min(1, rows.length);
  };
  const counted: Store = {
    ...store,
    db: store.db.withPlugin(plugin),
    engine: { ...store.engine, bulk },
    write: (work) =>
      store.write((tx) =>
        work({ ...tx, store: counted, engine: counted.engine, db: tx.db.withPlugin(plugin) }),
      ),
  };
  return {
    store: counted,
    count: async (work) => {
      statements = 0;
      await work();
      return statements;
    },
  };
}
