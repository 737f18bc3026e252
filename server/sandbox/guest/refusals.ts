import { define } from "./define.ts";

/** Throws a sentence for everything that is asked of it, so that no function gets `undefined` without a reason. */
export function refusing(name: string, given: object, instead: string): object {
  const refuse = (member: string | symbol): never => {
    throw new TypeError(`${name}.${String(member)} is not available to functions: ${instead}`);
  };
  return new Proxy(given, {
    get: (target, member) => {
      if (Object.hasOwn(target, member)) return Reflect.get(target, member);
      // Promises, inspection and JSON ask every value for these.
      if (typeof member === "symbol" || member === "then" || member === "toJSON" || member === "constructor")
        return undefined;
      return refuse(member);
    },
    set: (_, member) => refuse(member),
    has: (target, member) => Object.hasOwn(target, member),
  });
}

const noFiles = "they have no files; keep what is needed in the input or the result";
const noHost = "they run apart from the host; environment variables come from authentication functions";

const noLocales =
  "the engine knows no locales; toFixed, padStart, toISOString and comparisons of texts are there";

/** What of the host's own modules is there, and a sentence for the rest. */
export function installHostModules(environment: () => Readonly<Record<string, string>>): void {
  const env = {
    get: (name: string) => environment()[name],
    has: (name: string) => Object.hasOwn(environment(), name),
    toObject: () => environment(),
  };
  const variables = new Proxy(
    {},
    {
      get: (_, name) => (typeof name === "string" && env.has(name) ? env.get(name) : undefined),
      has: (_, name) => typeof name === "string" && env.has(name),
      ownKeys: () => Object.keys(environment()),
      getOwnPropertyDescriptor: (_, name) =>
        typeof name === "string" && env.has(name)
          ? { value: env.get(name), enumerable: true, configurable: true, writable: false }
          : undefined,
    },
  );
  define("process", refusing("process", { env: variables }, noHost));
  define("Deno", refusing("Deno", { env }, noHost));
  define("os", refusing("os", { EOL: "\n" }, noHost));
  define("fs", refusing("fs", {}, noFiles));
  define("Intl", refusing("Intl", {}, noLocales));
}

/** Why `import` and `require` find nothing. */
export function refuseModule(name: string): never {
  throw new TypeError(
    `cannot import ${JSON.stringify(String(name))}: functions have no modules; _, YAML, toml, jsonpatch, Joi, Buffer, zlib, path and fetch are globals`,
  );
}
