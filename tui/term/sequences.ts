// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminal sequences are what it is about
import type { Input } from "./input.ts";

/** A sequence at the start of the buffer: how long it is and what it stands for, if anything. */
export interface Sequence {
  readonly length: number;
  readonly input?: Input;
  readonly paste?: true;
}

interface Pattern {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => Input | undefined;
}

const letters: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "centre",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "S-tab",
};

const numbers: Readonly<Record<string, string>> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
  "11": "f1",
  "12": "f2",
  "13": "f3",
  "14": "f4",
  "15": "f5",
  "17": "f6",
  "18": "f7",
  "19": "f8",
  "20": "f9",
  "21": "f10",
  "23": "f11",
  "24": "f12",
};

const unicodeKeys: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
};

/** `1 + bits` as xterm counts modifiers: 1 shift, 2 alt, 4 control. */
function modifiers(parameter: string | undefined): string {
  const bits = Number(parameter ?? "1") - 1;
  return `${bits & 4 ? "C-" : ""}${bits & 2 ? "M-" : ""}${bits & 1 ? "S-" : ""}`;
}

const key = (name: string): Input => ({ type: "key", key: name });

/** Wheel buttons have bit 64, movement bit 32; a release ends in `m` and says nothing new. */
function mouse(match: RegExpExecArray): Input | undefined {
  const button = Number(match[1]);
  const x = Number(match[2]) - 1;
  const y = Number(match[3]) - 1;
  if (button & 64) return button & 2 ? undefined : { type: "wheel", x, y, by: button & 1 ? 1 : -1 };
  if (match[4] === "m" || button & 32) return undefined;
  return { type: "click", x, y, button: button & 3 };
}

function functional(match: RegExpExecArray): Input | undefined {
  const final = match[3] ?? "";
  const name = final === "~" ? numbers[match[1] ?? ""] : letters[final];
  return name === undefined ? undefined : key(`${modifiers(match[2])}${name}`);
}

function unicode(match: RegExpExecArray): Input | undefined {
  const point = Number(match[1]);
  if (point > 0x10ffff) return undefined;
  const held = modifiers(match[2]);
  const character = String.fromCodePoint(point);
  const name = unicodeKeys[point] ?? character;
  return held === "" && name === character
    ? { ...key(name), type: "key", key: name, text: name }
    : key(`${held}${name}`);
}

/** Tried in this order; the last ones swallow whole what nobody knows, so that it is never typed into the program. */
const patterns: readonly Pattern[] = [
  { pattern: /^\x1b\[<(\d+);(\d+);(\d+)([mM])/, read: mouse },
  { pattern: /^\x1b\[([IO])/, read: (match) => ({ type: "focus", on: match[1] === "I" }) },
  { pattern: /^\x1b\[(\d+)(?:;(\d+))?(?::\d+)?u/, read: unicode },
  { pattern: /^\x1b(?:\[|O)(?:(\d+)(?:;(\d+))?)?([A-FHPQRSZ~])/, read: functional },
  { pattern: /^\x1b\[\[([A-E])/, read: (match) => key(`f${(match[1] ?? "A").charCodeAt(0) - 64}`) },
  { pattern: /^\x1b\[M[\s\S]{3}/, read: () => undefined },
  { pattern: /^\x1b\[[0-9;:?<=>]*[ -/]*[@-Z\\-~]/, read: () => undefined },
  { pattern: /^\x1b[P\]_^][^\x07\x1b]*(?:\x07|\x1b\\)/, read: () => undefined },
];
const pasteStart = "\x1b[200~";

/** The complete sequence at the start of the buffer, or undefined when none stands there (yet). */
export function matchSequence(buffer: string): Sequence | undefined {
  if (buffer.startsWith(pasteStart)) return { length: pasteStart.length, paste: true };
  for (const { pattern, read } of patterns) {
    const match = pattern.exec(buffer);
    if (match === null) continue;
    const input = read(match);
    return { length: match[0].length, ...(input === undefined ? {} : { input }) };
  }
  return undefined;
}
