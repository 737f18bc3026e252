import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Frame } from "../../tui/view/frame.ts";
import { columns, divide, rows } from "../../tui/view/rect.ts";
import { shorten, width } from "../../tui/view/width.ts";

const samples = [
  "abc",
  "漢字",
  "🐢🚀",
  "👩‍💻",
  "é",
  "e\u0301",
  "⚠️",
  "🇩🇪",
  "ไทย",
  "한국어",
  "\x1b[31mred\x1b[0m",
  "a\tb",
  "\u202eevil",
];
const someText = fc.oneof(
  fc.constantFrom(...samples),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 8 }),
);

describe("cell widths", () => {
  it.each<[string, number]>([
    ["abc", 3],
    ["漢字", 4],
    ["🐢", 2],
    ["👩‍💻", 2],
    ["👍🏽", 2],
    ["e\u0301", 1],
    ["⚠️", 1],
    ["🇩🇪", 1],
    ["\x1b[31mred\x1b[0m", 3],
    ["\x1b]0;title\x07x", 1],
    ["\u200b\u202e", 0],
    ["", 0],
  ])("%j takes %i", (text, cells) => {
    expect(width(text)).toBe(cells);
  });

  it("a shortened text never takes more than it may, and says that something is missing", () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 0, max: 14 }), (text, cells) => {
        const cut = shorten(text, cells);
        expect(width(cut)).toBeLessThanOrEqual(cells);
        if (cells > 0 && width(text) > cells) expect(cut.endsWith("…")).toBe(true);
        else if (cells > 0) expect(cut).toBe(text);
      }),
    );
  });
});

describe("a frame", () => {
  it("keeps every row exactly as wide as the grid, whatever overlaps", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -3, max: 24 }), fc.integer({ min: -1, max: 3 }), someText), {
          maxLength: 30,
        }),
        fc.boolean(),
        (writes, ascii) => {
          const frame = new Frame(21, 3, ascii);
          for (const [x, y, text] of writes) {
            frame.put(x, y, text, 1);
            frame.fill({ x: x + 2, y, w: 1, h: 1 }, "│", 2);
          }
          for (let y = 0; y < 3; y++) expect(width(frame.row(y))).toBe(21);
          expect(frame.ch).toHaveLength(63);
          if (ascii) expect(frame.text()).toMatch(/^[\x20-\x7e\n]*$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("cuts at the cell that it is told, never in the middle of a glyph", () => {
    const frame = new Frame(10, 1);
    expect(frame.put(0, 0, "漢字漢", 0, 5)).toBe(4);
    expect(frame.row(0).trimEnd()).toBe("漢字");
  });

  it("lets no control sequence through", () => {
    const frame = new Frame(20, 1);
    frame.put(0, 0, "a\x1b[2Jb\x07\nc", 0);
    expect(frame.row(0).trimEnd()).toBe("ab c");
  });
});

describe("rectangles", () => {
  const part = fc.oneof(fc.nat(40), fc.record({ share: fc.integer({ min: 1, max: 5 }) }));
  it("divide a length without gap or overlap", () => {
    fc.assert(
      fc.property(fc.nat(250), fc.array(part, { maxLength: 6 }), (length, parts) => {
        const cut = divide(length, [...parts, { share: 1 }]);
        expect(cut.every((piece) => piece >= 0)).toBe(true);
        expect(cut.reduce((sum, piece) => sum + piece, 0)).toBe(length);
      }),
    );
  });

  it("stand beside and below each other", () => {
    const whole = { x: 2, y: 1, w: 20, h: 9 };
    expect(columns(whole, [5, { share: 1 }])).toEqual([
      { x: 2, y: 1, w: 5, h: 9 },
      { x: 7, y: 1, w: 15, h: 9 },
    ]);
    expect(rows(whole, [{ share: 2 }, { share: 1 }])).toEqual([
      { x: 2, y: 1, w: 20, h: 6 },
      { x: 2, y: 7, w: 20, h: 3 },
    ]);
  });
});
