import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decoder, type Input } from "../../tui/term/input.ts";
import { fakeClock } from "../support/fake-clock.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const key = (name: string, text?: string): Input => ({
  type: "key",
  key: name,
  ...(text === undefined ? {} : { text }),
});
const typed = (text: string): Input => key(text, text);

function decode(chunks: readonly (string | Uint8Array)[]): Input[] {
  const seen: Input[] = [];
  const decoder = new Decoder(fakeClock(), (input) => seen.push(input));
  for (const chunk of chunks) decoder.feed(typeof chunk === "string" ? bytes(chunk) : chunk);
  return seen;
}

describe("the input decoder", () => {
  it.each<[string, string, Input[]]>([
    ["a letter", "j", [typed("j")]],
    ["Enter, once", "\r", [key("enter")]],
    ["ctrl-j", "\n", [key("C-j")]],
    ["space with its text", " ", [key("space", " ")]],
    ["tab and shift-tab", "\t\x1b[Z", [key("tab"), key("S-tab")]],
    ["backspace, not ctrl-h", "\x7f\x08", [key("backspace"), key("C-h")]],
    ["control letters", "\x01\x0c\x1a", [key("C-a"), key("C-l"), key("C-z")]],
    [
      "the unnamed controls",
      "\x00\x1c\x1d\x1e\x1f",
      ["C-space", "C-\\", "C-]", "C-^", "C-_"].map((name) => key(name)),
    ],
    ["arrows of both modes", "\x1b[A\x1bOB", [key("up"), key("down")]],
    [
      "home and end of all kinds",
      "\x1b[H\x1bOF\x1b[1~\x1b[8~",
      [key("home"), key("end"), key("home"), key("end")],
    ],
    ["pages", "\x1b[5~\x1b[6~", [key("pageup"), key("pagedown")]],
    ["function keys", "\x1bOP\x1b[15~\x1b[24~\x1b[[A", [key("f1"), key("f5"), key("f12"), key("f1")]],
    ["modified arrows", "\x1b[1;5A\x1b[1;2B\x1b[1;3C", [key("C-up"), key("S-down"), key("M-right")]],
    ["alt letters", "\x1bx\x1bX", [key("M-x"), key("M-X")]],
    ["CSI-u ctrl-enter", "\x1b[13;5u", [key("C-enter")]],
    ["CSI-u letters", "\x1b[97u\x1b[97;5u", [typed("a"), key("C-a")]],
    [
      "three wheel turns in one chunk",
      "\x1b[<65;3;4M\x1b[<65;3;4M\x1b[<64;3;4M",
      [
        { type: "wheel", x: 2, y: 3, by: 1 },
        { type: "wheel", x: 2, y: 3, by: 1 },
        { type: "wheel", x: 2, y: 3, by: -1 },
      ],
    ],
    ["wheel and key together", "\x1b[<65;1;1Mj", [{ type: "wheel", x: 0, y: 0, by: 1 }, typed("j")]],
    [
      "a click, once for press and release",
      "\x1b[<0;10;5M\x1b[<0;10;5m",
      [{ type: "click", x: 9, y: 4, button: 0 }],
    ],
    ["nothing for a drag", "\x1b[<32;10;5M", []],
    [
      "focus",
      "\x1b[I\x1b[O",
      [
        { type: "focus", on: true },
        { type: "focus", on: false },
      ],
    ],
    [
      "a paste as one piece",
      "\x1b[200~a\nb\x1b[A\x1b[201~x",
      [{ type: "paste", text: "a\nb\x1b[A" }, typed("x")],
    ],
    ["an emoji as one key", "🐢é漢", [typed("🐢"), typed("é"), typed("漢")]],
    [
      "unknown sequences swallowed whole",
      "\x1b[?1;2cq\x1b[99;1~\x1b]11;rgb:0/0/0\x07w",
      [typed("q"), typed("w")],
    ],
    ["two escapes before a key", "\x1b\x1b[A", [key("escape"), key("up")]],
  ])("reads %s", (_, text, expected) => {
    expect(decode([text])).toEqual(expected);
  });

  it("reads the same however the bytes are cut", () => {
    const text = "a\x1b[A\x1b[<65;3;4M🐢\x1b[200~pa\x1b[ste\x1b[201~\x1b[13;5u\x1bOBz";
    const whole = decode([text]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes(text).length), { maxLength: 12 }), (cuts) => {
        const all = bytes(text);
        const edges = [0, ...cuts.sort((a, b) => a - b), all.length];
        const chunks = edges.slice(1).map((edge, index) => all.slice(edges[index] ?? 0, edge));
        expect(decode(chunks)).toEqual(whole);
      }),
    );
  });

  it("never throws and never stalls, whatever comes in", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 8 }), async (chunks) => {
        const seen: Input[] = [];
        const clock = fakeClock();
        const decoder = new Decoder(clock, (input) => seen.push(input));
        for (const chunk of chunks) decoder.feed(chunk);
        await clock.advance(100);
        decoder.feed(bytes("\x1b[201~\x1b[201~"));
        const before = seen.length;
        decoder.feed(bytes("Q"));
        await clock.advance(100);
        expect(seen.length).toBeGreaterThan(before);
      }),
      { numRuns: 60 },
    );
  });

  it("takes a lone escape for the key after a short wait, and not before", async () => {
    const seen: Input[] = [];
    const clock = fakeClock();
    const decoder = new Decoder(clock, (input) => seen.push(input));
    decoder.feed(bytes("\x1b"));
    expect(seen).toEqual([]);
    await clock.advance(50);
    expect(seen).toEqual([key("escape")]);
    decoder.feed(bytes("\x1b"));
    decoder.feed(bytes("[A"));
    await clock.advance(50);
    expect(seen.slice(1)).toEqual([key("up")]);
  });
});
