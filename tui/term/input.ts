// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminal sequences are what it is about
import type { Cancel, Clock } from "../../src/lib/clock.ts";
import { matchSequence } from "./sequences.ts";

/** What a person did, decoded from the terminal's bytes. Cells count from 0. */
export type Input =
  | { readonly type: "key"; readonly key: string; readonly text?: string }
  | { readonly type: "click"; readonly x: number; readonly y: number; readonly button: number }
  | { readonly type: "wheel"; readonly x: number; readonly y: number; readonly by: 1 | -1 }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "focus"; readonly on: boolean };

/** Escape alone is a key when nothing follows within this time; the parts of a split sequence arrive sooner. */
const escapeWaitMs = 40;
const pasteEnd = "\x1b[201~";
/** An escape sequence that has begun and not ended: CSI, SS3, or a bare escape. */
const unfinished = /^\x1b(?:\[[0-9;?<=>]*|\[\[|O[0-9;]*)?$/;

const controlNames: Readonly<Record<number, string>> = {
  0: "C-space",
  8: "C-h",
  9: "tab",
  10: "C-j",
  13: "enter",
  28: "C-\\",
  29: "C-]",
  30: "C-^",
  31: "C-_",
  32: "space",
  127: "backspace",
};

/** Decodes terminal input byte by byte: SGR mouse, bracketed paste, focus, CSI-u keys and split sequences. */
export class Decoder {
  readonly #emit: (input: Input) => void;
  readonly #clock: Clock;
  readonly #utf8 = new TextDecoder("utf-8");
  #buffer = "";
  #paste: string | null = null;
  #waiting: Cancel | null = null;

  constructor(clock: Clock, emit: (input: Input) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Takes the next bytes; what they complete is emitted before this returns. */
  feed(bytes: Uint8Array): void {
    this.#waiting?.();
    this.#waiting = null;
    this.#buffer += this.#utf8.decode(bytes, { stream: true });
    this.#run(false);
    if (this.#buffer === "" || this.#paste !== null) return;
    this.#waiting = this.#clock.after(escapeWaitMs, () => {
      this.#waiting = null;
      this.#run(true);
    });
  }

  /** Forgets a half-received sequence and its timer. */
  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
    this.#buffer = "";
    this.#paste = null;
  }

  #run(force: boolean): void {
    while (this.#buffer !== "") {
      if (this.#paste !== null) {
        if (!this.#takePaste()) return;
      } else if (this.#buffer.startsWith("\x1b")) {
        if (!this.#takeEscape(force)) return;
      } else {
        this.#takeCharacter();
      }
    }
  }

  #takePaste(): boolean {
    const end = this.#buffer.indexOf(pasteEnd);
    if (end < 0) {
      // A part of the end mark may stand at the end of the chunk: it stays in the buffer.
      const kept = Math.max(0, this.#buffer.length - (pasteEnd.length - 1));
      this.#paste += this.#buffer.slice(0, kept);
      this.#buffer = this.#buffer.slice(kept);
      return false;
    }
    const text = `${this.#paste}${this.#buffer.slice(0, end)}`;
    this.#paste = null;
    this.#buffer = this.#buffer.slice(end + pasteEnd.length);
    this.#emit({ type: "paste", text });
    return true;
  }

  #takeEscape(force: boolean): boolean {
    const found = matchSequence(this.#buffer);
    if (found !== undefined) {
      this.#buffer = this.#buffer.slice(found.length);
      if (found.paste === true) this.#paste = "";
      else if (found.input !== undefined) this.#emit(found.input);
      return true;
    }
    if (!force && unfinished.test(this.#buffer)) return false;
    const next = this.#buffer.codePointAt(1);
    if (next === undefined || next === 0x1b || (force && unfinished.test(this.#buffer))) {
      this.#buffer = this.#buffer.slice(1);
      this.#emit({ type: "key", key: "escape" });
      return true;
    }
    const character = String.fromCodePoint(next);
    this.#buffer = this.#buffer.slice(1 + character.length);
    this.#emit({ type: "key", key: `M-${controlName(next) ?? character}` });
    return true;
  }

  #takeCharacter(): void {
    const point = this.#buffer.codePointAt(0) ?? 0;
    const character = String.fromCodePoint(point);
    this.#buffer = this.#buffer.slice(character.length);
    const name = controlName(point);
    if (point === 32) this.#emit({ type: "key", key: "space", text: " " });
    else if (name !== undefined) this.#emit({ type: "key", key: name });
    else this.#emit({ type: "key", key: character, text: character });
  }
}

const controlName = (point: number): string | undefined =>
  controlNames[point] ?? (point < 27 ? `C-${String.fromCharCode(point + 96)}` : undefined);
