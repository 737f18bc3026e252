import { expect, it } from "vitest";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import type { TestEngine } from "../../support/engines.ts";
import type { HttpAnswer, Person } from "../../support/server.ts";
import { describeProcesses, suiteServers } from "../../support/suite-servers.ts";

/** A credential in use, and the request that takes it away. */
interface InUse {
  readonly token: string;
  /** What is asked for with it. */
  readonly path: string;
  takeAway(): Promise<HttpAnswer>;
}

/** One server, or two on one database: the first takes away, all are asked. */
function rows(engine: TestEngine, processes: 1 | 2): void {
  const { servers, first } = suiteServers(engine, processes);
  let people = 0;
  const person = (): Promise<Person> => first().person(`person${people++}`);
  const management = ({ workspaceId }: Person, rest: string) =>
    `/management/workspaces/${workspaceId}${rest}`;

  const kinds: readonly (readonly [what: string, make: () => Promise<InUse>])[] = [
    [
      "a personal key that is revoked",
      async () => {
        const { session, key, keyId } = await person();
        const body = { keyId, enabled: false };
        const takeAway = () => first().request("POST", "/api/auth/api-key/update", { as: session, body });
        return { token: key, path: "/api/whoami", takeAway };
      },
    ],
    [
      "a personal key that deletes itself",
      async () => {
        const { key, keyId, workspaceId } = await person();
        const takeAway = () =>
          first().request("POST", "/api/auth/api-key/delete", { as: key, body: { keyId } });
        return { token: key, path: `/v1/w/${workspaceId}/change-sets`, takeAway };
      },
    ],
    [
      "a session that signs out",
      async () => {
        const { session } = await person();
        const takeAway = () => first().request("POST", "/api/auth/sign-out", { as: session, body: {} });
        return { token: session, path: "/api/whoami", takeAway };
      },
    ],
    [
      "a token of a collective that is revoked",
      async () => {
        const ada = await person();
        const slug = await makeCollective(first(), ada);
        const { id, key } = await makeCollectiveToken(first(), ada, slug);
        await first().request("POST", management(ada, "/collectives"), { as: ada.key, body: { slug } });
        const path = `/api/v1/collectives/${slug}/api-tokens/${id}`;
        const takeAway = () => first().request("PATCH", path, { as: ada.key });
        return { token: key, path: `/v1/w/${ada.workspaceId}/change-sets`, takeAway };
      },
    ],
    [
      "a workspace token that is revoked",
      async () => {
        const ada = await person();
        const { id, token } = await first().workspaceToken(ada);
        const path = management(ada, `/authTokens/${id}/revoke`);
        const takeAway = () => first().request("POST", path, { as: ada.key });
        return { token, path: `/v1/w/${ada.workspaceId}/change-sets`, takeAway };
      },
    ],
  ];

  it.each(kinds)("lets nothing in that begins after the answer: %s", async (_what, make) => {
    const { token, path, takeAway } = await make();
    let gone = false;
    const inTime = new Set<number>();
    const tooLate = new Set<number>();
    const use = async (n: number): Promise<void> => {
      const server = servers[n % servers.length] ?? first();
      // Some more after the end, whichever of them begins first.
      for (let late = 0; late < 5; ) {
        const began = gone;
        const { status } = await server.request("GET", path, { as: token });
        (began ? tooLate : inTime).add(status);
        if (began) late++;
      }
    };
    const users = Array.from({ length: 8 }, (_, n) => use(n));
    await expect.poll(() => inTime.has(200)).toBe(true);
    const answer = await takeAway();
    gone = true;
    await Promise.all(users);
    expect(answer.status).toBe(200);
    expect([...tooLate]).toEqual([401]);
    expect([...inTime].filter((status) => status !== 200 && status !== 401)).toEqual([]);
  });

  it("takes away once what several take away at once, and says so to all", async () => {
    const ada = await person();
    const slug = await makeCollective(first(), ada);
    const { id, key } = await makeCollectiveToken(first(), ada, slug);
    const path = `/api/v1/collectives/${slug}/api-tokens/${id}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        (servers[n % servers.length] ?? first()).request("PATCH", path, { as: ada.key }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { entries } = Object(
      (await first().request("GET", `/api/v1/collectives/${slug}/audit`, { as: ada.key })).body,
    );
    const kinds = entries.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain("collective_token.revoked");
    expect((await first().request("GET", "/api/whoami", { as: key })).status).toBe(401);
  });
}

describeProcesses("what is taken away while it is used", "what is taken away while two servers use it", rows);
