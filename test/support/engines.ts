import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { openStore, type Store, type StoreOptions } from "../../server/store/open.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { createPostgresDatabase, postgresMissing } from "./postgres.ts";

/** An empty database on a real engine. */
export interface TestDatabase {
  /** What `openStore` takes. */
  readonly url: string;
  remove(): Promise<void>;
}

/** One of the engines that the same test rows run on. */
export interface TestEngine {
  readonly name: string;
  /** Why it cannot run here; undefined when it can. */
  readonly missing: string | undefined;
  /** Makes an empty database of its own. */
  create(): Promise<TestDatabase>;
}

/** The engine that needs nothing installed. */
export const sqlite: TestEngine = { name: "SQLite", missing: undefined, create: createSqliteDatabase };

/** All engines, also those that this machine lacks: use {@link describeEngines} to skip these by name. */
export const engines: readonly TestEngine[] = [
  sqlite,
  { name: "PostgreSQL", missing: postgresMissing, create: createPostgresDatabase },
];

async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "svc-store-"));
  return {
    url: `sqlite:${join(folder, "svc.db")}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Describes the same promises once per engine; one that is missing is skipped, its title says why. */
export function describeEngines(title: string, rows: (engine: TestEngine) => void): void {
  for (const engine of engines) {
    const reason = engine.missing === undefined ? "" : ` (skipped: ${engine.missing})`;
    describe.skipIf(engine.missing !== undefined)(`${title} on ${engine.name}${reason}`, () => rows(engine));
  }
}

/** A store opened before the rows of the current `describe` and removed after them. */
export interface SuiteStore {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly url: string;
}

/** Opens one store for the current `describe`; the answer is usable inside its tests. */
export function suiteStore(
  engine: TestEngine,
  options: Omit<StoreOptions, "url" | "clock"> = {},
): SuiteStore {
  let opened: { store: Store; clock: FakeClock; database: TestDatabase } | undefined;
  const get = (): { store: Store; clock: FakeClock; database: TestDatabase } => {
    if (opened === undefined) throw new Error("the suite's store is open only inside its tests");
    return opened;
  };
  beforeAll(async () => {
    const database = await engine.create();
    const clock = fakeClock();
    opened = { database, clock, store: await openStore({ url: database.url, clock, ...options }) };
  });
  afterAll(async () => {
    await opened?.store.close();
    await opened?.database.remove();
  });
  return {
    get store() {
      return get().store;
    },
    get clock() {
      return get().clock;
    },
    get url() {
      return get().database.url;
    },
  };
}
