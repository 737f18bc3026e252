import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { handlers } from "../../../server/routes/index.ts";
import { type Endpoint, rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { sqlite } from "../../support/engines.ts";
import { exampleOf } from "../../support/example.ts";
import { createWorld, expectError, sendRow, tokenFor, type World } from "../../support/scenarios.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { requestOf } from "../runs/running.ts";
import { layerIn } from "./component-inputs.ts";

const reason = "disk I/O error in /var/lib/svc/secret.key";
let broken = false;
let server: TestServer;
let world: World;
let changeSetId: string;
/** One that is there: its tag is read before its handler is called. */
let funcRunId: string;

beforeAll(async () => {
  for (const group of Object.values(handlers) as Record<string, (...input: unknown[]) => unknown>[]) {
    for (const [name, handler] of Object.entries(group)) {
      vi.spyOn(group, name).mockImplementation((...input) => {
        if (broken) throw new Error(reason);
        return handler(...input);
      });
    }
  }
  server = await startTestServer(sqlite);
  world = await createWorld(server);
  changeSetId = await world.changeSet();
  const run = server.runs.start(requestOf(await layerIn(world, changeSetId), "function main() {}"));
  funcRunId = (await run.ended).id;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server?.stop();
});

const exampleInput = ({ query, body }: Endpoint) => ({
  changeSetId,
  componentId: "x",
  funcRunId,
  ...(query === undefined ? {} : { query: exampleOf(query) }),
  ...(body === undefined ? {} : { body: exampleOf(body) }),
});

it.each(rowsOf(api))(
  "$operation answers 500 to a failure of its own, logs why, and tells nobody",
  async (row) => {
    const { operation, endpoint } = row;
    broken = true;
    const answer = await sendRow(world, operation, exampleInput(endpoint), {
      token: tokenFor(world, endpoint, undefined),
    }).finally(() => {
      broken = false;
    });
    expectError(answer, endpoint, "internal");
    expect(answer.text).not.toContain("disk");
    const requestId = answer.headers.get("x-request-id");
    const entry = server.log.findLast(
      (line) => line["requestId"] === requestId && line.message === "request failed",
    );
    expect(entry).toMatchObject({ level: "error", operation, reason });
  },
);
