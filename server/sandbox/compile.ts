import { createHash } from "node:crypto";
import { SourceMap } from "node:module";
import { type Message, transform } from "esbuild";
import { maximumSource } from "./limits.ts";

/** A place in the user's own source, both counted from one. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Source that the engine can evaluate. */
export interface Compiled {
  readonly ok: true;
  /** An expression: a function of `exports`, `module` and `require` that gives the handler declared at the top. */
  readonly code: string;
  /** The place in the source that a place in the code comes from. */
  position(place: Position): Position | undefined;
}

/** Source that is not TypeScript, in words. */
export interface NotCompiled {
  readonly ok: false;
  readonly message: string;
  readonly at?: Position;
}

/** Most compiled sources that are kept, and most characters of them. */
const maximumKept = 2000;
const maximumCharacters = 64_000_000;

/** The wrapper's first line; the code begins on the next one. */
const linesBefore = 1;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Compiles sources, each once. */
export function createCompiler(): (source: string, handler: string) => Promise<Compiled | NotCompiled> {
  const kept = new Map<string, Promise<Compiled | NotCompiled>>();
  let characters = 0;
  return (source, handler) => {
    if (!identifier.test(handler))
      return Promise.resolve({
        ok: false,
        message: `the handler is the name of a function, got ${JSON.stringify(handler.slice(0, 60))}`,
      });
    if (source.length > maximumSource)
      return Promise.resolve({
        ok: false,
        message: `the code has ${source.length} characters, ${maximumSource} are allowed`,
      });
    const key = createHash("sha256").update(handler).update("\0").update(source).digest("base64");
    const found = kept.get(key);
    if (found !== undefined) {
      // Whatever was used last goes last.
      kept.delete(key);
      kept.set(key, found);
      return found;
    }
    characters += source.length;
    if (kept.size >= maximumKept || characters > maximumCharacters) {
      kept.clear();
      characters = source.length;
    }
    const made = compile(source, handler);
    kept.set(key, made);
    return made;
  };
}

async function compile(source: string, handler: string): Promise<Compiled | NotCompiled> {
  try {
    const { code, map } = await transform(source, {
      loader: "ts",
      format: "cjs",
      target: "es2022",
      // A dynamic import becomes a `require`, which is refused with a sentence.
      supported: { "dynamic-import": false },
      sourcemap: "external",
      sourcefile: "function.ts",
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
      logLevel: "silent",
      charset: "utf8",
    });
    return { ok: true, code: wrapped(code, handler), position: positions(map) };
  } catch (error) {
    return notCompiled(error);
  }
}

// In a block of its own, so that the source may declare `exports` or `module` itself.
const wrapped = (code: string, handler: string): string =>
  `(function(exports,module,require){"use strict";{\n${code}\nreturn typeof ${handler}==="undefined"?undefined:${handler};\n}})`;

function positions(json: string): Compiled["position"] {
  let map: SourceMap | undefined;
  return ({ line, column }) => {
    map ??= new SourceMap(JSON.parse(json));
    const found = map.findEntry(line - linesBefore - 1, column - 1);
    return "originalLine" in found
      ? { line: found.originalLine + 1, column: found.originalColumn + 1 }
      : undefined;
  };
}

function notCompiled(error: unknown): NotCompiled {
  const errors: unknown =
    typeof error === "object" && error !== null && "errors" in error ? error.errors : undefined;
  const [first] = Array.isArray(errors) ? (errors as Message[]) : []; // esbuild's documented failure.
  if (first === undefined) return { ok: false, message: "the code could not be compiled" };
  const { text, location } = first;
  const message = /top-level await/i.test(text)
    ? "await is allowed inside functions only: move it into the handler"
    : text;
  if (location === null) return { ok: false, message };
  return { ok: false, message, at: { line: location.line, column: location.column + 1 } };
}

/** The first place in `file` that a stack of the engine names. */
export function placeIn(stack: string, file: string): Position | undefined {
  const at = stack.indexOf(`${file}:`);
  const found = /^(\d+):(\d+)/.exec(at < 0 ? "" : stack.slice(at + file.length + 1, at + file.length + 30));
  return found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) };
}
