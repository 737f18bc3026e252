import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";

/** A status line and headers, and the body of one answer. */
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are, which no HTTP client would, and reads until the server closes. */
function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const read: Buffer[] = [];
    socket.on("data", (data: Buffer) => read.push(data));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(read).toString("latin1");
      const [head = "", body = ""] = text.split("\r\n\r\n", 2);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), head, body });
    });
    socket.write(bytes);
  });
}

describe("headers that no client should send", () => {
  const suite = suiteServer(sqlite);
  let ada: Person;
  let eve: Person;
  beforeAll(async () => {
    [ada, eve] = [await suite.server.person("ada"), await suite.server.person("eve")];
  });
  /** A request of whoami with header lines as they are. */
  const whoami = (lines: readonly string[]): Promise<RawAnswer> =>
    sendRaw(
      suite.server.url,
      Buffer.from(
        `GET /api/whoami HTTP/1.1\r\nhost: ${new URL(suite.server.url).host}\r\nconnection: close\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`,
        "utf8",
      ),
    );

  it("are no reason to refuse a good key, which this way of asking shows", async () => {
    const answer = await whoami([`Authorization: Bearer ${ada.key}`]);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { username: "ada" }]);
  });
  it.each([
    ["two keys of different people", () => [ada.key, eve.key]],
    ["a good key and a bad one", () => [ada.key, `svc_${"0".repeat(32)}`]],
    ["a bad key and a good one", () => [`svc_${"0".repeat(32)}`, ada.key]],
    ["the same key twice", () => [ada.key, ada.key]],
    ["a key and a session", () => [ada.key, ada.session]],
  ])(
    "in two Authorization headers with %s let nobody in: which of them counts is anybody's guess",
    async (_what, tokens) => {
      const [one, two] = tokens();
      const answer = await whoami([`Authorization: Bearer ${one}`, `Authorization: Bearer ${two}`]);
      expect(answer.status).toBe(401);
      const inKeys = await whoami([`x-api-key: ${one}`, `x-api-key: ${two}`]);
      expect(inKeys.status).toBe(401);
    },
  );
  it.each([
    ["a line feed", "\n"],
    ["a carriage return", "\r"],
    ["a zero", "\u0000"],
    ["a fold", "\r\n "],
    ["a vertical tab", "\u000b"],
    ["an escape", "\u001b"],
    ["delete", "\u007f"],
  ])("with %s in a key are refused, and nothing behind it becomes a header", async (_what, control) => {
    for (const name of ["Authorization: Bearer ", "x-api-key: "]) {
      const answer = await whoami([`${name}${ada.key}${control}x-request-id: injected`]);
      expect([400, 401]).toContain(answer.status);
      expect(answer.head).not.toMatch(/injected/);
    }
  });
  it("bring nothing into the headers of an answer", async () => {
    for (const id of ["a\tset-cookie: a=b", "a b", "é", "a;b", "%0d%0aset-cookie:%20a=b", "x".repeat(129)]) {
      const { head } = await whoami([`x-request-id: ${id}`, `Authorization: Bearer ${ada.key}`]);
      expect(head).toMatch(/^x-request-id: [0-9A-Z]{26}\r?$/m);
      expect(head).not.toMatch(/set-cookie/i);
    }
  });
  it.each([
    ["in Authorization", (text: string) => [`Authorization: Bearer ${text}`]],
    ["in x-api-key", (text: string) => [`x-api-key: ${text}`]],
    ["in Svc-Distinct-Id", (text: string) => [`Svc-Distinct-Id: ${text}`]],
    ["in the cookie", (text: string) => [`cookie: svc.session_token=${text}`]],
    [
      "in all together",
      (text: string) => Array.from({ length: 40 }, (_, n) => `x-${n}: ${text.slice(0, 1_000)}`),
    ],
  ])("are 431 when they are very long %s, whoever asks", async (_what, lines) => {
    const long = ada.key + "0".repeat(20_000);
    const answer = await whoami(lines(long));
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 431, message: "the headers are too long" });
    expect(answer.body).not.toContain(ada.key.slice(12));
    expect((await whoami([`Authorization: Bearer ${ada.key}`])).status).toBe(200);
  });
  it("are only long where they are a little too long for any key", async () => {
    for (const name of ["Authorization: Bearer ", "x-api-key: ", "cookie: svc.session_token="])
      expect((await whoami([`${name}${ada.key}${"0".repeat(8_000)}`])).status).toBe(401);
  });
});
