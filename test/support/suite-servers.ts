import { afterAll, beforeAll, describe, expect } from "vitest";
import { describeEngines, engines, type TestEngine } from "./engines.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "./server.ts";

/** The servers of the current `describe`, inside its tests. */
export interface SuiteServers {
  /** All of them, on one database. */
  readonly servers: readonly TestServer[];
  first(): TestServer;
}

/** One server, or two processes' worth on one database, before the rows of the current `describe` and stopped after them. */
export function suiteServers(
  engine: TestEngine,
  processes: 1 | 2,
  options: TestServerOptions = {},
): SuiteServers {
  const servers: TestServer[] = [];
  beforeAll(async () => {
    servers.push(await startTestServer(engine, options));
    for (const first of servers.slice(0, processes - 1))
      servers.push(await startTestServer(engine, { ...options, beside: first }));
  });
  afterAll(async () => {
    for (const server of servers.toReversed()) await server.stop();
  });
  return {
    servers,
    first: () => servers[0] ?? expect.unreachable("the servers run only inside tests"),
  };
}

/** Describes the same promises of one server on each engine, and, under its own title, of two on one PostgreSQL. */
export function describeProcesses(
  one: string,
  two: string,
  rows: (engine: TestEngine, processes: 1 | 2) => void,
): void {
  describeEngines(one, (engine) => rows(engine, 1));
  for (const engine of engines.filter(({ name }) => name === "PostgreSQL"))
    describe.skipIf(engine.missing !== undefined)(two, () => rows(engine, 2));
}
