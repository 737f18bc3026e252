/** What one run may use; going past any of them ends it with a sentence. */
export interface RunLimits {
  /** Milliseconds from its start, waiting included. */
  readonly wallMs: number;
  /** Milliseconds of computing. */
  readonly cpuMs: number;
  /** Bytes of the engine's memory beside its own. */
  readonly memoryBytes: number;
  /** Bytes of the engine's stack. */
  readonly stackBytes: number;
  /** Characters of all log lines together. */
  readonly logCharacters: number;
  readonly logLines: number;
  /** Characters of the result as JSON. */
  readonly resultCharacters: number;
}

/** What holds unless a run says otherwise. */
export const defaultLimits: RunLimits = {
  wallMs: 120_000,
  cpuMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  // What the engine may recurse in before WebAssembly's own stack ends: 20 of 20 attempts at it stayed inside.
  stackBytes: 192 * 1024,
  logCharacters: 1_000_000,
  logLines: 10_000,
  resultCharacters: 2_000_000,
};

/** Longest source of a function, in UTF-16 units: half of what a JSON body may hold. */
export const maximumSource = 1_000_000;

/** Longest argument of a function as JSON: the child holds it four times on the way into the engine. */
export const maximumInput = 16_000_000;

/** Most that a run may be allowed: WebAssembly's memory holds the engine, its libraries and this. */
export const maximumMemory = 512 * 1024 * 1024;

/** Longest single line of a log; the rest of it is cut off with a mark. */
export const maximumLine = 10_000;
