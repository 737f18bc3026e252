import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNetwork } from "../../../server/sandbox/network.ts";
import { createJudge, type NetworkRules } from "../../../server/sandbox/network-rules.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const heard: {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}[] = [];
const ways: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "/json": (_, response) =>
    response.setHeader("content-type", "application/json").setHeader("x-a", ["1", "2"]).end('{"a":[1,"ü"]}'),
  "/missing": (_, response) => response.writeHead(404, "Not Here").end("no"),
  "/gzip": (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("zipped")),
  "/br": (_, response) => response.setHeader("content-encoding", "br").end(brotliCompressSync("packed")),
  "/bomb": (_, response) =>
    response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  "/endless": (_, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(100_000)));
    };
    response.on("drain", write);
    write();
  },
  "/inside": (_, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
  "/around": (_, response) => response.writeHead(302, { location: "/around" }).end(),
  "/see-other": (_, response) => response.writeHead(303, { location: "/json" }).end(),
  "/silent": () => {},
};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    heard.push({
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    (ways[request.url ?? ""] ?? ((_, answer) => answer.end("ok")))(request, response);
  });
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const rules: NetworkRules = { mode: "allow-list", hosts: ["127.0.0.1", "*.example.test"] };

describe("the rules of the network", () => {
  const judge = (mode: NetworkRules["mode"], hosts: readonly string[] = []) => createJudge({ mode, hosts });
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
  ])("close %s, whatever its name", (address) => {
    expect(judge("on").refuseAddress("name.test", address)).toBe(
      `functions may not reach name.test: ${address} is not a public address`,
    );
    expect(judge("allow-list", ["*.test"]).refuseAddress("name.test", address)).toContain(
      "is not a public address",
    );
  });

  it.each(["8.8.8.8", "172.32.0.1", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "leave %s open",
    (address) => {
      expect(judge("on").refuseAddress("name.test", address)).toBeUndefined();
    },
  );

  it("open what is listed: a name, names below one, an address, a range", () => {
    const listed = judge("on", ["inner.test", "10.1.0.0/16", "fd00::/8", "127.0.0.1"]);
    expect(listed.refuseAddress("inner.test", "192.168.0.1")).toBeUndefined();
    expect(listed.refuseAddress("x.test", "10.1.2.3")).toBeUndefined();
    expect(listed.refuseAddress("x.test", "::ffff:10.1.2.3")).toBeUndefined();
    expect(listed.refuseAddress("x.test", "fd12::1")).toBeUndefined();
    expect(listed.refuseAddress("x.test", "10.2.0.1")).toBeDefined();
    const names = judge("allow-list", ["API.example.test", "*.open.test"]);
    expect(
      ["api.example.test", "a.open.test", "a.b.open.test"].map((name) => names.refuseHost(name)),
    ).toEqual([undefined, undefined, undefined]);
    expect(
      ["open.test", "xapi.example.test", "other.test", "api.example.test.evil.test", "evilopen.test"].filter(
        (name) => names.refuseHost(name) === undefined,
      ),
    ).toEqual([]);
  });

  it("are off unless somebody turns them on", () => {
    expect(judge("off", ["127.0.0.1"]).refuseHost("127.0.0.1")).toBe(
      "functions have no network access on this server",
    );
  });

  it("say what is wrong with a host", () => {
    expect(() => judge("on", ["http://x.test/"])).toThrow(
      'expected a host name, *.name, an address or a range, got "http://x.test/"',
    );
  });
});

describe("fetch in a function", () => {
  const { value, run } = sandboxFixture({ network: rules });
  const fetched = (body: string) =>
    value(`async function main({ origin }) { ${body} }`, { input: { origin } });

  it("gives status, headers and the body in every form", async () => {
    expect(
      await fetched(
        "const r = await fetch(origin + '/json'); return [r.status, r.ok, r.url === origin + '/json', r.redirected, r.headers.get('X-A'), [...r.headers.keys()].includes('content-type'), await r.clone().text(), await r.json()];",
      ),
    ).toEqual([200, true, true, false, "1, 2", true, '{"a":[1,"ü"]}', { a: [1, "ü"] }]);
    expect(
      await fetched(
        "const r = await fetch(new URL('/missing', origin)); return [r.status, r.ok, r.statusText, new Uint8Array(await r.arrayBuffer()).length];",
      ),
    ).toEqual([404, false, "Not Here", 2]);
    expect(
      await fetched(
        "return [await (await fetch(origin + '/gzip')).text(), await (await fetch(origin + '/br')).text()];",
      ),
    ).toEqual(["zipped", "packed"]);
  });

  it("sends method, headers and bodies, and none of the headers that are the connection's", async () => {
    heard.length = 0;
    await fetched(
      "await fetch(origin + '/a', { method: 'put', headers: new Headers({ 'X-B': '1', Host: 'evil', Connection: 'upgrade' }), body: JSON.stringify({ ü: 1 }) }); await fetch(new Request(origin + '/b', { method: 'POST', body: new URLSearchParams({ a: '1 2' }) })); await fetch(origin + '/c', { method: 'POST', body: new Uint8Array([65, 66]) });",
    );
    expect(heard.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["PUT", "/a", '{"ü":1}'],
      ["POST", "/b", "a=1+2"],
      ["POST", "/c", "AB"],
    ]);
    expect(heard[0]?.headers).toMatchObject({ "x-b": "1", host: origin.slice(7), connection: "close" });
    expect(heard[1]?.headers["content-type"]).toBe("application/x-www-form-urlencoded;charset=UTF-8");
  });

  it("follows redirects as fetch does, and asks the rules at each", async () => {
    heard.length = 0;
    expect(
      await fetched(
        "const r = await fetch(origin + '/see-other', { method: 'POST', body: 'x' }); return [r.status, r.redirected, r.url.slice(-5)];",
      ),
    ).toEqual([200, true, "/json"]);
    expect(heard.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "x"],
      ["GET", ""],
    ]);
    expect(await fetched("return (await fetch(origin + '/see-other', { redirect: 'manual' })).status;")).toBe(
      303,
    );
    const why = (path: string) =>
      fetched(`return fetch(origin + '${path}').catch((error) => error.message);`);
    expect(await why("/inside")).toBe(
      "fetch failed: functions may not reach 169.254.169.254: 169.254.169.254 is not a public address",
    );
    expect(await why("/around")).toContain("redirects more than 20 times");
  });

  it("has an end, however long the answer is", async () => {
    const why = (path: string) =>
      fetched(`return fetch(origin + '${path}').catch((error) => error.message);`);
    expect(await why("/endless")).toContain("has more than 8 MB");
    expect(await why("/bomb")).toContain("has more than 8 MB");
    const { outcome } = await run("const main = ({ origin }) => fetch(origin + '/silent')", {
      input: { origin },
      limits: { wallMs: 300 },
    });
    expect(outcome).toMatchObject({ ended: "timedOut" });
  });

  it.each([
    ["http://localhost.example.invalid/", /not among the hosts this server allows/],
    ["http://8.8.8.8/", /not among the hosts this server allows/],
    ["ftp://127.0.0.1/", /takes http and https addresses, got ftp:/],
    ["file:///etc/passwd", /takes http and https addresses, got file:/],
    ["nonsense", /Invalid URL/],
    ["http://nobody.example.test/", /the name nobody.example.test is not known/],
  ])("says why not: %s", async (url, message) => {
    expect((await run(`const main = () => fetch(${JSON.stringify(url)})`)).outcome).toMatchObject({
      ended: "threw",
      name: "TypeError",
      message: expect.stringMatching(message),
    });
  });

  it("keeps credentials from another origin", async () => {
    heard.length = 0;
    const other = createServer((_, response) =>
      response.writeHead(307, { location: `${origin}/json` }).end(),
    );
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const question = {
      url: `http://127.0.0.1:${port}/`,
      method: "POST",
      headers: [
        ["Authorization", "Bearer x"],
        ["X-Kept", "1"],
      ],
      redirect: "follow",
      body: "eA==",
    };
    await createNetwork(rules).fetch(JSON.stringify(question), new AbortController().signal);
    other.close();
    expect(heard[0]).toMatchObject({ method: "POST", body: "x", headers: { "x-kept": "1" } });
    expect(heard[0]?.headers.authorization).toBeUndefined();
  });
});
