import { readFileSync } from "node:fs";
import { join } from "node:path";
import packaged from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from "quickjs-emscripten-core";
import type { Beginning, Thrown } from "../guest/host.ts";
import { maximumMemory, type RunLimits } from "../limits.ts";
import type { CompiledFunction } from "../messages.ts";
import { type Hooks, hostObject } from "./bridge.ts";
import { type Image, restoreImage, takeImage, wipeOutside } from "./image.ts";

/** One engine. Every function begins in it as in a new one: its memory is set back to what it was before any. */
export interface Machine {
  /** Sets memory back, with the libraries that `code` names evaluated already, and begins a function's world. */
  begin(code: string, beginning: Beginning, limits: RunLimits): void;
  /** Evaluates the code and calls its handler; what it says comes through the hooks, a failure to load as a result. */
  call(compiled: CompiledFunction): Thrown | undefined;
  answer(ask: number, text: string): void;
  /** Runs what is ready to run, a bounded part of it; false once nothing is left. */
  turn(): boolean;
  /** Whether memory was asked for beyond what an engine begins with. */
  hasGrown(): boolean;
  /** Whether it was asked for beyond the limit of the function. */
  isOverLimit(): boolean;
  /** Leaves nothing of the last function in memory. */
  wipe(): void;
}

/** How an engine asks whether to go on. */
export interface Driver {
  readonly hooks: Hooks;
  /** Asked again and again while code runs; true ends it. */
  mustStop(): boolean;
}

/** Growing memory is asked for a fifth more than is needed, so that it happens seldom. */
const growth = 1.2;
/** Memory an engine begins with, the size it was compiled for: 256 pages of 64 KB. */
const initialPages = 256;
const maximumPages = initialPages + maximumMemory / 65_536;
/** Most images of libraries that are kept: each is one to eight megabytes. */
const maximumImages = 8;
const libraryStack = 1024 * 1024;
/** Jobs between two looks at the time. */
const jobsPerTurn = 100;

// The package's types speak of its CommonJS form, the bundle holds the other.
const variant = "default" in packaged ? packaged.default : packaged;

const libraryNames = [
  [/(?<![\w$.])_\b/, "_"],
  [/\bYAML\b/, "YAML"],
  [/\btoml\b/, "toml"],
  [/\bjsonpatch\b/, "jsonpatch"],
  [/\bJoi\b/, "Joi"],
  [/\bBuffer\b/, "Buffer"],
  [/\bzlib\b/, "zlib"],
] as const;

/** Makes engines from the files of `directory`, which are read once. */
export async function createFactory(directory: string): Promise<(driver: Driver) => Promise<Machine>> {
  const wasmModule = await WebAssembly.compile(readFileSync(join(directory, "quickjs.wasm")));
  const texts = new Map<string, string>();
  const textOf = (name: string): string => {
    if (!/^[a-z-]+$/.test(name)) throw new TypeError("there is no such library");
    const kept = texts.get(name) ?? readFileSync(join(directory, "guest", `${name}.js`), "utf8");
    texts.set(name, kept);
    return kept;
  };
  // The bundles give their exports to a variable, which is kept from becoming a global.
  const exported = (name: string, member: string): string =>
    `(()=>{const self=globalThis;${textOf(name)};return __guest.${member}})()`;
  return async (driver) => {
    const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages });
    const module = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmModule, wasmMemory: memory }),
    );
    const runtime = module.newRuntime();
    runtime.setInterruptHandler(() => driver.mustStop());
    const context = runtime.newContext();
    let stackBytes = libraryStack;
    let mostBytes = Number.POSITIVE_INFINITY;
    const host = hostObject(
      context,
      () => driver.hooks,
      (name) => {
        // Parsing a library takes more stack than functions get.
        runtime.setMaxStackSize(libraryStack);
        const evaluated = context.evalCode(exported(`library-${name}`, "library"), "library");
        runtime.setMaxStackSize(stackBytes);
        return context.unwrapResult(evaluated);
      },
    );
    const install = context.unwrapResult(context.evalCode(exported("core", "install"), "core"));
    const entries = context.unwrapResult(context.callFunction(install, context.undefined, host));
    const entry = {
      begin: context.getProp(entries, "begin"),
      call: context.getProp(entries, "call"),
      answer: context.getProp(entries, "answer"),
    };
    const invoke = (handle: QuickJSHandle, ...values: QuickJSHandle[]): void => {
      const result = context.callFunction(handle, context.undefined, ...values);
      // What is wrong has been said through the hooks already, or is an interruption, which the driver knows of.
      if (result.error !== undefined) result.error.dispose();
      else result.value.dispose();
    };
    const images = imagesOf(memory, context);
    return {
      begin: (code, beginning, limits) => {
        const image = images.of(
          libraryNames.filter(([pattern]) => pattern.test(code)).map(([, name]) => name),
        );
        stackBytes = limits.stackBytes;
        runtime.setMaxStackSize(stackBytes);
        invoke(entry.begin, context.newString(JSON.stringify(beginning)));
        // The engine cannot tell how large its allocations are: it refuses single ones that are too large, and the
        // sum of many is seen by how memory grows.
        const allowed = Math.min(limits.memoryBytes, maximumMemory);
        runtime.setMemoryLimit(allowed + image.heap);
        mostBytes = Math.max(memory.buffer.byteLength, (image.end + allowed) * growth);
      },
      call: ({ code, file, handler, input }) => {
        const loaded = context.evalCode(code, file, { strict: true });
        if (loaded.error !== undefined) return thrownOf(context.dump(loaded.error));
        invoke(entry.call, loaded.value, context.newString(handler), context.newString(input));
        return undefined;
      },
      answer: (ask, text) => invoke(entry.answer, context.newNumber(ask), context.newString(text)),
      turn: () => {
        const done = runtime.executePendingJobs(jobsPerTurn);
        if (done.error !== undefined) done.error.dispose();
        return runtime.hasPendingJob();
      },
      hasGrown: () => memory.buffer.byteLength > initialPages * 65_536,
      isOverLimit: () => memory.buffer.byteLength > mostBytes,
      wipe: () => {
        wipeOutside(memory, images.base);
        restoreImage(memory, images.base);
      },
    };
  };
}

/** The memory before any function, for each set of libraries that functions name. */
function imagesOf(memory: WebAssembly.Memory, context: QuickJSContext) {
  const base = takeImage(memory);
  const kept = new Map<string, Image>();
  return {
    base,
    /** Sets memory back and says to what. */
    of: (names: readonly string[]): Image => {
      const key = names.join();
      const found = names.length === 0 ? base : kept.get(key);
      restoreImage(memory, found ?? base);
      if (found !== undefined) return found;
      for (const name of names)
        context.unwrapResult(context.evalCode(`void globalThis[${JSON.stringify(name)}]`));
      const made = takeImage(memory);
      if (kept.size >= maximumImages) kept.delete(kept.keys().next().value ?? "");
      kept.set(key, made);
      return made;
    },
  };
}

function thrownOf(dumped: unknown): Thrown {
  const { name, message, stack }: Record<string, unknown> = typeof dumped === "object" ? { ...dumped } : {};
  return { name: String(name ?? "Error"), message: String(message ?? dumped), stack: String(stack ?? "") };
}
