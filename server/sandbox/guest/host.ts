/** What takes time and is done outside: a pause, a request, a program of the host. */
export type AskKind = "sleep" | "fetch" | "exec";

/**
 * What code inside the engine gets from outside, the only door there is. Texts cross as JSON, so that no character is
 * lost; bytes cross as buffers. None of it is reachable for the user's code except through the globals made from it.
 */
export interface Host {
  /** Writes `text`, a JSON string, to the run's log. */
  log(stream: "stdout" | "stderr", text: string): void;
  /** Begins something that takes time and gives its number; the answer comes through {@link Entries.answer}. */
  ask(kind: AskKind, text: string): number;
  /** Forgets something that was asked for. */
  drop(ask: number): void;
  random(length: number): ArrayBuffer;
  /** A digest of `data`, or a code of it under `key`; throws for an unknown algorithm. */
  digest(algorithm: string, data: ArrayBuffer, key?: ArrayBuffer): ArrayBuffer;
  /** The parts of an address as JSON, `null` when it is none. */
  url(text: string): string;
  encode(text: string): ArrayBuffer;
  decode(encoding: string, data: ArrayBuffer): string;
  /** Evaluates one of the libraries and gives what it exports. */
  library(name: string): unknown;
  /** Says how the function ended, as JSON: see {@link Settled}. */
  settled(text: string): void;
}

/** What a run gives to the engine before its code is evaluated. */
export interface Beginning {
  /** Seeds of `Math.random`: the engine's own would repeat itself in every run. */
  readonly seed: readonly [number, number];
  readonly storage: Storage;
  /** Whether `requestStorage` may be written: authentication functions only. */
  readonly stores: boolean;
  /** Whether the builders of schema definitions are there. */
  readonly defines: boolean;
  readonly resultCharacters: number;
  readonly resultDepth: number;
}

/** What authentication functions leave to those after them. */
export interface Storage {
  readonly env: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A thrown value in words; `stack` is the engine's, in positions of the compiled code. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** How a function ended by itself. */
export type Settled =
  | { readonly value?: unknown; readonly storage: Storage }
  | { readonly threw: Thrown; readonly storage: Storage }
  | { readonly notJson: string }
  | { readonly tooLarge: true };

/** User code after compilation: defines everything and gives the handler if it is declared at the top. */
export type Loader = (
  exports: object,
  module: { exports: unknown },
  require: (name: string) => never,
) => unknown;

/** How the outside drives the engine. */
export interface Entries {
  begin(text: string): void;
  /** Loads code and calls its handler with the JSON of `input`. */
  call(load: Loader, handler: string, input: string): void;
  /** Answers what was asked for: JSON of `{value}` or `{error}`. */
  answer(ask: number, text: string): void;
}
