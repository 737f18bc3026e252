/** Deepest nesting that is written out. */
const maximumNesting = 4;
/** Most elements and members of one value that are written out. */
const maximumMembers = 100;
/** Widest line before members get lines of their own. */
const width = 80;

/** Arguments of a console call as one text: formats first, texts as they are, everything else inspected. */
export function format(values: readonly unknown[]): string {
  const [first, ...rest] = values;
  if (typeof first !== "string" || !first.includes("%")) return values.map(shown).join(" ");
  const left = [...rest];
  const text = first.replace(/%([sdifjoOc%])/g, (whole, kind: string) => {
    if (kind === "%") return "%";
    if (left.length === 0) return whole;
    return formatted(kind, left.shift());
  });
  return [text, ...left.map(shown)].join(" ");
}

function formatted(kind: string, value: unknown): string {
  if (kind === "c") return "";
  if (kind === "j") return JSON.stringify(value) ?? "undefined";
  if (kind === "d" || kind === "f") return String(Number(value));
  if (kind === "i") return String(Math.trunc(Number(value)));
  return kind === "s" ? shown(value) : inspect(value);
}

const shown = (value: unknown): string => (typeof value === "string" ? value : inspect(value));

/** A value as people read it; never throws, whatever its members do. */
export function inspect(value: unknown, outer: readonly object[] = []): string {
  try {
    return inspected(value, outer);
  } catch {
    return "[unreadable]";
  }
}

function inspected(value: unknown, outer: readonly object[]): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return value.toString();
  if (typeof value === "function") return functionName(value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (outer.includes(value)) return "[Circular *1]";
  if (value instanceof Error) return errorText(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "Promise { ... }";
  if (outer.length > maximumNesting) return Array.isArray(value) ? "[Array]" : "[Object]";
  return composite(value, [...outer, value]);
}

function composite(value: object, outer: readonly object[]): string {
  if (Array.isArray(value)) return enclosed("[", elements(value, outer), "]");
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]) => `${inspect(key, outer)} => ${inspect(inner, outer)}`);
    return enclosed(`Map(${value.size}) {`, bounded(entries), "}");
  }
  if (value instanceof Set) {
    const members = [...value].map((inner) => inspect(inner, outer));
    return enclosed(`Set(${value.size}) {`, bounded(members), "}");
  }
  if (ArrayBuffer.isView(value) && "length" in value) {
    const list = Array.from(value as Uint8Array); // Every view but DataView is an array of numbers.
    return enclosed(`${className(value)}(${list.length}) [`, elements(list, outer), "]");
  }
  const name = className(value);
  return enclosed(name === "Object" ? "{" : `${name} {`, members(value, outer), "}");
}

const elements = (list: readonly unknown[], outer: readonly object[]): string[] => [
  ...list.slice(0, maximumMembers).map((inner) => inspect(inner, outer)),
  ...(list.length > maximumMembers ? [`... ${list.length - maximumMembers} more items`] : []),
];

function members(value: object, outer: readonly object[]): string[] {
  const texts = Object.keys(value).map((key) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const own = Object.getOwnPropertyDescriptor(value, key);
    if (own?.get !== undefined) return `${name}: [Getter]`;
    return `${name}: ${inspect(Reflect.get(value, key), outer)}`;
  });
  return bounded(texts);
}

const bounded = (texts: readonly string[]): string[] =>
  texts.length > maximumMembers
    ? [...texts.slice(0, maximumMembers), `... ${texts.length - maximumMembers} more`]
    : [...texts];

function enclosed(open: string, inner: readonly string[], close: string): string {
  if (inner.length === 0) return `${open}${close}`;
  const line = `${open} ${inner.join(", ")} ${close}`;
  if (line.length <= width && !line.includes("\n")) return line;
  return `${open}\n${inner.map((text) => `  ${text.replaceAll("\n", "\n  ")}`).join(",\n")}\n${close}`;
}

function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return "[Object: null prototype]";
  const made: unknown = Reflect.get(value, "constructor");
  return typeof made === "function" && made.name !== "" ? made.name : "Object";
}

function functionName(value: object): string {
  const name: unknown = Reflect.get(value, "name");
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "Function";
  return typeof name === "string" && name !== "" ? `[${kind}: ${name}]` : `[${kind} (anonymous)]`;
}

/** Name and message; positions in compiled code would tell nobody anything. */
const errorText = (error: Error): string =>
  error.message === "" ? error.name : `${error.name}: ${error.message}`;
