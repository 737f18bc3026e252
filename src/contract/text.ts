/** Why a text cannot be stored or shown: a zero character or half of a surrogate pair. Undefined when it can. */
export function unstorable(text: string): string | undefined {
  if (text.includes("\u0000")) return "a zero character (U+0000)";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}

/** Deepest nesting of arrays and objects that is read: far beyond any schema, far below the stack. */
export const maximumDepth = 64;

/** The first thing in `value` that no part of the software accepts, as `path: reason`; undefined when all is well. */
export const findUnstorable = (value: unknown): Unstorable | undefined =>
  isStorable(value, 0) ? undefined : locate(value);

interface Unstorable {
  readonly path: string;
  readonly found: string;
}

/** Whether {@link locate} finds nothing, in a third of its time: every request and answer is looked at. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === "string") return unstorable(value) === undefined;
  if (typeof value !== "object" || value === null) return true;
  if (depth >= maximumDepth) return false;
  if (Array.isArray(value)) return value.every((one) => isStorable(one, depth + 1));
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (key === "__proto__" || unstorable(key) !== undefined) return false;
    if (!isStorable(members[key], depth + 1)) return false;
  }
  return true;
}

function locate(value: unknown): Unstorable | undefined {
  const open: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value, path: "", depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: item, path, depth } = next;
    if (typeof item === "string") {
      const found = unstorable(item);
      if (found !== undefined) return { path, found };
    } else if (typeof item === "object" && item !== null) {
      if (depth >= maximumDepth) return { path, found: `more than ${maximumDepth} levels of nesting` };
      for (const [key, member] of Object.entries(item)) {
        if (key === "__proto__") return { path, found: "a member named __proto__" };
        const found = unstorable(key);
        if (found !== undefined) return { path, found: `${found} in a member's name` };
        open.push({ value: member, path: path === "" ? key : `${path}.${key}`, depth: depth + 1 });
      }
    }
  }
  return undefined;
}
