import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listTelemetry } from "../../../server/store/telemetry.ts";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { type HttpAnswer, type Person, startTestServer, type TestServer } from "../../support/server.ts";

/** To whom a request is attributed. */
interface Event {
  readonly distinctId: string;
  readonly actor: string | null;
  readonly operation: string;
}

/** Each title is a sentence of the specification. */
describeEngines("the rules of the request headers", (engine) => {
  let server: TestServer;
  let ada: Person;
  let eve: Person;
  let token: string;
  let collectiveId: string;
  beforeAll(async () => {
    server = await startTestServer(engine, { settings: { trustProxy: true } });
    [ada, eve] = [await server.person("ada"), await server.person("eve")];
    const slug = await makeCollective(server, ada);
    token = (await makeCollectiveToken(server, ada, slug)).key;
    const answer = await ask(`/api/v1/collectives/${slug}`, bearer(ada.key));
    collectiveId = answer.at("id");
  });
  afterAll(() => server.stop());

  let asked = 0;
  /** Each of these leaves one event. */
  const ask = (path: string, headers: Record<string, string>): Promise<HttpAnswer> => {
    asked++;
    return server.request("GET", path, { headers });
  };
  const whoami = async (headers: Record<string, string>): Promise<string | number> => {
    const answer = await ask("/api/whoami", headers);
    return answer.status === 200 ? answer.at("username") : answer.status;
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  /** What `svc server events` lists. */
  const events = async (): Promise<readonly Event[]> =>
    (await listTelemetry(server.store, 1000)).map(({ distinct_id: distinctId, ...event }) => ({
      ...event,
      distinctId,
    }));
  /** The event that a request leaves, as the operator sees it. */
  const leaves = async (headers: Record<string, string>, path = "/api/whoami"): Promise<Event> => {
    // Those of earlier requests are written in the background: none of them must come after this one's.
    await expect.poll(async () => (await events()).length).toBe(asked);
    await ask(path, { "user-agent": "test/1", ...headers });
    await expect.poll(async () => (await events()).length).toBe(asked);
    const [event] = await events();
    return event ?? expect.unreachable("there is one");
  };
  const device = (id: string) => ({ "svc-distinct-id": id });

  it("Either key header authenticates a request.", async () => {
    expect(await whoami(bearer(ada.key))).toBe("ada");
    expect(await whoami({ "x-api-key": ada.key })).toBe("ada");
    expect(await whoami({})).toBe(401);
    for (const headers of [bearer(token), { "x-api-key": token }]) {
      const answer = await ask("/api/whoami", headers);
      expect([answer.status, answer.at("collectiveId")]).toEqual([200, collectiveId]);
    }
  });
  it("When both key headers are present, Authorization takes precedence.", async () => {
    expect(await whoami({ ...bearer(ada.key), "x-api-key": eve.key })).toBe("ada");
    expect(await whoami({ ...bearer(eve.key), "x-api-key": ada.key })).toBe("eve");
    for (const bad of [`svc_${"0".repeat(32)}`, "nonsense", ada.key.slice(0, -1)])
      expect(await whoami({ ...bearer(bad), "x-api-key": ada.key })).toBe(401);
    expect(await whoami({ authorization: "", "x-api-key": ada.key })).toBe(401);
  });
  it("Svc-Distinct-Id never authenticates or authorizes a request and never resolves to a user record.", async () => {
    const id = randomUUID();
    expect(await leaves({ ...device(id), ...bearer(ada.key) })).toMatchObject({ distinctId: ada.id });
    // Whose device it was a moment ago does not matter to who comes without a key.
    expect(await leaves(device(id))).toMatchObject({ distinctId: id, actor: null });
    expect(await whoami(device(id))).toBe(401);
    for (const other of [ada.id, ada.username, ada.keyId, ada.key, collectiveId]) {
      expect(await whoami(device(other))).toBe(401);
      const { distinctId, actor } = await leaves(device(other));
      expect([distinctId, actor]).toEqual([expect.stringMatching(/^anon_[0-9a-f]{32}$/), null]);
    }
  });
  it("A session or API key always wins over Svc-Distinct-Id when the distinct_id of an event is computed.", async () => {
    const id = device(randomUUID());
    const asAda = { distinctId: ada.id, actor: ada.id };
    expect(await leaves({ ...id, ...bearer(ada.key) })).toMatchObject(asAda);
    expect(await leaves({ ...id, "x-api-key": ada.key })).toMatchObject(asAda);
    expect(await leaves({ ...id, ...bearer(ada.session) })).toMatchObject(asAda);
    expect(await leaves({ ...id, cookie: `svc.session_token=${ada.session}` })).toMatchObject(asAda);
    const asTeam = { distinctId: collectiveId, actor: collectiveId };
    expect(await leaves({ ...id, ...bearer(token) })).toMatchObject(asTeam);
    expect(await leaves({ ...device("no uuid"), ...bearer(token) })).toMatchObject(asTeam);
    expect(await leaves(bearer(token))).toMatchObject(asTeam);
  });
  it("The server validates Svc-Distinct-Id as a canonical UUID; on any other input it falls back to an anon_* hash of client IP and user agent.", async () => {
    const id = randomUUID();
    expect(await leaves(device(id.toUpperCase()))).toMatchObject({ distinctId: id });
    const from = (ip: string, agent: string, header = "not a uuid") =>
      leaves({ ...device(header), "x-forwarded-for": ip, "user-agent": agent });
    const { distinctId } = await from("10.0.0.1", "svc/1");
    expect(distinctId).toMatch(/^anon_[0-9a-f]{32}$/);
    for (const header of [
      id.replaceAll("-", ""),
      `{${id}}`,
      `urn:uuid:${id}`,
      ` ${id}x`,
      `${id}, ${id}`,
      "0",
    ])
      expect((await from("10.0.0.1", "svc/1", header)).distinctId).toBe(distinctId);
    expect((await from("10.0.0.2", "svc/1")).distinctId).not.toBe(distinctId);
    expect((await from("10.0.0.1", "svc/2")).distinctId).not.toBe(distinctId);
  });
  it("Without the header, anonymous traffic gets a per-request anon_* hash that changes on every call.", async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 5; n++) seen.add((await leaves({}, "/api/auth/get-session")).distinctId);
    expect([...seen].every((id) => /^anon_[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(seen.size).toBe(5);
  });
});
