import { DatabaseSync } from "@photostructure/sqlite";
import type { Kysely, Transaction } from "kysely";
import { type Query, queriesTo, transactionOn } from "./sqlite-queries.ts";
import type { Tables } from "./tables.ts";

/** A transaction that is open, for those who work in it. */
export interface OpenTransaction {
  readonly tx: Transaction<Tables>;
  /** From here on every query through `tx` is refused: it would run by itself, outside of any transaction. */
  end(): void;
}

/** One handle on a database file; it answers at once, so that nothing ever waits for another query of it. */
export interface SqliteConnection {
  readonly query: Query;
  /** Runs a statement that answers nothing, such as `commit`. */
  run(text: string): void;
  /** What those use who work in the transaction that `run` has begun, or in a savepoint of it. */
  transaction(): OpenTransaction;
  /** Whether a transaction is open: what a query sees then may yet be taken back. */
  isBusy(): boolean;
  /** Whether a statement is one that writes. */
  writes(text: string): boolean;
  /** A number that moves when another handle has committed, of this process or of another. */
  version(): number;
  pragma(text: string): void;
  close(): void;
}

/** Statements kept per handle; the store's own texts are some hundreds, so that none is ever evicted in practice. */
const statementLimit = 2000;

interface Statement {
  /** Whether it answers rows. */
  readonly answers: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { readonly changes: number };
}

/**
 * Opens the file with these pragmas. A text parameter ends at a zero character: what comes from outside has none
 * (`findUnstorable`). The handle has to be held: one that nobody holds is closed, whatever its statements do.
 */
export function openConnection(path: string, pragmas: readonly string[]): SqliteConnection {
  const handle = new DatabaseSync(path);
  for (const pragma of pragmas) handle.exec(`pragma ${pragma}`);
  const statements = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= statementLimit) statements.clear();
    const made = handle.prepare(text);
    const statement = {
      answers: made.columns().length > 0,
      all: (parameters: readonly unknown[]): unknown[] => made.all(...parameters),
      run: (parameters: readonly unknown[]) => made.run(...parameters),
    };
    statements.set(text, statement);
    return statement;
  };
  const query: Query = ({ sql, parameters }) => {
    const statement = prepare(sql);
    if (statement.answers) return { rows: statement.all(parameters) };
    return { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] };
  };
  const version = handle.prepare("pragma data_version");
  return {
    query,
    run: (text) => void prepare(text).run([]),
    transaction: () => {
      let isOver = false;
      const tx = transactionOn((compiled) => {
        if (isOver) throw new Error("the transaction is over");
        return query(compiled);
      });
      return { tx, end: () => (isOver = true) };
    },
    isBusy: () => handle.isTransaction,
    writes: (text) => !/^\s*explain\b/i.test(text) && handle.prepare(`explain ${text}`).all().some(isWrite),
    version: () => numberIn(version.get()),
    pragma: (text) => handle.exec(`pragma ${text}`),
    close: () => handle.close(),
  };
}

/**
 * For queries outside transactions. They go to the writer's handle while no transaction is open on it, because it knows
 * the pages that were just committed: any other handle forgets all of its own at each commit, and takes four times as
 * long for the next statement. What writes goes to the reader, which is to refuse it.
 */
export function readsBeside(writer: SqliteConnection, reader: SqliteConnection): Kysely<Tables> {
  const harmless = new Set<string>();
  const isHarmless = (text: string): boolean => {
    if (harmless.has(text)) return true;
    if (writer.writes(text)) return false;
    if (harmless.size >= statementLimit) harmless.clear();
    harmless.add(text);
    return true;
  };
  return queriesTo((compiled) =>
    (!writer.isBusy() && isHarmless(compiled.sql) ? writer : reader).query(compiled),
  );
}

/** Whether a step of a statement begins a transaction that is to write. */
const isWrite = (step: unknown): boolean => {
  const { opcode, p2 } = step as { readonly opcode?: unknown; readonly p2?: unknown };
  return opcode === "Transaction" && p2 !== 0;
};

/** The version in a row; throws for anything else, since what is kept relies on it. */
function numberIn(row: unknown): number {
  const value: unknown =
    typeof row === "object" && row !== null && "data_version" in row ? row.data_version : undefined;
  if (typeof value !== "number") throw new Error("the database does not tell when it changes");
  return value;
}
