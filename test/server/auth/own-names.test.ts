import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerSettings } from "../../../src/config/server-settings.ts";
import { sqlite } from "../../support/engines.ts";
import { type Person, startTestServer, type TestServer } from "../../support/server.ts";

interface Sent {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/** Asks with any `Host`, which `fetch` does not let anybody choose. */
const send = (url: string, path: string, { method = "GET", headers, body }: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

const suites: readonly [
  string,
  Partial<ServerSettings>,
  own: readonly string[],
  foreign: readonly string[],
][] = [
  [
    "that was told no name",
    {},
    ["127.0.0.1:5380", "10.1.2.3", "[::1]:5380", "localhost:80", "LOCALHOST", "a.localhost:1"],
    [
      "evil.test",
      "evil.test:5380",
      "notlocalhost",
      "localhost.evil.test",
      "127.0.0.1.evil.test",
      "a@127.0.0.1",
    ],
  ],
  ["with a name to listen on", { host: "svc.lan" }, ["svc.lan", "SVC.lan:5380"], ["a.svc.lan", "lan"]],
  [
    "with a public address",
    { publicUrl: "https://svc.example/" },
    ["127.0.0.1:5380"],
    ["evil.test", "svc.example.evil.test"],
  ],
];

describe.each(suites)("a server %s", (_what, settings, own, foreign) => {
  let server: TestServer;
  let ada: Person;
  beforeAll(async () => {
    server = await startTestServer(sqlite, { settings });
    ada = await server.person("ada");
  });
  afterAll(() => server.stop());
  const cookie = () => `svc.session_token=${ada.session}`;
  const signIn = (headers: Record<string, string>): Promise<Answer> =>
    send(server.url, "/api/auth/sign-in/email", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    });

  it.each(own)("signs in and shows pages under %s", async (host) => {
    expect((await signIn({ host, origin: `http://${host}` })).status).toBe(200);
    const page = await send(server.url, "/account", { headers: { host, cookie: cookie() } });
    expect(page.text).toContain(ada.email);
    expect((await send(server.url, "/api/whoami", { headers: { host, cookie: cookie() } })).status).toBe(200);
  });

  it.each(foreign)("signs nobody in under %s and says what to do", async (host) => {
    const answer = await signIn({ host, origin: `http://${host}` });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("INVALID_ORIGIN");
    expect(answer.text).toContain(
      settings.publicUrl === undefined
        ? `it does not know the name ${host} as its own: set server.publicUrl to the address that people use`
        : "expected the origin https://svc.example, found",
    );
  });

  it.each(foreign)("lets no cookie write under %s, by the API or a form", async (host) => {
    const origin = `http://${host}`;
    const headers = { host, origin, cookie: cookie(), "content-type": "application/json" };
    const made = await send(server.url, "/api/auth/api-key/create", { method: "POST", headers, body: "{}" });
    expect(made.status).toBe(403);
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const page = await send(server.url, "/account", { method: "POST", headers: form, body: "act=name" });
    expect(page.status).toBe(403);
    expect(page.text).toContain("own pages");
    expect(page.text).not.toContain(ada.email);
  });

  it.each(foreign)("shows nothing of anybody under %s, whatever cookie comes", async (host) => {
    const headers = { host, cookie: cookie() };
    const page = await send(server.url, "/account", { headers });
    expect([page.status, page.location]).toEqual([303, "/login?next=%2Faccount"]);
    expect((await send(server.url, "/login", { headers })).text).not.toContain("ada");
    expect((await send(server.url, "/api/whoami", { headers })).text).not.toContain("ada");
  });

  it.each(foreign)(
    "takes tokens under %s all the same, since no browser sends them by itself",
    async (host) => {
      const headers = { host, authorization: `Bearer ${ada.key}` };
      expect((await send(server.url, "/whoami", { headers })).status).toBe(200);
    },
  );
});

describe("the public address", () => {
  it("is an origin and a name of the server's own", async () => {
    const server = await startTestServer(sqlite, { settings: { publicUrl: "https://svc.example" } });
    try {
      const ada = await server.person("ada");
      const headers = { host: "svc.example", cookie: `svc.session_token=${ada.session}` };
      expect((await send(server.url, "/account", { headers })).text).toContain(ada.email);
      const made = await send(server.url, "/api/auth/api-key/create", {
        method: "POST",
        headers: { ...headers, origin: "https://svc.example", "content-type": "application/json" },
        body: "{}",
      });
      expect(made.status).toBe(200);
    } finally {
      await server.stop();
    }
  });
});
