import { createAsks } from "./asks.ts";
import { installBytes } from "./bytes.ts";
import { checkFormats } from "./check-format.ts";
import { installConsole } from "./console.ts";
import { installCrypto, seedRandom } from "./crypto.ts";
import { define, defineLazily } from "./define.ts";
import { installAbort, installFetch } from "./fetch.ts";
import type { Beginning, Entries, Host, Loader, Settled } from "./host.ts";
import { installPath } from "./path.ts";
import { installHostModules, refuseModule } from "./refusals.ts";
import { NotJson, serialise, TooLarge } from "./result.ts";
import { installSiExec } from "./si-exec.ts";
import { createStorage } from "./storage.ts";
import { installTemplate } from "./template.ts";
import { describeThrown } from "./thrown.ts";
import { installTimers } from "./timers.ts";
import { installUrl } from "./url.ts";

/** Globals that are libraries of their own, evaluated when they are touched. */
const libraries = {
  _: "lodash",
  YAML: "yaml",
  toml: "toml",
  jsonpatch: "jsonpatch",
  Joi: "joi",
  zlib: "zlib",
};

/** Makes the world of one function inside the engine, and gives the handles by which the outside drives it. */
export function install(host: Host): Entries {
  const { parse, stringify } = JSON;
  const asks = createAsks(host);
  const say = installConsole(host);
  const storage = createStorage(say);
  const environment = (): Readonly<Record<string, string>> => storage.taken().env;
  let maximum = { characters: 0, depth: 0 };
  let defines = false;

  installTimers(asks);
  installBytes(host);
  installUrl(host);
  installCrypto(host);
  installFetch(host, asks);
  installAbort(asks);
  installHostModules(environment);
  installPath();
  installTemplate();
  installSiExec(asks, environment, say);
  // The engine's own clock, read the way that files of the server may not.
  const { now } = Date;
  let started = 0;
  define("performance", { now: () => now() - started, timeOrigin: 0 });
  for (const [name, library] of Object.entries(libraries)) defineLazily(name, () => host.library(library));

  const settle = (settled: Settled, value?: string): void => {
    const text = stringify(settled);
    host.settled(value === undefined ? text : `{"value":${value},${text.slice(1)}`);
  };
  const fail = (error: unknown): void => {
    if (error instanceof NotJson) settle({ notJson: error.message });
    else if (error instanceof TooLarge) settle({ tooLarge: true });
    else settle({ threw: describeThrown(error), storage: storage.taken() });
  };
  const run = async (load: Loader, handler: string, input: string): Promise<void> => {
    try {
      const result = await find(load, handler)(parse(input));
      if (defines) checkFormats(result);
      const text = serialise(result, maximum);
      settle({ storage: storage.taken() }, text);
    } catch (error) {
      fail(error);
    }
  };

  return {
    begin: (text) => {
      const beginning: Beginning = parse(text);
      started = now();
      maximum = { characters: beginning.resultCharacters, depth: beginning.resultDepth };
      seedRandom(beginning.seed);
      storage.install(beginning.storage, beginning.stores);
      defines = beginning.defines;
      if (defines) Object.assign(globalThis, host.library("builders"));
    },
    call: (load, handler, input) => void run(load, handler, input),
    answer: (ask, text) => {
      try {
        asks.answer(ask, text);
      } catch (error) {
        // Nobody else hears what a timer's callback throws.
        fail(error);
      }
    },
  };
}

/** The handler: declared at the top, exported by that name, or the module's default. */
function find(load: Loader, handler: string): (input: unknown) => unknown {
  const module: { exports: unknown } = { exports: {} };
  const declared = load(module.exports as object, module, refuseModule);
  const { exports } = module;
  const exported = typeof exports === "object" && exports !== null ? exports : {};
  const found = [declared, Reflect.get(exported, handler), Reflect.get(exported, "default"), exports].find(
    (candidate) => typeof candidate === "function",
  );
  if (typeof found !== "function")
    throw new ReferenceError(`the code has no function named "${handler}": declare it at the top`);
  return (input) => found(input);
}
