import { createHash, createHmac, randomBytes } from "node:crypto";
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { AskKind } from "../guest/host.ts";

/** What the engine calls while a function runs. */
export interface Hooks {
  log(stream: "stdout" | "stderr", text: string): void;
  ask(kind: AskKind, text: string): number;
  drop(ask: number): void;
  settled(text: string): void;
}

/** Most random bytes of one call, as platforms have it. */
const maximumRandom = 65_536;

/** The `Host` of `guest/host.ts` as a value inside the engine; `hooks` gives those of the run at hand. */
export function hostObject(
  context: QuickJSContext,
  hooks: () => Hooks,
  library: (name: string) => QuickJSHandle,
): QuickJSHandle {
  const host = context.newObject();
  const give = (name: string, made: (...values: QuickJSHandle[]) => QuickJSHandle | undefined): void => {
    const handle = context.newFunction(name, (...values) => {
      try {
        return made(...values);
      } catch (error) {
        // Only the sentence goes inside: a stack would tell where the server's files are.
        const sentence = error instanceof Error ? error.message : "the host could not do that";
        return { error: context.newError({ name: "TypeError", message: sentence }) };
      }
    });
    context.setProp(host, name, handle);
    handle.dispose();
  };
  const text = (handle: QuickJSHandle | undefined): string =>
    handle === undefined ? "" : context.getString(handle);
  const number = (handle: QuickJSHandle | undefined): number =>
    handle === undefined ? Number.NaN : context.getNumber(handle);
  const bytes = (handle: QuickJSHandle | undefined): Buffer => {
    if (handle === undefined) return Buffer.alloc(0);
    const view = context.getArrayBuffer(handle);
    const copy = Buffer.from(view.value);
    view.dispose();
    return copy;
  };
  const buffer = (data: Uint8Array): QuickJSHandle => context.newArrayBuffer(new Uint8Array(data).buffer);
  const streamOf = (handle: QuickJSHandle | undefined) => (text(handle) === "stderr" ? "stderr" : "stdout");

  give("log", (stream, line) => {
    hooks().log(streamOf(stream), String(JSON.parse(text(line))));
    return undefined;
  });
  give("ask", (kind, question) => context.newNumber(hooks().ask(askKind(text(kind)), text(question))));
  give("drop", (ask) => {
    hooks().drop(number(ask));
    return undefined;
  });
  give("settled", (how) => {
    hooks().settled(text(how));
    return undefined;
  });
  give("random", (length) => {
    const wanted = number(length);
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > maximumRandom)
      throw new RangeError(`random bytes come 0 to ${maximumRandom} at a time`);
    return buffer(randomBytes(wanted));
  });
  give("digest", (algorithm, data, key) => {
    const name = text(algorithm).toLowerCase().replace(/^sha-/, "sha");
    if (!/^(md5|sha1|sha224|sha256|sha384|sha512)$/.test(name))
      throw new TypeError(`no digest "${name.slice(0, 40)}": md5, sha1, sha224, sha256, sha384, sha512`);
    const keyed = key !== undefined && context.typeof(key) === "object";
    const hash = keyed ? createHmac(name, bytes(key)) : createHash(name);
    return buffer(hash.update(bytes(data)).digest());
  });
  give("url", (question) => context.newString(JSON.stringify(readUrl(JSON.parse(text(question))))));
  give("encode", (line) => buffer(Buffer.from(String(JSON.parse(text(line))), "utf8")));
  give("decode", (encoding, data) => {
    const decoder = new TextDecoder(text(encoding));
    return context.newString(JSON.stringify(decoder.decode(bytes(data))));
  });
  give("library", (name) => library(text(name)));
  return host;
}

function askKind(text: string): AskKind {
  if (text === "sleep" || text === "fetch" || text === "exec") return text;
  throw new TypeError("the host has no such thing");
}

const urlParts = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
  "origin",
] as const;

function readUrl(question: { href?: string; base?: string; part?: string; value?: string }): object | null {
  try {
    const url = new URL(
      String(question.href),
      question.base === undefined ? undefined : String(question.base),
    );
    const part = urlParts.find((name) => name === question.part);
    if (part !== undefined && part !== "origin") url[part] = String(question.value);
    return Object.fromEntries(urlParts.map((name) => [name, url[name]]));
  } catch {
    return null;
  }
}
