import type { Asks } from "./asks.ts";
import { bufferOf, bytesOf, utf8 } from "./bytes.ts";
import { define } from "./define.ts";
import type { Host } from "./host.ts";

type Pairs = readonly (readonly [string, string])[];

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: Pairs;
  /** Base64 of the body. */
  readonly body: string;
}

interface Init {
  readonly method?: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly redirect?: string;
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown };
}

/** `fetch`, `Headers`, `Request` and `Response`: requests are made outside, under the server's rules. */
export function installFetch(host: Host, asks: Asks): void {
  class Request {
    readonly url: string;
    readonly init: Init;
    constructor(address: unknown, init: Init = {}) {
      this.url = address instanceof Request ? address.url : String(address);
      this.init = address instanceof Request ? { ...address.init, ...init } : init;
    }
    get method(): string {
      return (this.init.method ?? "GET").toUpperCase();
    }
    get headers(): Headers {
      return new Headers(this.init.headers);
    }
  }
  class Response {
    readonly status: number;
    readonly statusText: string;
    readonly url: string;
    readonly redirected: boolean;
    readonly headers: Headers;
    readonly type = "basic";
    bodyUsed = false;
    readonly #bytes: Uint8Array;
    constructor(
      body?: unknown,
      init: Partial<Omit<Answer, "headers">> & { readonly headers?: unknown } = {},
    ) {
      this.status = init.status ?? 200;
      this.statusText = init.statusText ?? "";
      this.url = init.url ?? "";
      this.redirected = init.redirected ?? false;
      this.headers = new Headers(init.headers);
      this.#bytes = body === undefined || body === null ? new Uint8Array() : bodyBytes(host, body).bytes;
    }
    static json(value: unknown, init = {}): Response {
      return new Response(JSON.stringify(value), {
        headers: { "content-type": "application/json" },
        ...init,
      });
    }
    get ok(): boolean {
      return this.status >= 200 && this.status < 300;
    }
    clone(): Response {
      const { status, statusText, url, redirected, headers } = this;
      return new Response(this.#bytes, { status, statusText, url, redirected, headers });
    }
    #take(): Uint8Array {
      if (this.bodyUsed)
        throw new TypeError("the body was read already: keep it, or clone the response first");
      this.bodyUsed = true;
      return this.#bytes;
    }
    async bytes(): Promise<Uint8Array> {
      return this.#take();
    }
    async arrayBuffer(): Promise<ArrayBuffer> {
      return bufferOf(this.#take());
    }
    async text(): Promise<string> {
      return JSON.parse(host.decode("utf-8", bufferOf(this.#take())));
    }
    async json(): Promise<unknown> {
      return JSON.parse(await this.text());
    }
  }
  define("Headers", Headers);
  define("Request", Request);
  define("Response", Response);
  define("fetch", async (address: unknown, init: Init = {}) => {
    const request = new Request(address, init);
    if (request.init.signal?.aborted === true) throw request.init.signal.reason;
    const headers = request.headers;
    const { body } = request.init;
    const sent = body === undefined || body === null ? undefined : bodyBytes(host, body);
    if (sent?.type !== undefined && !headers.has("content-type")) headers.set("content-type", sent.type);
    const question = {
      url: request.url,
      method: request.method,
      headers: [...headers],
      redirect: request.init.redirect ?? "follow",
      ...(sent === undefined ? {} : { body: Buffer.from(sent.bytes).toString("base64") }),
    };
    const answer = (await asks.ask("fetch", question)) as Answer; // The outside answers in this shape.
    return new Response(Buffer.from(answer.body, "base64"), answer);
  });
}

function bodyBytes(host: Host, body: unknown): { readonly bytes: Uint8Array; readonly type?: string } {
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { bytes: bytesOf(body) };
  if (body instanceof URLSearchParams)
    return { bytes: utf8(host, String(body)), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  return { bytes: utf8(host, String(body)), type: "text/plain;charset=UTF-8" };
}

class Headers {
  readonly #pairs = new Map<string, string>();
  constructor(from?: unknown) {
    if (typeof from !== "object" || from === null) return;
    const pairs = Symbol.iterator in from ? [...(from as Iterable<[string, unknown]>)] : Object.entries(from);
    for (const [name, value] of pairs) this.append(name, value);
  }
  append(name: string, value: unknown): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }
  set(name: string, value: unknown): void {
    this.#pairs.set(String(name).toLowerCase(), String(value));
  }
  get(name: string): string | null {
    return this.#pairs.get(String(name).toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#pairs.has(String(name).toLowerCase());
  }
  delete(name: string): void {
    this.#pairs.delete(String(name).toLowerCase());
  }
  forEach(callback: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) callback(value, name, this);
  }
  keys(): IterableIterator<string> {
    return [...this].map(([name]) => name)[Symbol.iterator]();
  }
  values(): IterableIterator<string> {
    return [...this].map(([, value]) => value)[Symbol.iterator]();
  }
  entries(): IterableIterator<[string, string]> {
    return [...this.#pairs].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]();
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/** `AbortController` and `AbortSignal`, as far as they can be asked. */
export function installAbort(asks: Asks): void {
  class AbortSignal {
    aborted = false;
    reason: unknown;
    onabort: ((event: object) => void) | null = null;
    readonly #listeners: ((event: object) => void)[] = [];
    static timeout(ms: number): AbortSignal {
      const signal = new AbortSignal();
      asks.later(ms, () =>
        signal.end(Object.assign(new Error("signal timed out"), { name: "TimeoutError" })),
      );
      return signal;
    }
    static abort(reason?: unknown): AbortSignal {
      const signal = new AbortSignal();
      signal.end(reason);
      return signal;
    }
    addEventListener(_: string, listener: (event: object) => void): void {
      this.#listeners.push(listener);
    }
    removeEventListener(_: string, listener: (event: object) => void): void {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    }
    throwIfAborted(): void {
      if (this.aborted) throw this.reason;
    }
    end(
      reason: unknown = Object.assign(new Error("The signal has been aborted"), { name: "AbortError" }),
    ): void {
      if (this.aborted) return;
      this.aborted = true;
      this.reason = reason;
      const event = { type: "abort", target: this };
      this.onabort?.(event);
      for (const listener of [...this.#listeners]) listener(event);
    }
  }
  define("AbortSignal", AbortSignal);
  define(
    "AbortController",
    class AbortController {
      readonly signal = new AbortSignal();
      abort(reason?: unknown): void {
        this.signal.end(reason);
      }
    },
  );
}
