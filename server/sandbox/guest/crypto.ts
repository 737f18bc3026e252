import { bufferOf, bytesOf, utf8 } from "./bytes.ts";
import { define } from "./define.ts";
import type { Host } from "./host.ts";

type Encoding = "hex" | "base64" | "base64url";

/** Randomness, digests and `Math.random`, all from outside: the engine begins every run in the same state. */
export function installCrypto(host: Host): void {
  const bytes = (data: unknown): ArrayBuffer =>
    bufferOf(typeof data === "string" ? utf8(host, data) : bytesOf(data));
  const hasher = (algorithm: string, key?: ArrayBuffer) => {
    const parts: Uint8Array[] = [];
    const self = {
      update: (data: unknown) => {
        parts.push(new Uint8Array(bytes(data)));
        return self;
      },
      digest: (encoding?: Encoding) => {
        const digest = host.digest(algorithm, bufferOf(joined(parts)), key);
        return inEncoding(new Uint8Array(digest), encoding);
      },
    };
    return self;
  };
  define("crypto", {
    getRandomValues: <View extends NodeJS.TypedArray>(view: View): View => {
      bytesOf(view).set(new Uint8Array(host.random(view.byteLength)));
      return view;
    },
    randomUUID: () => uuid(new Uint8Array(host.random(16))),
    randomBytes: (length: number) => inEncoding(new Uint8Array(host.random(length))),
    createHash: (algorithm: string) => hasher(algorithm),
    createHmac: (algorithm: string, key: unknown) => hasher(algorithm, bytes(key)),
    subtle: {
      digest: async (algorithm: string | { readonly name: string }, data: unknown) =>
        host.digest(typeof algorithm === "string" ? algorithm : algorithm.name, bytes(data)),
    },
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function inEncoding(bytes: Uint8Array, encoding?: Encoding): unknown {
  if (encoding === undefined) return Buffer.from(bytes);
  return encoding === "hex" ? hex(bytes) : Buffer.from(bytes).toString(encoding);
}

function uuid(bytes: Uint8Array): string {
  // RFC 9562 §5.4: version 4, variant 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** `Math.random` as xorshift128+ over 2 × 32 bits of `seed`. */
export function seedRandom(seed: readonly [number, number]): void {
  let [a, b] = [seed[0] | 1, seed[1] | 1];
  const next = (): number => {
    let x = a;
    a = b;
    x ^= x << 23;
    x ^= x >>> 17;
    x ^= b ^ (b >>> 26);
    b = x;
    return (a + b) >>> 0;
  };
  // 26 + 27 bits make the 53 of a number.
  Math.random = () => ((next() >>> 6) * 2 ** 27 + (next() >>> 5)) / 2 ** 53;
}
