import { Deflate, Inflate } from "pako";
import { bytesOf } from "./bytes.ts";
import { codeOf, constants } from "./zlib-constants.ts";

/** Makes other bytes of bytes. */
export type Transform = (data: unknown, options?: unknown) => Uint8Array;

/** Bytes taken together between two looks at the limits of the run. */
const chunkSize = 16_384;

/** What is read of a caller's options, each in the bounds that zlib has for it. */
const bounds = {
  level: [constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL],
  windowBits: [constants.Z_MIN_WINDOWBITS, constants.Z_MAX_WINDOWBITS],
  memLevel: [constants.Z_MIN_MEMLEVEL, constants.Z_MAX_MEMLEVEL],
  strategy: [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED],
  finishFlush: [constants.Z_NO_FLUSH, constants.Z_BLOCK],
  maxOutputLength: [1, Number.MAX_SAFE_INTEGER],
} as const;
type Bounded = keyof typeof bounds;
type Options = Partial<Record<Bounded, number>> & { readonly dictionary?: Uint8Array };

/** What compresses, by Node's names. */
export const compressions: Readonly<Record<string, Transform>> = {
  deflate: compressing({}),
  deflateRaw: compressing({ raw: true }),
  gzip: compressing({ gzip: true }),
};

/** What undoes it: a header of zlib, none, gzip's, or either of the two. */
export const decompressions: Readonly<Record<string, Transform>> = {
  inflate: decompressing((bits) => bits),
  inflateRaw: decompressing((bits) => -bits),
  gunzip: decompressing((bits) => bits + 16),
  unzip: decompressing((bits) => bits + 32),
};

function compressing(form: { readonly raw?: boolean; readonly gzip?: boolean }): Transform {
  return (data, given) => {
    const { finishFlush = constants.Z_FINISH, maxOutputLength, ...options } = read(given);
    // Bounds were checked, so each is one of those that the types list.
    const deflate = new Deflate({ chunkSize, ...form, ...(options as object) });
    return collect(deflate, input(data), finishFlush as 4, maxOutputLength);
  };
}

function decompressing(windowBits: (bits: number) => number): Transform {
  return (data, given) => {
    const { finishFlush = constants.Z_FINISH, maxOutputLength, dictionary, windowBits: bits } = read(given);
    const inflate = new Inflate({
      chunkSize,
      windowBits: windowBits(bits ?? constants.Z_DEFAULT_WINDOWBITS),
      raw: windowBits(1) < 0,
      ...(dictionary === undefined ? {} : { dictionary }),
    });
    const made = collect(inflate, input(data), finishFlush as 4, maxOutputLength);
    if (inflate.err === 0) return made;
    throw failed(inflate.err, wordsOf(inflate.err, inflate.msg, dictionary !== undefined));
  };
}

/** Pushes all bytes through and takes what comes out, no more than is wanted. */
function collect(
  stream: Deflate | Inflate,
  bytes: Uint8Array,
  flush: 4,
  maximum = Number.POSITIVE_INFINITY,
): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  stream.onData = (chunk) => {
    length += chunk.length;
    if (length > maximum)
      throw Object.assign(new RangeError(`Cannot create a Buffer larger than ${maximum} bytes`), {
        code: "ERR_BUFFER_TOO_LARGE",
      });
    chunks.push(chunk);
  };
  stream.onEnd = () => {};
  stream.push(bytes, flush);
  return Buffer.concat(chunks);
}

function wordsOf(errno: number, message: string, hasDictionary: boolean): string {
  if (errno === constants.Z_BUF_ERROR) return "unexpected end of file";
  if (errno === constants.Z_NEED_DICT) return hasDictionary ? "Bad dictionary" : "Missing dictionary";
  return message;
}

const failed = (errno: number, message: string): Error =>
  Object.assign(new Error(message), { errno, code: codeOf(errno) });

function input(data: unknown): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  try {
    return bytesOf(data);
  } catch {
    throw Object.assign(
      new TypeError(
        `The "buffer" argument must be text or bytes: a string, Buffer, typed array, DataView or ArrayBuffer; found ${data === null ? "null" : typeof data}`,
      ),
      { code: "ERR_INVALID_ARG_TYPE" },
    );
  }
}

function read(given: unknown): Options {
  if (typeof given !== "object" || given === null) return {};
  const options: { -readonly [Name in keyof Options]: Options[Name] } = {};
  for (const name of Object.keys(bounds) as Bounded[]) {
    const value: unknown = Reflect.get(given, name);
    if (value === undefined || value === null) continue;
    const [least, most] = bounds[name];
    if (typeof value !== "number" || !(value >= least && value <= most))
      throw Object.assign(
        new RangeError(
          `The value of "options.${name}" is out of range. It must be >= ${least} and <= ${most}. Received ${String(value)}`,
        ),
        { code: "ERR_OUT_OF_RANGE" },
      );
    options[name] = value;
  }
  const dictionary: unknown = Reflect.get(given, "dictionary");
  return dictionary === undefined || dictionary === null
    ? options
    : { ...options, dictionary: bytesOf(dictionary) };
}

/** One step of the checksum for each value of a byte: CRC-32 with the polynomial 0xEDB88320, as gzip has it. */
const steps = Uint32Array.from({ length: 256 }, (_, byte) => {
  let step = byte;
  for (let bit = 0; bit < 8; bit++) step = step & 1 ? 0xedb88320 ^ (step >>> 1) : step >>> 1;
  return step;
});

/** The CRC-32 of text or bytes, going on from `value`. */
export function crc32(data: unknown, value: unknown = 0): number {
  let sum = ~Number(value);
  for (const byte of input(data)) sum = (steps[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}
