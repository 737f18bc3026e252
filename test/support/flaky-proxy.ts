import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the proxy does to one request. `pass` is no trouble. */
export const troubles = [
  "pass",
  "drop",
  "drop answer",
  "delay",
  "error 500",
  "error 503",
  "page 502",
  "truncate",
  "garbage",
  "other shape",
  "rate limit",
  "without tags",
] as const;
export type Trouble = (typeof troubles)[number];

/** How long `delay` keeps an answer back, and how long `rate limit` asks for. */
const delayMs = 15;
const retryAfterSeconds = 2;

/** An HTTP proxy in front of one server that makes trouble by script: each request takes the next one, then all pass. */
export class FlakyProxy {
  readonly #target: () => string;
  #script: Trouble[] = [];
  #server: Server | undefined;
  #port = 0;
  /** Moments at which a request came after a `Retry-After` that had not passed yet are for the test to judge. */
  readonly seen: { readonly trouble: Trouble; readonly path: string }[] = [];

  constructor(target: () => string) {
    this.#target = target;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Troubles for the next requests, one each, after those that are scripted already. */
  script(...next: readonly Trouble[]): void {
    this.#script.push(...next);
  }

  /** Forgets what is scripted and not yet played. */
  clear(): void {
    this.#script = [];
  }

  /** Cuts every connection, as a network that goes away does. */
  cut(): void {
    this.#server?.closeAllConnections();
  }

  async start(): Promise<void> {
    const server = createServer((incoming, answer) => this.#handle(incoming, answer));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #handle(incoming: IncomingMessage, answer: ServerResponse): void {
    const trouble = this.#script.shift() ?? "pass";
    this.seen.push({ trouble, path: incoming.url ?? "" });
    switch (trouble) {
      case "drop":
        incoming.socket.destroy();
        return;
      case "error 500":
        send(answer, 500, { message: "scripted", statusCode: 500, code: 5001 });
        return;
      case "error 503":
        send(answer, 503, { message: "scripted", statusCode: 503, code: 5031 });
        return;
      case "page 502":
        answer.writeHead(502, { "content-type": "text/html" }).end("<html>bad gateway</html>");
        return;
      case "garbage":
        answer
          .writeHead(200, { "content-type": "application/json", etag: '"garbage"' })
          .end("\u0000{[garbage");
        return;
      case "other shape":
        send(answer, 200, { changeSets: [{ id: 1 }], componentDetails: "none", nextCursor: 7 });
        return;
      case "rate limit":
        answer.setHeader("retry-after", String(retryAfterSeconds));
        send(answer, 429, { message: "scripted", statusCode: 429, code: 4291 });
        return;
      case "delay":
        setTimeout(() => this.#pass(incoming, answer, trouble), delayMs);
        return;
      case "pass":
      case "drop answer":
      case "truncate":
      case "without tags":
        this.#pass(incoming, answer, trouble);
    }
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse, trouble: Trouble): void {
    const headers = { ...incoming.headers };
    if (trouble === "without tags") {
      delete headers["if-none-match"];
      delete headers["prefer"];
    }
    const upstream = request(`${this.#target()}${incoming.url}`, { method: incoming.method, headers });
    answer.once("close", () => upstream.destroy());
    upstream.once("error", () => incoming.socket.destroy());
    upstream.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", () => incoming.socket.destroy());
      response.once("end", () => this.#answer(answer, response, Buffer.concat(chunks), trouble));
    });
    incoming.pipe(upstream);
  }

  #answer(answer: ServerResponse, response: IncomingMessage, body: Buffer, trouble: Trouble): void {
    if (answer.destroyed) return;
    if (trouble === "drop answer") {
      answer.destroy();
      return;
    }
    const headers = { ...response.headers };
    delete headers["transfer-encoding"];
    if (trouble === "without tags") delete headers["etag"];
    const status = response.statusCode ?? 502;
    // A 304 has no body, and its headers speak of the body it stands for.
    if (status !== 304) headers["content-length"] = String(body.length);
    answer.writeHead(status, headers);
    if (trouble === "truncate" && body.length > 1) {
      answer.write(body.subarray(0, body.length >> 1), () => answer.destroy());
      return;
    }
    answer.end(body);
  }
}

function send(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
