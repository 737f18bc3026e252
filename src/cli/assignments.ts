import { usageProblem } from "./failure.ts";

/** `name=value` split at the first `=`; throws `usage` naming where it stood. */
export function splitPair(text: string, where: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw usageProblem(`${where}: expected name=value, got "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A text as the JSON value it spells, else as itself: `8080` is a number, `"8080"` in quotes a text, `web` a text. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The attributes that `/domain/path=value` arguments and --unset paths ask for; undefined when there are none. */
export function attributesOf(
  assignments: readonly string[],
  unset: readonly string[] = [],
): Readonly<Record<string, unknown>> | undefined {
  const entries = assignments.map((text): [string, unknown] => {
    const [path, value] = splitPair(text, "attribute");
    return [pathOf(path), readValue(value)];
  });
  const cleared = unset.map((path): [string, unknown] => [pathOf(path), { $source: null }]);
  const all = [...entries, ...cleared];
  const twice = all.find(([path], index) => all.findIndex(([other]) => other === path) !== index);
  if (twice !== undefined) throw usageProblem(`attribute: "${twice[0]}" is named twice`);
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function pathOf(text: string): string {
  if (/^\/[^/]/.test(text)) return text;
  throw usageProblem(`attribute: expected a path like /domain/port, got "${text}"`);
}
