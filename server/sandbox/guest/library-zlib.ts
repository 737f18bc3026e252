import { refusing } from "./refusals.ts";
import { compressions, crc32, decompressions, type Transform } from "./zlib.ts";
import { constants } from "./zlib-constants.ts";

// The timer that functions have: what a callback throws is heard of by the run only where a timer called it.
const { setTimeout: afterwards } = globalThis;

/** Takes the bytes, options, and who is to be told; without anybody it answers with a promise. */
type Callback = (error: unknown, result?: Uint8Array) => void;

const forms: Readonly<Record<string, Transform>> = { ...compressions, ...decompressions };

const later = (transform: Transform, data: unknown, options: unknown, done: Callback): void => {
  afterwards(() => {
    let result: Uint8Array;
    try {
      result = transform(data, options);
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  }, 0);
};

const asynchronous =
  (transform: Transform) =>
  (data: unknown, options?: unknown, done: unknown = options): Promise<Uint8Array> | undefined => {
    if (typeof done === "function") {
      later(transform, data, typeof options === "function" ? undefined : options, (error, result) =>
        error === null ? done(null, result) : done(error),
      );
      return undefined;
    }
    return new Promise((resolve, reject) =>
      later(transform, data, options, (error, result) =>
        result === undefined ? reject(error) : resolve(result),
      ),
    );
  };

/** The global `zlib`: Node's, without streams and the formats that are none of zlib's own. */
export const library: unknown = refusing(
  "zlib",
  {
    ...Object.fromEntries(Object.entries(forms).map(([name, form]) => [`${name}Sync`, form])),
    ...Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, asynchronous(form)])),
    crc32,
    constants,
  },
  "gzip, deflate, deflateRaw, gunzip, inflate, inflateRaw and unzip are, with Sync or with a callback, and crc32",
);
