import { appendFileSync } from "node:fs";

/** The two streams of a process that could scribble over the screen. */
export interface ProcessStreams {
  readonly stdout: { write: typeof process.stdout.write };
  readonly stderr: { write: typeof process.stderr.write };
}

/** Streams whose text goes to the log for a while. */
export interface Diverted {
  /** Writes to the terminal past the diversion. */
  readonly write: (text: string) => boolean;
  /** Gives both streams back. */
  readonly restore: () => void;
}

/**
 * Sends whatever the process writes to its standard streams (warnings, stray logging of libraries) to a file, so that
 * it never reaches the screen. Without a file, or when the file cannot be written, the text is dropped.
 */
export function divertStreams(streams: ProcessStreams, logPath: string | undefined): Diverted {
  const { stdout, stderr } = streams;
  const real = { stdout: stdout.write, stderr: stderr.write };
  const swallow = ((chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    if (logPath !== undefined) append(logPath, chunk);
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") callback();
    return true;
    // The stream's overloads cannot be written as one function; this one takes all of them.
  }) as typeof process.stdout.write;
  stdout.write = swallow;
  stderr.write = swallow;
  return {
    write: (text) => real.stdout.call(stdout, text),
    restore: () => {
      stdout.write = real.stdout;
      stderr.write = real.stderr;
    },
  };
}

function append(path: string, chunk: string | Uint8Array): void {
  try {
    appendFileSync(path, chunk, { mode: 0o600 });
  } catch {
    // A full disk or a vanished directory must not end the dashboard; the text is about the dashboard only.
  }
}
