import { lookup as lookUp } from "node:dns";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { createJudge, type NetworkRules } from "./network-rules.ts";

/** Requests of functions, made by the server under its rules. */
export interface Network {
  /** Makes the request that `question` describes; gives JSON of `{value}` or `{error}` and never rejects. */
  fetch(question: string, signal: AbortSignal): Promise<string>;
}

interface Question {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly redirect: string;
  /** Base64. */
  readonly body?: string;
}

/** Most bytes of an answer, after decompression: what a run's memory holds several times. */
const maximumBody = 8 * 1024 * 1024;
/** Longest silence of the other side. */
const silenceMs = 60_000;
const maximumRedirects = 20;

/** Headers that name the connection, which is ours to make. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;
/** Headers that are for one origin only. */
const credentials = /^(authorization|cookie)$/i;

/** Makes requests under `rules`. */
export function createNetwork(rules: NetworkRules): Network {
  const judge = createJudge(rules);

  // Every address that a name stands for is judged where the connection takes it from, so nothing is looked up twice.
  const lookup: LookupFunction = (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(new Error(`the name ${host} is not known`), [], 0);
      const refused = found
        .map(({ address }) => judge.refuseAddress(host, address))
        .find((why) => why !== undefined);
      if (refused !== undefined) return done(new Error(refused), [], 0);
      const [first] = found;
      if (options.all === true || first === undefined) return done(null, found, 0);
      return done(null, first.address, first.family);
    });
  };

  const send = (url: URL, question: Question, signal: AbortSignal): Promise<IncomingMessage> => {
    const refused = refuseUrl(url);
    if (refused !== undefined) return Promise.reject(new Error(refused));
    const body = question.body === undefined ? undefined : Buffer.from(question.body, "base64");
    const headers = Object.fromEntries(question.headers.filter(([name]) => !ownHeaders.test(name)));
    return new Promise((resolve, reject) => {
      const request = (url.protocol === "https:" ? requestHttps : requestHttp)(
        url,
        {
          method: question.method,
          headers: {
            "accept-encoding": "gzip, deflate, br",
            "user-agent": "svc-function",
            accept: "*/*",
            ...headers,
            ...(body === undefined ? {} : { "content-length": body.length }),
          },
          lookup,
          agent: false,
          signal,
          timeout: silenceMs,
        },
        resolve,
      );
      request.on("timeout", () =>
        request.destroy(new Error(`${url.host} was silent for ${silenceMs / 1000} s`)),
      );
      request.on("error", reject);
      request.end(body);
    });
  };
  const refuseUrl = (url: URL): string | undefined => {
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return `fetch takes http and https addresses, got ${url.protocol}`;
    const host = hostOf(url);
    return judge.refuseHost(host) ?? (isIP(host) === 0 ? undefined : judge.refuseAddress(host, host));
  };

  const follow = async (question: Question, signal: AbortSignal): Promise<object> => {
    let url = new URL(question.url);
    let asked = question;
    for (let redirects = 0; redirects <= maximumRedirects; redirects++) {
      const answer = await send(url, asked, signal);
      const target = redirectTarget(answer, url, question.redirect);
      if (target === undefined) {
        const body = await bodyOf(answer, url);
        return answerOf(answer, url, redirects > 0, body);
      }
      answer.destroy();
      if (question.redirect === "error") throw new Error(`${url.host} redirects, which the request refuses`);
      asked = redirected(asked, answer.statusCode ?? 0, target.origin !== url.origin);
      url = target;
    }
    throw new Error(`${url.host} redirects more than ${maximumRedirects} times`);
  };

  return {
    fetch: async (text, signal) => {
      try {
        return JSON.stringify({ value: await follow(JSON.parse(text), signal) });
      } catch (error) {
        return JSON.stringify({
          error: `fetch failed: ${error instanceof Error ? sentenceOf(error) : "no reason given"}`,
        });
      }
    },
  };
}

const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

function sentenceOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNREFUSED") return "the connection was refused";
  return error.message === "" ? code : error.message;
}

function redirectTarget(
  { statusCode = 0, headers }: IncomingMessage,
  from: URL,
  redirect: string,
): URL | undefined {
  if (redirect === "manual" || ![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  return headers.location === undefined ? undefined : new URL(headers.location, from);
}

/** The request after a redirect, as fetch defines it: POST becomes GET, credentials stay with their origin. */
function redirected(question: Question, status: number, elsewhere: boolean): Question {
  const { body, ...rest } = question;
  const becomesGet =
    (status === 303 && question.method !== "HEAD") || (status < 303 && question.method === "POST");
  const headers = question.headers
    .filter(([name]) => !elsewhere || !credentials.test(name))
    .filter(([name]) => !becomesGet || !/^content-/i.test(name));
  if (becomesGet) return { ...rest, headers, method: "GET" };
  return { ...rest, headers, ...(body === undefined ? {} : { body }) };
}

async function bodyOf(answer: IncomingMessage, url: URL): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decompressed(answer)) {
    length += chunk.length;
    if (length > maximumBody) {
      answer.destroy();
      throw new Error(`the answer of ${url.host} has more than ${maximumBody / 1024 / 1024} MB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(answer: IncomingMessage): Readable {
  const ways = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const encoding = answer.headers["content-encoding"]?.toLowerCase() ?? "";
  const way = Object.entries(ways).find(([name]) => name === encoding)?.[1];
  if (way === undefined) return answer;
  const stream = way();
  answer.on("error", (error) => stream.destroy(error));
  return answer.pipe(stream);
}

function answerOf(
  { statusCode = 0, statusMessage = "", rawHeaders }: IncomingMessage,
  url: URL,
  wasRedirected: boolean,
  body: Buffer,
): object {
  const headers = rawHeaders
    .flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []))
    .filter(([name]) => !/^(content-encoding|content-length|transfer-encoding)$/i.test(name));
  return {
    status: statusCode,
    statusText: statusMessage,
    url: url.href,
    redirected: wasRedirected,
    headers,
    body: body.toString("base64"),
  };
}
