import { define, defineLazily } from "./define.ts";
import type { Host } from "./host.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes of a view or buffer, without those beside it. */
export function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError("expected bytes: a typed array, a DataView or an ArrayBuffer");
}

/** A buffer of its own that holds exactly `bytes`, as the outside takes it. */
export const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** UTF-8 of a text. */
export const utf8 = (host: Host, text: string): Uint8Array =>
  new Uint8Array(host.encode(JSON.stringify(text)));

/** Texts and bytes: encoders, `atob`, `btoa`, and `Buffer` when it is touched. */
export function installBytes(host: Host): void {
  const { parse } = JSON;
  define(
    "TextEncoder",
    class TextEncoder {
      readonly encoding = "utf-8";
      encode(text = ""): Uint8Array {
        return utf8(host, String(text));
      }
    },
  );
  define(
    "TextDecoder",
    class TextDecoder {
      readonly encoding: string;
      constructor(encoding = "utf-8") {
        this.encoding = String(encoding).toLowerCase();
      }
      decode(data?: unknown): string {
        if (data === undefined) return "";
        return parse(host.decode(this.encoding, bufferOf(bytesOf(data))));
      }
    },
  );
  define("btoa", (text: unknown) => encodeBase64(String(text)));
  define("atob", (text: unknown) => decodeBase64(String(text)));
  defineLazily("Buffer", () => host.library("buffer"));
}

function encodeBase64(text: string): string {
  let made = "";
  for (let at = 0; at < text.length; at += 3) {
    const codes = [0, 1, 2].map((offset) => text.charCodeAt(at + offset));
    if (codes.some((code) => code > 255))
      throw new RangeError("btoa takes characters up to U+00FF: encode the text as bytes first");
    const [a = 0, b = Number.NaN, c = Number.NaN] = codes;
    made += alphabet.charAt(a >> 2) + alphabet.charAt(((a & 3) << 4) | ((b || 0) >> 4));
    made += Number.isNaN(b) ? "=" : alphabet.charAt(((b & 15) << 2) | ((c || 0) >> 6));
    made += Number.isNaN(c) ? "=" : alphabet.charAt(c & 63);
  }
  return made;
}

function decodeBase64(text: string): string {
  const clean = text.replace(/[\t\n\f\r ]/g, "").replace(/={1,2}$/, "");
  if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) throw new RangeError("the text is not base64");
  let made = "";
  let held = 0;
  let bits = 0;
  for (const character of clean) {
    held = ((held << 6) | alphabet.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    made += String.fromCharCode((held >> bits) & 255);
  }
  return made;
}
