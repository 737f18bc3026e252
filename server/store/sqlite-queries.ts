import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type KyselyProps,
  type OperationNode,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  Transaction,
  ValueNode,
} from "kysely";
import type { Tables } from "./tables.ts";

/** Answers a compiled query at once. */
export type Query = (compiled: CompiledQuery) => QueryResult<unknown>;

/**
 * Kysely over a function that answers at once: queries are built and compiled by Kysely and go there directly, since its
 * pool of connections, which would be one here, takes as long for each statement as SQLite does.
 */
export const queriesTo = (query: Query): Kysely<Tables> => new Kysely<Tables>(propsOf(query));

/** The same for those who work in a transaction that is open. */
export const transactionOn = (query: Query): Transaction<Tables> => new Transaction<Tables>(propsOf(query));

class DirectExecutor extends DefaultQueryExecutor {
  readonly #query: Query;
  constructor(query: Query, provider: ConnectionProvider) {
    super(compiler, adapter, provider);
    this.#query = query;
  }
  /** A copy with plugins is none of this class: it takes the connection, and shows the plugins what comes back. */
  override async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    // Whoever wrote the query says what its rows are, as everywhere in Kysely.
    return this.#query(compiled) as QueryResult<R>;
  }
  /** What is text with values in it, as nearly all of the store's statements are, needs no visitor of every node. */
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const written: Written = { sql: "", parameters: [] };
    return RawNode.is(node) && write(node, written)
      ? { query: node, queryId, ...written }
      : super.compileQuery(node, queryId);
  }
}

interface Written {
  sql: string;
  readonly parameters: unknown[];
}

/** Writes a node as SQLite's compiler would; false for what only that one knows. */
function write(node: OperationNode, written: Written): boolean {
  if (ValueNode.is(node)) {
    if (node.immediate === true) return false;
    written.sql += "?";
    written.parameters.push(node.value);
    return true;
  }
  if (!RawNode.is(node)) return false;
  const { sqlFragments, parameters } = node;
  for (let at = 0; at < sqlFragments.length; at++) {
    written.sql += sqlFragments[at] ?? "";
    const parameter = parameters[at];
    if (parameter !== undefined && !write(parameter, written)) return false;
  }
  return true;
}

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();

/** In place of Kysely's own, which would begin transactions beside those that writers share. */
class NoTransactions extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error("transactions are begun by `store.write`"));
  }
}
const driver = new NoTransactions();
/** Asked for nothing but what it says of SQLite: it never opens anything. */
const dialect = new SqliteDialect({ database: () => Promise.reject(new Error("opened here")) });

function propsOf(query: Query): KyselyProps {
  const connection: DatabaseConnection = {
    // The same boundary as above.
    executeQuery: async <R>(compiled: CompiledQuery) => query(compiled) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("rows are read in pages, not streamed");
    },
  };
  const executor = new DirectExecutor(query, { provideConnection: (consumer) => consumer(connection) });
  return { config: { dialect }, dialect, driver, executor };
}
