import { describe, expect, it } from "vitest";
import { createOutput, type OutputOptions } from "../../src/cli/output.ts";
import { aligned, type Column, cellWidth, printable } from "../../src/cli/table.ts";
import { age } from "../../src/cli/times.ts";

const rows = [
  { id: "1", name: "web" },
  { id: "22", name: "数据库" },
];
const columns: readonly Column<{ id: string; name: string }>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
];

function made(options: Partial<OutputOptions> & { readonly terminal?: boolean } = {}) {
  const written = { out: "", err: "" };
  const isTTY = options.terminal ?? false;
  const output = createOutput({
    out: { isTTY, write: (text) => (written.out += text) },
    err: { isTTY, write: (text) => (written.err += text) },
    json: false,
    quiet: false,
    color: true,
    debug: false,
    ...options,
  });
  return { output, written };
}

describe("a table", () => {
  it("has titles and columns on a terminal, and tabs and no titles in a pipe", () => {
    const terminal = made({ terminal: true, color: false });
    terminal.output.table({}, columns, rows, "none");
    expect(terminal.written.out).toBe("ID  NAME\n1   web\n22  数据库\n");
    const pipe = made();
    pipe.output.table({}, columns, rows, "none");
    expect(pipe.written.out).toBe("1\tweb\n22\t数据库\n");
  });

  it("without rows says so to a person and nothing to a program", () => {
    const terminal = made({ terminal: true });
    terminal.output.table({}, columns, [], "no things");
    expect(terminal.written.out).toBe("no things\n");
    const pipe = made();
    pipe.output.table({}, columns, [], "no things");
    expect(pipe.written.out).toBe("");
  });

  it("is the document itself with --json, on a terminal too", () => {
    const { output, written } = made({ terminal: true, json: true });
    output.table({ things: rows }, columns, rows, "none");
    expect(written.out).toBe(`${JSON.stringify({ things: rows }, undefined, 2)}\n`);
  });

  it("keeps its columns whatever stands in a cell", () => {
    const wide = [{ a: "\u{1F680}" }, { a: "e\u0301" }, { a: "数" }];
    const lines = aligned(
      [
        { title: "A", text: ({ a }: { a: string }) => a },
        { title: "B", text: () => "x" },
      ],
      wide,
    );
    expect(new Set(lines.map((line) => cellWidth(line)))).toEqual(new Set([5]));
  });
});

describe("text from elsewhere", () => {
  it.each([
    ["plain", "plain"],
    ["\u001b[2Jgone", "\\u{1b}[2Jgone"],
    ["a\nb\tc", "a b c"],
    ["\u202eevil", "\\u{202e}evil"],
    ["\u009b31m", "\\u{9b}31m"],
  ])("%j cannot steer the terminal", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe("colours", () => {
  const colored = (options: Parameters<typeof made>[0]) => {
    const { output, written } = made(options);
    output.warn("careful");
    output.result({}, [output.bold("title")]);
    return (written.out + written.err).includes("\u001b");
  };
  it("are there on a terminal only, and never when they were turned off", () => {
    expect(colored({ terminal: true })).toBe(true);
    expect(colored({ terminal: false })).toBe(false);
    expect(colored({ terminal: true, color: false })).toBe(false);
    expect(colored({ terminal: true, json: true })).toBe(false);
  });
});

describe("output", () => {
  it("keeps results apart from notes, warnings and questions", () => {
    const { output, written } = made();
    output.note("by the way");
    output.warn("careful");
    output.ask("sure? ");
    output.result({}, ["done"]);
    expect(written).toEqual({ out: "done\n", err: "by the way\nwarning: careful\nsure? " });
  });

  it("says nothing but results and failures with --quiet", () => {
    const { output, written } = made({ quiet: true });
    output.note("by the way");
    output.warn("careful");
    output.failure({ message: "it broke", code: "error", hint: "mend it" });
    expect(written.err).toBe("error: it broke\nhint: mend it\n");
  });

  it("gives failures as a document with --json, and the stack only with --debug", () => {
    const failure = { message: "it broke", code: "broken", hint: "mend it", stack: "at x" };
    const plain = made({ json: true });
    plain.output.failure(failure);
    expect(JSON.parse(plain.written.err)).toEqual({ error: "it broke", code: "broken", hint: "mend it" });
    const debug = made({ json: true, debug: true });
    debug.output.failure(failure);
    expect(JSON.parse(debug.written.err)).toHaveProperty("stack", "at x");
  });

  it("refuses a second result: one run, one document", () => {
    const { output } = made();
    output.result({}, []);
    expect(() => output.result({}, [])).toThrow("two results");
  });
});

it.each([
  [0, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [47 * 3_600_000, "47h"],
  [48 * 3_600_000, "2d"],
  [-5, "0s"],
])("%i ms read as %s", (ms, text) => {
  expect(age(ms)).toBe(text);
});
