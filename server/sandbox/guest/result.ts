// Taken before any user code runs, which may change them.
const { stringify } = JSON;
const { isFinite: isFiniteNumber } = Number;

/** Where a result stops being JSON, as a person reads it. */
export class NotJson extends Error {
  override readonly name = "NotJson";
}

/** A result that is longer than allowed. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/**
 * A function's result as JSON text, undefined when there is none. Members that are undefined vanish, as everywhere;
 * what else JSON cannot hold throws {@link NotJson} with its place, instead of being lost on the way.
 */
export function serialise(
  result: unknown,
  maximum: { readonly characters: number; readonly depth: number },
): string | undefined {
  // What JSON is inside of, outermost first: holders and their names. No method of arrays is used, see above.
  const holders: unknown[] = [];
  const names: string[] = [];
  let depth = 0;
  let characters = 0;
  const refuse = (key: string, why: string): never => {
    let place = "result";
    for (let at = 1; at < depth; at++) place += step(names[at]);
    throw new NotJson(`${depth === 0 ? place : place + step(key)} is ${why}, which is not JSON`);
  };
  // JSON walks depth first: the holder it speaks of is the end of the path, once what is done is taken off.
  const look = function (this: unknown, key: string, value: unknown): unknown {
    while (depth > 0 && holders[depth - 1] !== this) depth--;
    characters += key.length + (typeof value === "string" ? value.length : 1);
    if (characters > maximum.characters) throw new TooLarge();
    if (typeof value === "function" || typeof value === "symbol") return refuse(key, `a ${typeof value}`);
    if (typeof value === "bigint") return refuse(key, `the BigInt ${String(value).slice(0, 40)}`);
    if (typeof value === "number" && !isFiniteNumber(value)) return refuse(key, String(value));
    if (typeof value !== "object" || value === null) return value;
    for (let at = 0; at < depth; at++) if (holders[at] === value) return refuse(key, "part of a circle");
    if (depth > maximum.depth) return refuse(key, `nested deeper than ${maximum.depth}`);
    holders[depth] = value;
    names[depth] = key;
    depth++;
    return value;
  };
  const text = stringify(result, look);
  if (text !== undefined && text.length > maximum.characters) throw new TooLarge();
  return text;
}

const step = (name = ""): string => (/^\d+$/.test(name) ? `[${name}]` : `.${name.slice(0, 60)}`);
