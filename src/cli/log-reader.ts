import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { isMissing } from "../lib/atomic-file.ts";
import { type Clock, sleep } from "../lib/clock.ts";
import { printable } from "./table.ts";

/** As much of a log's end as is read for its last lines; a line has about 150 bytes. */
const tailBytes = 1024 * 1024;
/** How often a followed log is looked at. */
const lookMs = 300;

/** The last lines of a log, and where in the file they end; undefined when there is no file. */
export async function lastLines(
  path: string,
  count: number,
): Promise<{ readonly lines: readonly string[]; readonly end: number } | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const text = await textBetween(file, start, size);
    const lines = text.split("\n").slice(start === 0 ? 0 : 1, -1);
    return { lines: count === 0 ? [] : lines.slice(-count), end: size };
  } finally {
    await file.close();
  }
}

/** Gives every whole line that is added after `from` to `show` until the signal aborts; goes on when the file is set aside. */
export async function followLog(
  path: string,
  from: number,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly show: (line: string) => void },
): Promise<void> {
  let at = from;
  let rest = "";
  while (!options.signal.aborted) {
    const size = await sizeOf(path);
    if (size < at) {
      at = 0;
      rest = "";
    }
    if (size > at) {
      const file = await openIfThere(path);
      if (file !== undefined) {
        const lines = `${rest}${await textBetween(file, at, size).finally(() => file.close())}`.split("\n");
        rest = lines.pop() ?? "";
        at = size;
        for (const line of lines) options.show(line);
      }
    }
    await sleep(options.clock, lookMs, options.signal);
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function textBetween(file: FileHandle, start: number, end: number): Promise<string> {
  const bytes = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  return bytes.toString("utf8", 0, bytesRead);
}

/** What was written to a file after `from`, a number of bytes; nothing when there is no file. */
export async function outputSince(path: string, from: number): Promise<string> {
  const file = await openIfThere(path);
  if (file === undefined) return "";
  try {
    return await textBetween(file, from, Math.max(from, (await file.stat()).size));
  } finally {
    await file.close();
  }
}

/** A JSON line of a log as a person reads it: time, level, message, fields; anything else as it is. */
export function logLine(line: string): string {
  try {
    const { t, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
    return printable([t, String(level).padEnd(5), msg, ...rest].join("  "));
  } catch {
    return printable(line);
  }
}

/** The last error line of what was written to a log after `from`, without its `error: `; undefined when there is none. */
export async function lastError(path: string, from: number): Promise<string | undefined> {
  const lines = (await outputSince(path, from)).split("\n");
  return lines.findLast((line) => line.startsWith("error: "))?.slice("error: ".length);
}

/** How many bytes a file has; 0 when there is none. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Puts `.1` behind the name of a log that has grown beyond `maximumBytes`, in place of the one set aside before. */
export async function setAside(path: string, maximumBytes: number): Promise<void> {
  if ((await sizeOf(path)) > maximumBytes) await rename(path, `${path}.1`);
}
