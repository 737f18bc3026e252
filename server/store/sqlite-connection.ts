import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type KyselyProps,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  Transaction,
} from "kysely";
import Libsql from "libsql";
import type { Tables } from "./tables.ts";

/** A transaction that is open, for those who work in it. */
export interface OpenTransaction {
  readonly tx: Transaction<Tables>;
  /** From here on every query through `tx` is refused: it would run by itself, outside of any transaction. */
  end(): void;
}

/** One handle on a database file; it answers at once, so that nothing ever waits for another query of it. */
export interface SqliteConnection {
  /** For queries outside transactions. */
  readonly db: Kysely<Tables>;
  /** Runs a statement that answers nothing, such as `commit`. */
  run(text: string): void;
  /** What those use who work in the transaction that `run` has begun, or in a savepoint of it. */
  transaction(): OpenTransaction;
  /** A number that moves when another handle has committed, of this process or of another. */
  version(): number;
  pragma(text: string): void;
  close(): void;
}

/** Statements kept per handle; the store's own texts are some hundreds, so that none is ever evicted in practice. */
const statementLimit = 2000;

interface Statement {
  /** Whether it answers rows. */
  readonly reads: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { readonly changes: number };
}

/**
 * Opens the file with these pragmas. Queries are built and compiled by Kysely and go to the file from there: its pool
 * of connections, which would be one here, takes as long for each statement as SQLite does.
 */
export function openConnection(path: string, pragmas: readonly string[]): SqliteConnection {
  const handle = new Libsql(path);
  for (const pragma of pragmas) handle.pragma(pragma);
  const statements = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= statementLimit) statements.clear();
    const made = handle.prepare<unknown[]>(text);
    const statement = {
      reads: made.reader,
      all: (parameters: readonly unknown[]) => made.all(parameters),
      run: (parameters: readonly unknown[]) => made.run(parameters),
    };
    statements.set(text, statement);
    return statement;
  };
  const query = ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    const statement = prepare(sql);
    if (statement.reads) return { rows: statement.all(parameters) };
    return { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] };
  };
  const version = handle.prepare<unknown[]>("pragma data_version").raw();
  return {
    db: new Kysely<Tables>(propsOf(query)),
    run: (text) => void prepare(text).run([]),
    transaction: () => {
      let isOver = false;
      const tx = new Transaction<Tables>(
        propsOf((compiled) => {
          if (isOver) throw new Error("the transaction is over");
          return query(compiled);
        }),
      );
      return { tx, end: () => (isOver = true) };
    },
    version: () => numberIn(version.get()),
    pragma: (text) => void handle.pragma(text),
    close: () => void handle.close(),
  };
}

type Query = (compiled: CompiledQuery) => QueryResult<unknown>;

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

/** The one column of a row read raw; throws for anything else, since what is kept relies on it. */
function numberIn(row: unknown): number {
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  if (typeof value !== "number") throw new Error("the database does not tell when it changes");
  return value;
}
