import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, pathParameters, rowsOf } from "../../../src/contract/endpoint.ts";
import { errorNameOf } from "../../../src/contract/errors.ts";
import { api } from "../../../src/contract/index.ts";
import { fillPath } from "../../../src/http/address.ts";
import { formOf } from "../../../src/http/form.ts";
import { describeEngines, sqlite } from "../../support/engines.ts";
import { exampleOf } from "../../support/example.ts";
import { type HttpAnswer, startTestServer, type TestServer } from "../../support/server.ts";
import { type Asker, askers } from "./matrix-callers.ts";
import { type Needs, needs } from "./matrix-needs.ts";
import { makePlace, type Place, type Where } from "./matrix-place.ts";
import { type Verdict, verdictOf } from "./matrix-verdict.ts";

const rows = rowsOf(api);
const needsOf = (operation: string): Needs =>
  needs[operation] ??
  expect.unreachable(
    `${operation} has no line in matrix-needs.ts: add which role in a workspace or a collective it needs, or \`own\` where its access says it all`,
  );

describe("the table of needs", () => {
  it.each(rows)("$operation is in it, and says what its path asks for", ({ operation, endpoint }) => {
    const { workspace, collective } = needsOf(operation);
    const names = pathParameters(endpoint.path);
    expect(workspace !== undefined).toBe(names.includes("workspaceId"));
    if (workspace === undefined) expect(collective !== undefined).toBe(names.includes("slug"));
  });
  it("names nothing that the contract does not have", () => {
    const operations = new Set(rows.map(({ operation }) => operation));
    expect(Object.keys(needs).filter((operation) => !operations.has(operation))).toEqual([]);
  });
});

/** Refusals of who calls: what an admitted caller is told is anything else. */
const refusals: ReadonlySet<string> = new Set([
  "unauthenticated",
  "forbidden",
  "sessionRequired",
  "userRequired",
  "invalidOrigin",
  "workspaceQuarantined",
  "workspaceNotFound",
  "collectiveNotFound",
]);

function verdictIn({ status, body, text }: HttpAnswer, { stranger }: Needs): Verdict {
  if (status >= 500) return expect.unreachable(`answered ${status}: ${text}`);
  const name = errorNameOf(status, Object(body).code);
  if (name === undefined) return "admitted";
  const refused = status === 401 || status === 403 || refusals.has(name) || name === stranger;
  return refused ? name : "admitted";
}

/** Whom a row takes something away from that lets in; who is nobody has nothing to lose. */
const loses = (operation: string, { standing }: Asker): boolean =>
  needsOf(operation).spoils === true && standing.kind !== "nobody";

/** Rows that are asked about a change set of their own: in the head they say something before they look at roles. */
const ofChangeSet = /^changeSets\.(forceApply|requestApproval|approve|reject|reopen)$/;

describeEngines("who may call", (engine) => {
  // What engines differ in are statements, not rules: a third of the columns, other ones in each row, shows these.
  const columnsOf = (operation: string): readonly Asker[] => {
    if (engine.name === sqlite.name) return askers;
    const row = rows.findIndex((one) => one.operation === operation);
    // Where each of them has everything made anew, a few do.
    const every = needsOf(operation).spoils === true ? 9 : 3;
    return askers.filter((_, column) => (row + column) % every === 0);
  };
  let server: TestServer;
  let place: Place;
  beforeAll(async () => {
    server = await startTestServer(engine);
    place = await makePlace(server);
  });
  afterAll(() => server.stop());

  const send = (operation: string, endpoint: Endpoint, asker: Asker, where: Where): Promise<HttpAnswer> => {
    const id = server.store.id();
    const names = pathParameters(endpoint.path).map((name) => [name, id]);
    const ids = {
      ...Object.fromEntries(names),
      workspaceId: place.workspaceIds[where],
      changeSetId: ofChangeSet.test(operation) && where === "open" ? place.changeSetId : "HEAD",
      slug: place.slug,
    };
    const body = bodyOf(operation, endpoint, place);
    return server.request(endpoint.method, fillPath(endpoint.path, ids), {
      headers: asker.headers(place, where, server.url),
      ...(body === undefined ? {} : { body }),
    });
  };
  /** All cells of a row at once; those that spoil something one after the other, each with all of it made anew. */
  const ask = async (operation: string, endpoint: Endpoint, where: Where): Promise<void> => {
    const columns = columnsOf(operation);
    const expected = new Map(
      columns.map((asker) => [asker.name, verdictOf(endpoint, needsOf(operation), asker, where)]),
    );
    const found = new Map<string, Verdict>();
    const look = async (asker: Asker): Promise<void> => {
      found.set(asker.name, verdictIn(await send(operation, endpoint, asker, where), needsOf(operation)));
    };
    const spoils = (asker: Asker): boolean =>
      expected.get(asker.name) === "admitted" && loses(operation, asker);
    await Promise.all(columns.filter((asker) => !spoils(asker)).map(look));
    for (const asker of columns.filter(spoils)) {
      await look(asker);
      place = await makePlace(server);
    }
    const inOrder = (verdicts: Map<string, Verdict>) =>
      Object.fromEntries(columns.map(({ name }) => [name, verdicts.get(name)]));
    expect(inOrder(found)).toEqual(inOrder(expected));
  };

  it.each(rows)("$operation", ({ operation, endpoint }) => ask(operation, endpoint, "open"));
  it.each(rows.filter(({ endpoint }) => pathParameters(endpoint.path).includes("workspaceId")))(
    "$operation in a workspace that the operator closed",
    ({ operation, endpoint }) => ask(operation, endpoint, "closed"),
  );
});

/** Shaped as the row wants it where the caller is judged after it was read; empty where that comes first. */
function bodyOf(operation: string, endpoint: Endpoint, { slug }: Place): unknown {
  if (endpoint.body === undefined) return undefined;
  if (endpoint.multipart !== undefined) return formOf(endpoint.multipart, "");
  if (operation === "collectiveGrants.grant") return { slug };
  const { workspace, collective, key } = needs[operation] ?? {};
  const later = workspace !== undefined || collective !== undefined || key !== undefined;
  return later && endpoint.access !== "workspace" ? exampleOf(endpoint.body) : {};
}
