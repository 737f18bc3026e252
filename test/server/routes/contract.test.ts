import { beforeAll, describe, expect, it } from "vitest";
import { intrinsicId } from "../../../server/read/intrinsics.ts";
import { startFunctionJob } from "../../../server/store/start-job.ts";
import { setSuspended } from "../../../server/store/users.ts";
import { type Endpoint, pathParameters, rowsOf } from "../../../src/contract/endpoint.ts";
import type { ErrorName } from "../../../src/contract/errors.ts";
import { api } from "../../../src/contract/index.ts";
import { fillPath } from "../../../src/http/address.ts";
import { maximumJsonBytes } from "../../../src/http/json-body.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, expectError, sendRow, tokenFor, type World } from "../../support/scenarios.ts";
import { type HttpAnswer, type Person, suiteServer } from "../../support/server.ts";
import { requestOf } from "../runs/running.ts";
import { layerIn } from "./component-inputs.ts";

const rows = rowsOf(api);
const guarded = rows.filter(({ endpoint }) => endpoint.access !== "none" && endpoint.access !== "optional");
const inWorkspace = rows.filter(({ endpoint }) => endpoint.access === "workspace");
const inChangeSet = rows.filter(({ endpoint }) => pathParameters(endpoint.path).includes("changeSetId"));
const withBody = rows.filter(({ endpoint }) => endpoint.body !== undefined);
const conditional = rows.filter(({ endpoint }) => endpoint.revision !== undefined);
const invalidOf = (endpoint: Endpoint): ErrorName => endpoint.invalid ?? "invalidRequest";

/** A text that JSON.stringify would not write: objects nested 70 deep. */
const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;
const malformed: readonly (readonly [what: string, body: string | Uint8Array])[] = [
  ["no JSON", "{"],
  ["an array", "[]"],
  ["a text", '"x"'],
  ["null", "null"],
  ["nothing", ""],
  ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ["a zero character", '{"x":"\\u0000"}'],
  ["half of a surrogate pair", '{"x":"\\ud800"}'],
  ["half of a surrogate pair in a name", '{"\\udc00":1}'],
  ["a member named __proto__", '{"__proto__":{"isAdmin":true}}'],
  ["nesting without end", deep],
  ["2 MB and one byte", `"${"x".repeat(maximumJsonBytes)}"`],
];

describeEngines("every row of the contract", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let owner: Person;
  let path: (endpoint: Endpoint) => string;
  beforeAll(async () => {
    world = await createWorld(suite.server);
    owner = await suite.server.person("owner");
    const changeSetId = await world.changeSet();
    const resource = { "/resource/payload": { Id: "i-1" } };
    const componentId = await world.component(changeSetId, "whole", resource);
    const { workspaceId } = world.ada;
    const layer = await layerIn(world, changeSetId);
    const run = suite.server.runs.start(requestOf(layer, "function main() { return 1; }"));
    const job = { componentId, request: { functionName: "main" }, actor: world.ada.id };
    const [managementFuncJobStateId, debugFuncJobStateId] = [
      await startFunctionJob(suite.server.store, layer, { ...job, kind: "management" }, {}),
      await startFunctionJob(suite.server.store, layer, { ...job, kind: "debug" }, {}),
    ];
    const { id: funcRunId } = await run.ended;
    const funcId = intrinsicId("si:identity");
    const { schemas } = suite.server.client(world.ada.key);
    const { schemaId } = await schemas.find({ workspaceId, changeSetId, query: { schema: "Machine" } });
    const { variantId: schemaVariantId } = await schemas.variantDefault({
      workspaceId,
      changeSetId,
      schemaId,
    });
    const ids = {
      workspaceId,
      changeSetId,
      componentId,
      schemaId,
      schemaVariantId,
      funcRunId,
      funcId,
      managementFuncJobStateId,
      debugFuncJobStateId,
      tokenId: world.fresh(),
    };
    path = (endpoint) =>
      fillPath(endpoint.path, ids) +
      (endpoint.path.endsWith("/find") ? `?componentId=${componentId}&schemaId=${schemaId}` : "") +
      (endpoint.path.endsWith("/search") ? "?q=" : "");
  });
  const ask = (
    endpoint: Endpoint,
    token?: string,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> =>
    suite.server.request(endpoint.method, path(endpoint), {
      headers,
      ...(token === undefined ? {} : { as: token }),
      ...(endpoint.body === undefined ? {} : { body: "{}" }),
    });

  describe.each(guarded)("$operation", ({ endpoint }) => {
    it("says 401 without a token, and how to bring one", async () => {
      const answer = await ask(endpoint);
      expectError(answer, endpoint, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    });

    it.each([
      ["a malformed token", "nonsense"],
      ["a key that nobody has", `svc_${"0".repeat(32)}`],
      ["a collective token that nobody has", `svc_org_${"0".repeat(32)}`],
      ["a session that nobody has", "0".repeat(64)],
    ])("says 401 to %s", async (_what, token) => {
      expectError(await ask(endpoint, token), endpoint, "unauthenticated");
    });

    it("says 401 to the key of a suspended user", async () => {
      const { server } = suite;
      const gone = await server.person(`gone${world.fresh().toLowerCase().slice(-12)}`);
      await server.store.write((tx) => setSuspended(tx, gone.id, true));
      const token = endpoint.access === "session" ? gone.session : gone.key;
      expectError(await ask(endpoint, token), endpoint, "unauthenticated");
    });
  });

  describe.each(inWorkspace)("$operation", ({ operation, endpoint }) => {
    it("says 403 to somebody else's key", async () => {
      expectError(await ask(endpoint, world.eve.key), endpoint, "forbidden");
    });
    it("says 403 to somebody else's session", async () => {
      expectError(await ask(endpoint, world.eve.session), endpoint, "forbidden");
    });
    it("takes the owner's session as Bearer, and no cookie", async () => {
      const input = { workspaceId: owner.workspaceId, changeSetId: "HEAD", componentId: "x" };
      const answer = await sendRow(world, operation, input, { token: owner.session });
      expect([401, 403]).not.toContain(answer.status);
      const cookie = { cookie: `svc.session_token=${world.ada.session}` };
      expectError(await ask(endpoint, undefined, cookie), endpoint, "unauthenticated");
    });
    it.each([
      ["unknown", "01J00000000000000000000000"],
      ["malformed", "my-workspace"],
      ["with a slash in it", "a/b"],
      ["longer than any id", "0".repeat(3000)],
    ])("says 404 for a workspace that is %s", async (_what, workspaceId) => {
      const answer = await sendRow(world, operation, { workspaceId }, { token: world.ada.key });
      expect(answer.status).toBe(404);
    });
  });

  describe.each(inChangeSet)("$operation", ({ operation, endpoint }) => {
    it.each([
      ["unknown", "01J00000000000000000000000"],
      ["malformed", "my-change-set"],
    ])("says 404 for a change set that is %s", async (_what, changeSetId) => {
      const answer = await sendRow(
        world,
        operation,
        { changeSetId, componentId: "x" },
        { token: world.ada.key },
      );
      expectError(answer, endpoint, "changeSetNotFound");
    });
    it("says 404 below a deleted change set, and only there", async () => {
      const changeSetId = await world.changeSet();
      const { workspaceId, key } = world.ada;
      await suite.server.client(key).changeSets.abandon({ workspaceId, changeSetId });
      const answer = await sendRow(world, operation, { changeSetId, componentId: "x" }, { token: key });
      expect(answer.status).toBe(endpoint.path.endsWith(":changeSetId") ? 200 : 404);
    });
  });

  describe.each(withBody)("$operation", ({ endpoint }) => {
    const send = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<HttpAnswer> => {
      const token = tokenFor(world, endpoint, undefined);
      const as = token === undefined ? {} : { as: token };
      return suite.server.request(endpoint.method, path(endpoint), { ...as, body, headers });
    };
    const refused = malformed.filter(([, body]) => body !== "" || endpoint.bodyOptional !== true);
    it.each(refused)("refuses %s", async (_what, body) => {
      expectError(await send(body), endpoint, invalidOf(endpoint));
    });
    it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
      "refuses the content type %s",
      async (type) => {
        expectError(await send("{}", { "content-type": type }), endpoint, invalidOf(endpoint));
      },
    );
    it.each(membersOf(endpoint))("refuses an object where $name is expected", async ({ name, valid }) => {
      const body = JSON.stringify({ ...valid, [name]: { not: "this" } });
      expectError(await send(body), endpoint, invalidOf(endpoint));
    });
    it.each(membersOf(endpoint).filter(({ required }) => required))(
      "refuses a body without $name, and null for it",
      async ({ name, valid }) => {
        const { [name]: _, ...rest } = valid;
        const without = await send(JSON.stringify(rest));
        expectError(without, endpoint, invalidOf(endpoint));
        expect(without.text).toContain(name);
        expectError(await send(JSON.stringify({ ...valid, [name]: null })), endpoint, invalidOf(endpoint));
      },
    );
  });

  describe.each(conditional)("$operation", ({ endpoint }) => {
    it("carries a tag, and says 304 to who has it", async () => {
      const answer = await ask(endpoint, world.ada.key);
      const etag = answer.headers.get("etag") ?? "";
      expect([answer.status, etag]).toEqual([200, expect.stringMatching(/^"[\w.-]+"$/)]);
      const again = await ask(endpoint, world.ada.key, { "if-none-match": `"old", W/${etag}` });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect((await ask(endpoint, world.ada.key, { "if-none-match": '"old"' })).text).toBe(answer.text);
    });
    it("judges the caller before the tag", async () => {
      expect((await ask(endpoint, undefined, { "if-none-match": "*", prefer: "wait=60" })).status).toBe(401);
    });
    it("answers HEAD as it answers GET, without a body", async () => {
      const answer = await suite.server.request("HEAD", path(endpoint), { as: world.ada.key });
      expect([answer.status, answer.text]).toEqual([200, ""]);
    });
  });
});

interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly valid: Readonly<Record<string, unknown>>;
}

/** The members of a row's body that are not free to be anything, each with a body in which all required ones fit. */
function membersOf({ body }: Endpoint): Member[] {
  const { properties = {}, required = [] }: { properties?: object; required?: readonly string[] } =
    Object(body);
  const valid = Object.fromEntries(required.map((name) => [name, "value"]));
  return Object.entries(properties).flatMap(([name, schema]: [string, unknown]) => {
    const kinds = JSON.stringify(schema);
    const free = !kinds.includes('"type"') || kinds.includes("patternProperties");
    return free ? [] : [{ name, required: required.includes(name), valid }];
  });
}
