import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { deriveKey } from "../../../server/auth/server-key.ts";
import { signingKeyOf } from "../../../server/auth/signing-key.ts";
import { createWorkspaceTokens, type WorkspaceClaims } from "../../../server/auth/workspace-tokens.ts";
import { setSuspended } from "../../../server/store/users.ts";
import {
  getHeldToken,
  listHeldTokens,
  revokeWorkspaceTokensOf,
} from "../../../server/store/workspace-tokens.ts";
import { toTimestamp } from "../../../src/lib/clock.ts";
import type { TestEngine } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import type { HttpAnswer, Person, TestServer } from "../../support/server.ts";
import { describeProcesses, suiteServers } from "../../support/suite-servers.ts";

const hour = 3_600;
const decoded = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString());
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** What holds for one server, or for two on one database. */
function rows(engine: TestEngine, processes: 1 | 2): void {
  const clock = fakeClock();
  const { servers, first } = suiteServers(engine, processes, { clock });
  const issue = (person: Person, workspaceId = person.workspaceId) =>
    first().workspaceToken(person, { workspaceId });
  const keyFor = (purpose: string): Buffer => deriveKey(first().keys.base, purpose);
  let people = 0;
  const newPerson = (): Promise<Person> => first().person(`person${people++}`);
  const held = async (): Promise<{ ada: Person; id: string; token: string }> => {
    const ada = await newPerson();
    return { ada, ...(await issue(ada)) };
  };
  const join = (person: Person, workspaceId: string): Promise<unknown> =>
    first().store.write(({ db, now }) =>
      db
        .insertInto("member")
        .values({
          workspace_id: workspaceId,
          user_id: person.id,
          role: "EDITOR",
          created_at: now,
          is_default: 0,
        })
        .execute(),
    );
  /** The statuses of requests to every server, twice each: the second is answered from memory where there is one. */
  const statuses = async (asked: (server: TestServer) => Promise<HttpAnswer>): Promise<number[]> => {
    const seen = new Set<number>();
    for (let n = 0; n < 2; n++) for (const server of servers) seen.add((await asked(server)).status);
    return [...seen];
  };
  const list =
    ({ workspaceId }: { readonly workspaceId: string }, as: string) =>
    (server: TestServer): Promise<HttpAnswer> =>
      server.request("GET", `/v1/w/${workspaceId}/change-sets`, { as });

  it("lets its user in, in either header, and says what it is without its value", async () => {
    const { ada, id, token } = await held();
    expect(await statuses(list(ada, token))).toEqual([200]);
    const headers = { "x-api-key": token };
    expect(
      await statuses((server) =>
        server.request("GET", `/v1/w/${ada.workspaceId.toLowerCase()}/change-sets`, { headers }),
      ),
    ).toEqual([200]);
    const answer = await first().request("GET", "/whoami", { as: token });
    expect(answer.body).toEqual({
      userId: ada.id,
      userEmail: ada.email,
      workspaceId: ada.workspaceId,
      token: {
        id,
        kind: "workspace",
        name: "setup",
        version: "2",
        userId: ada.id,
        workspaceId: ada.workspaceId,
        role: "automation",
        sub: ada.id,
        jti: id,
        iat: Math.floor(clock.now() / 1000),
        exp: Math.floor(clock.now() / 1000) + hour,
      },
    });
    expect(answer.text).not.toContain(token.slice(-20));
  });

  it("is an ES256 JWT that names its key", async () => {
    const { token } = await held();
    const [header] = token.split(".");
    expect(decoded(header)).toEqual({ alg: "ES256", typ: "JWT", kid: expect.any(String) });
  });

  it("is good in its own workspace only, where its user may be elsewhere too", async () => {
    const { ada, token } = await held();
    const other = await newPerson();
    const { workspaceId } = other;
    await join(ada, workspaceId);
    expect(await statuses(list(other, ada.key))).toEqual([200]);
    expect(await statuses(list(other, token))).toEqual([401]);
    expect(await statuses(list({ workspaceId: "x" }, token))).toEqual([401]);
    const asking = (id: string) => (server: TestServer) =>
      server.request("GET", "/whoami", { as: token, headers: { "x-workspace-id": id } });
    expect(await statuses(asking(workspaceId))).toEqual([403]);
    expect(await statuses(asking(ada.workspaceId.toLowerCase()))).toEqual([200]);
  });

  it("is nobody on the API of keys and accounts", async () => {
    const { token } = await held();
    for (const path of ["/api/whoami", "/api/auth/api-key/list"])
      expect(await statuses((server) => server.request("GET", path, { as: token })), path).toEqual([401]);
    const session = await first().request("GET", "/api/auth/get-session", { as: token });
    expect([session.status, session.body]).toEqual([200, null]);
  });

  it("stands for its user in the management of workspaces", async () => {
    const { ada, token } = await held();
    const answer = await first().request("GET", "/management/workspaces", { as: token });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(ada.workspaceId)]);
  });

  it("reaches no other workspace of its user's, and makes no token", async () => {
    const { ada, token } = await held();
    const body = { displayName: "other", description: "", instanceUrl: "https://svc.example.org" };
    const other = await first().request("POST", "/management/workspaces", { as: ada.key, body });
    const path = `/management/workspaces/${other.at("id")}`;
    for (const [method, rest] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/members"],
      ["POST", "/members"],
      ["DELETE", "/leave"],
    ] as const) {
      const request = { as: token, ...(method === "PATCH" || method === "POST" ? { body: {} } : {}) };
      expect((await first().request(method, `${path}${rest}`, request)).status).toBe(401);
    }
    const made = await first().request("POST", "/management/workspaces", {
      as: token,
      body: { ...body, createSetupToken: true },
    });
    expect([made.status, made.at("message")]).toEqual([400, expect.stringContaining("createSetupToken")]);
  });

  it("has the rights that its user has now, and none once the user has left", async () => {
    const owner = await newPerson();
    const guest = await newPerson();
    const { workspaceId } = owner;
    await join(guest, workspaceId);
    const { token } = await issue(guest, workspaceId);
    expect(await statuses(list(owner, token))).toEqual([200]);
    await first().store.write(({ db }) =>
      db
        .deleteFrom("member")
        .where("user_id", "=", guest.id)
        .where("workspace_id", "=", workspaceId)
        .execute(),
    );
    expect(await statuses(list(owner, token))).toEqual([401]);
    expect(await statuses((server) => server.request("GET", "/whoami", { as: token }))).toEqual([401]);
    expect(
      await statuses((server) => server.request("GET", "/management/workspaces", { as: token })),
    ).toEqual([401]);
  });

  it("rests while its user is suspended", async () => {
    const { ada, token } = await held();
    expect(await statuses(list(ada, token))).toEqual([200]);
    await first().store.write((tx) => setSuspended(tx, ada.id, true));
    expect(await statuses(list(ada, token))).toEqual([401]);
    await first().store.write((tx) => setSuspended(tx, ada.id, false));
    expect(await statuses(list(ada, token))).toEqual([200]);
  });

  it("ends with its last second", async () => {
    const { ada, token } = await held();
    await clock.advance((hour - 1) * 1000);
    expect(await statuses(list(ada, token))).toEqual([200]);
    await clock.advance(1000);
    expect(await statuses(list(ada, token))).toEqual([401]);
  });

  it("is refused from the very next request once it was revoked, for good, and others are not", async () => {
    const { ada, id, token } = await held();
    const another = await issue(ada);
    expect(await statuses(list(ada, token))).toEqual([200]);
    const path = `/management/workspaces/${ada.workspaceId}/authTokens/${id}/revoke`;
    const revoke = () => first().request("POST", path, { as: ada.key });
    const revoked = await revoke();
    expect(revoked.body).toMatchObject({ authToken: { id, revokedAt: toTimestamp(clock.now()) } });
    expect(await statuses(list(ada, token))).toEqual([401]);
    expect(await statuses(list(ada, another.token))).toEqual([200]);
    await clock.advance(1000);
    expect((await revoke()).body).toEqual(revoked.body);
  });

  it("lets go of the requests that it holds when it is revoked", async () => {
    const { ada, token } = await held();
    const etag = (await list(ada, token)(first())).headers.get("etag") ?? "";
    const waiting = servers.map((server) =>
      server.request("GET", `/v1/w/${ada.workspaceId}/change-sets`, {
        as: token,
        headers: { "if-none-match": etag, prefer: "wait=60" },
      }),
    );
    await statuses(list(ada, ada.key));
    const { store } = first();
    expect(await store.write((tx) => revokeWorkspaceTokensOf(tx, ada.workspaceId))).toBe(1);
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(401);
    expect(await store.write((tx) => revokeWorkspaceTokensOf(tx, ada.workspaceId))).toBe(0);
    expect(await listHeldTokens(store, ada.workspaceId)).toMatchObject([
      { token: { revokedAt: clock.now() } },
    ]);
  });

  it("is noted as used at most once a minute", async () => {
    const { ada, id, token } = await held();
    const used = async () => (await getHeldToken(first().store, ada.workspaceId, id)).token.lastUsedAt;
    const at = clock.now();
    await statuses(list(ada, token));
    await expect.poll(used).toBe(at);
    await clock.advance(59_999);
    await statuses(list(ada, token));
    expect(await used()).toBe(at);
    await clock.advance(1);
    await statuses(list(ada, token));
    await expect.poll(used).toBe(at + 60_000);
  });

  it("is not made for a workspace that is gone", async () => {
    const ada = await newPerson();
    await expect(issue(ada, "01J0000000000000000000000X")).rejects.toMatchObject({
      error: "workspaceNotFound",
    });
  });

  describe("of somebody else's making", () => {
    let ada: Person;
    let token: string;
    let claims: WorkspaceClaims;
    beforeAll(async () => {
      const made = await held();
      ({ ada, token } = made);
      claims = decoded(token.split(".")[1]) as WorkspaceClaims;
    });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const strange = (payload: object, key = privateKey): Promise<string> =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg: "ES256", typ: "JWT" }).sign(key);
    const own = (payload: object): Promise<string> => strange(payload, signingKeyOf(keyFor).privateKey);
    const part = (n: number): string => token.split(".")[n] ?? "";

    const forgeries: readonly (readonly [string, () => string | Promise<string>])[] = [
      ["no signature", () => `${part(0)}.${part(1)}.`],
      ["the algorithm none", () => new UnsecuredJWT({ ...claims }).encode()],
      ["the algorithm none and a signature", () => `${encoded({ alg: "none" })}.${part(1)}.${part(2)}`],
      [
        "another claim under the same signature",
        () => `${part(0)}.${encoded({ ...claims, exp: claims.exp + hour })}.${part(2)}`,
      ],
      [
        "another header under the same signature",
        () => `${encoded({ ...decoded(part(0)), kid: "x" })}.${part(1)}.${part(2)}`,
      ],
      [
        "another signature",
        () => `${part(0)}.${part(1)}.${part(2).replace(/^./, (c) => (c === "A" ? "B" : "A"))}`,
      ],
      [
        "the public key as a shared secret",
        () => {
          const pem = signingKeyOf(keyFor).publicKey.export({ type: "spki", format: "pem" });
          const text = `${encoded({ alg: "HS256", typ: "JWT" })}.${part(1)}`;
          return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
        },
      ],
      ["another key", () => strange(claims)],
      [
        "the key of another server",
        () => createWorkspaceTokens((purpose) => Buffer.alloc(32, purpose.length), clock).sign(claims),
      ],
      ["an id that nobody has", () => own({ ...claims, jti: "01J0000000000000000000000X" })],
      [
        "another user than the one it was made for",
        async () =>
          own({ ...claims, userId: "01J0000000000000000000000X", sub: "01J0000000000000000000000X" }),
      ],
      ["a subject that is not its user", () => own({ ...claims, sub: "01J0000000000000000000000X" })],
      ["another version", () => own({ ...claims, version: "1" })],
      ["another role", () => own({ ...claims, role: "web" })],
      ["no expiry", () => own({ ...claims, exp: undefined })],
      ["an expiry that is text", () => own({ ...claims, exp: String(claims.exp) })],
      ["more text than any token has", () => `${token}${"A".repeat(5_000)}`],
    ];
    it.each(forgeries)("%s: 401", async (_what, forge) => {
      const forged = await forge();
      expect(await statuses(list(ada, forged))).toEqual([401]);
      expect((await first().request("GET", "/whoami", { headers: { "x-api-key": forged } })).status).toBe(
        401,
      );
    });

    it("the token itself still is good, and no cookie", async () => {
      expect(await statuses(list(ada, token))).toEqual([200]);
      const cookie = `svc.session_token=${token}`;
      expect((await first().request("GET", "/api/whoami", { headers: { cookie } })).status).toBe(401);
      expect((await first().request("GET", "/whoami", { headers: { cookie } })).status).toBe(401);
    });
    it("does not fall back to a good x-api-key", async () => {
      const forged = await strange(claims);
      const answer = await first().request("GET", "/whoami", {
        as: forged,
        headers: { "x-api-key": ada.key },
      });
      expect(answer.status).toBe(401);
    });
  });
}

describeProcesses("a workspace token", "a workspace token with two processes", rows);
