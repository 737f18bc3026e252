import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, pathParameters, rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { fillPath, queryString } from "../../../src/http/address.ts";
import { describeEngines } from "../../support/engines.ts";
import { exampleOf } from "../../support/example.ts";
import { createWorld, expectError, tokenFor, type World } from "../../support/scenarios.ts";
import { type HttpAnswer, suiteServer } from "../../support/server.ts";
import { bound, withSchema } from "./binding-inputs.ts";

const rows = rowsOf(api);
const withBody = rows.filter(({ endpoint }) => endpoint.body !== undefined);
const withQuery = rows.filter(({ endpoint }) => endpoint.query !== undefined);
/** Parameters of a row's path below its workspace. */
const below = (endpoint: Endpoint): string[] =>
  pathParameters(endpoint.path).filter((name) => name !== "workspaceId");
const belowWorkspace = rows.filter(
  ({ endpoint }) => endpoint.access === "workspace" && below(endpoint).length > 0,
);
/** Rows that count attempts: they would only test their limit. */
const limited = new Set(["accounts.signInEmail", "accounts.signInUsername", "accounts.signUp"]);
/** Rows that say 422 to a schema that they could install or unlock if anybody had it. */
const installing = new Set(["schemas.unlock", "packages.install"]);

interface Declared {
  readonly type?: string;
  readonly maxLength?: number;
  readonly anyOf?: readonly Declared[];
}
const declaredIn = (schema: unknown): [name: string, declared: Declared][] =>
  Object.entries((schema as { properties?: Record<string, Declared> } | undefined)?.properties ?? {});
/** The kind of a member, through `null` alternatives. */
const kindOf = (declared: Declared): Declared =>
  declared.anyOf?.find(({ type }) => type !== "null") ?? declared;

/** Values that no member of a request should be able to take the server down with. */
const nasty = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.replaceAll("\u0000", "0")),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "__proto__",
    "../../etc/passwd",
    "%00",
    "' or 1=1 --",
    "x".repeat(100_000),
    Number.MAX_SAFE_INTEGER,
    -0,
    1e308,
    Array.from({ length: 50_000 }, () => "x"),
    Array.from({ length: 2_000 }, (_, n) => `01J${String(n).padStart(23, "0")}`),
    Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`/domain/labels/${n}`, "x"])),
    { __proto__: null, constructor: { prototype: { polluted: true } } },
  ),
);

describeEngines("whatever is sent", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  let ids: Record<string, string>;
  beforeAll(async () => {
    world = await createWorld(suite.server);
    const changeSetId = await world.changeSet();
    const componentId = await world.component(changeSetId);
    // A function may be bound and changed there, so that bodies are read to their end.
    const { schemaId, schemaVariantId } = await withSchema(world, { changeSetId });
    const place = { changeSetId, schemaId, schemaVariantId, schemaName: "" };
    const funcId = await bound(world, place, "qualification");
    ids = { workspaceId: world.ada.workspaceId, changeSetId, componentId, schemaId, schemaVariantId, funcId };
  });
  const send = (endpoint: Endpoint, request: { query?: object; body?: unknown; path?: object }) => {
    const token = tokenFor(world, endpoint, undefined);
    const path = fillPath(endpoint.path, { ...ids, ...request.path });
    return suite.server.request(endpoint.method, `${path}${queryString(request.query)}`, {
      ...(token === undefined ? {} : { as: token }),
      ...(endpoint.body === undefined ? {} : { body: JSON.stringify(request.body ?? {}) }),
    });
  };
  const isAnswered = (answer: HttpAnswer): void => {
    expect({ below500: answer.status < 500, text: answer.text.slice(0, 300) }).toMatchObject({
      below500: true,
    });
    if (answer.status < 400 || answer.text === "") return;
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/\S/) });
    // A refusal quotes what was found, but never at length.
    expect(answer.text.length).toBeLessThan(2_000);
  };

  describe.each(withBody.filter(({ operation }) => !limited.has(operation)))("$operation", ({ endpoint }) => {
    const example = exampleOf(endpoint.body) as object;
    it("answers any member of its body with less than 500", async () => {
      const names = declaredIn(endpoint.body).map(([name]) => name);
      const member = names.length === 0 ? fc.string() : fc.constantFrom(...names);
      await fc.assert(
        fc.asyncProperty(member, nasty, async (name, value) => {
          isAnswered(await send(endpoint, { body: { ...example, [name]: value } }));
        }),
        { numRuns: 12 },
      );
    });
    const tooLong = declaredIn(endpoint.body).filter(
      ([, declared]) => kindOf(declared).maxLength !== undefined,
    );
    it.each(tooLong)("refuses %s when it is too long, by name", async (name, declared) => {
      const long = "x".repeat((kindOf(declared).maxLength ?? 0) + 1);
      const answer = await send(endpoint, { body: { ...example, [name]: long } });
      expectError(answer, endpoint, endpoint.invalid ?? "invalidRequest");
      expect(answer.text).toContain(name);
    });
  });

  describe.each(withQuery)("$operation", ({ endpoint }) => {
    const typed = declaredIn(endpoint.query).filter(([, declared]) => kindOf(declared).type !== "string");
    it.each(typed)("refuses a query whose %s is of another type, by name", async (name) => {
      const query = { ...(exampleOf(endpoint.query) as object), [name]: "neither-this-nor-that" };
      const answer = await send(endpoint, { query });
      expectError(answer, endpoint, endpoint.invalid ?? "invalidRequest");
      expect(answer.text).toContain(name);
    });
    it("answers any text of its query with less than 500", async () => {
      const names = declaredIn(endpoint.query).map(([name]) => name);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...names),
          fc.string({ unit: "binary", maxLength: 300 }),
          async (name, value) =>
            isAnswered(await send(endpoint, { query: { [name]: value.toWellFormed() } })),
        ),
        { numRuns: 12 },
      );
    });
  });

  describe.each(belowWorkspace)("$operation", ({ operation, endpoint }) => {
    it.each(below(endpoint))("knows nothing of a %s of another workspace", async (name) => {
      const { workspaceId } = world.eve;
      const client = suite.server.client(world.eve.key);
      const body = { changeSetName: `set ${world.fresh()}` };
      const { changeSet } = await client.changeSets.create({ workspaceId, body });
      const foreign = name === "changeSetId" ? changeSet.id : world.fresh();
      const answer = await send(endpoint, { path: { [name]: foreign }, body: exampleOf(endpoint.body) });
      expect(answer.status).toBe(name === "schemaId" && installing.has(operation) ? 422 : 404);
      expect(answer.text).not.toContain(changeSet.name);
    });
  });
});
