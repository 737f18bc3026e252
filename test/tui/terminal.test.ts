import { afterEach, describe, expect, it } from "vitest";
import { Terminal } from "../../tui/term/terminal.ts";
import { attrOf, styleOf } from "../../tui/view/attr.ts";
import { Frame } from "../../tui/view/frame.ts";
import type { Size } from "../../tui/view/rect.ts";
import { type FakeTty, fakeTty } from "../support/terminal-tty.ts";

const size: Size = { cols: 40, rows: 6 };
const open: Terminal[] = [];
const start = (tty: FakeTty): Terminal => {
  const terminal = new Terminal(tty, { mouse: true, alternateScreen: true });
  open.push(terminal);
  terminal.open();
  return terminal;
};
const scene = (frame: Frame) => ({ frame, charts: [], over: [], targets: [] });
const colour = attrOf({ fg: 203, bg: 236, bold: true });

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.destroy();
});

describe("the terminal driver", () => {
  it("takes the alternate screen and the modes, and gives all of them back", async () => {
    const tty = fakeTty(size);
    await tty.emulator.write("shell$ ");
    const terminal = start(tty);
    await tty.settled();
    expect(tty.emulator.modes()).toEqual({ alternate: true, mouse: "drag", paste: true, focus: true });
    terminal.paint(scene(new Frame(40, 6)));
    terminal.close();
    await tty.settled();
    expect(tty.emulator.modes()).toEqual({ alternate: false, mouse: "none", paste: false, focus: false });
    expect(tty.emulator.text().trimEnd()).toBe("shell$");
    expect(tty.bytes().lastIndexOf("\x1b[?25h")).toBeGreaterThan(tty.bytes().lastIndexOf("\x1b[?25l"));
  });

  it("shows 256 colours, borders and styles exactly", async () => {
    const tty = fakeTty(size);
    const frame = new Frame(40, 6);
    frame.put(0, 0, "┌─┐ ✗ failed", colour);
    start(tty).paint(scene(frame));
    await tty.settled();
    expect(tty.emulator.row(0).trimEnd()).toBe("┌─┐ ✗ failed");
    const { underline: _, ...style } = styleOf(colour);
    expect(tty.emulator.cells(0)[4]).toEqual({ ch: "✗", ...style });
  });

  it.each([{ oldWidths: false }, { oldWidths: true }])(
    "keeps a row in its columns whatever the terminal thinks of emoji ($oldWidths)",
    async (options) => {
      const tty = fakeTty(size, options);
      const terminal = start(tty);
      for (const name of ["🐢🚀 ship", "漢字 a", "plain name", "👩‍💻👍🏽 dev", "x🐢y"]) {
        const frame = new Frame(40, 6);
        frame.put(0, 0, "│", 0x3ffff);
        frame.put(2, 0, name, 0x3ffff, 12);
        frame.put(16, 0, "│ right", 0x3ffff);
        terminal.paint(scene(frame));
        await tty.settled();
        const cells = tty.emulator.cells(0);
        expect(cells[16]?.ch).toBe("│");
        expect(
          cells
            .slice(16)
            .map((cell) => cell.ch)
            .join("")
            .trimEnd(),
        ).toBe("│ right");
        if (!options.oldWidths) expect(tty.emulator.row(0)).toBe(frame.row(0));
      }
    },
  );

  it("sends nothing for a frame that is already shown, and everything after a redraw", async () => {
    const tty = fakeTty(size);
    const terminal = start(tty);
    const frame = new Frame(40, 6);
    frame.put(3, 2, "same", 0x3ffff);
    terminal.paint(scene(frame));
    const before = tty.bytes().length;
    terminal.paint(scene(frame));
    expect(tty.bytes().length).toBe(before);
    await tty.emulator.write("\x1b[3;1Hstray output of another program");
    terminal.redraw();
    terminal.paint(scene(frame));
    await tty.settled();
    expect(tty.emulator.row(2).trimEnd()).toBe("   same");
  });

  it("refuses a frame while the terminal is behind", () => {
    const tty = fakeTty(size);
    const terminal = start(tty);
    tty.writableNeedDrain = true;
    const before = tty.bytes().length;
    expect(terminal.paint(scene(new Frame(40, 6)))).toBe(false);
    expect(tty.bytes().length).toBe(before);
  });

  it("can be left and taken again", async () => {
    const tty = fakeTty(size);
    const terminal = start(tty);
    const frame = new Frame(40, 6);
    frame.put(0, 0, "again", 0x3ffff);
    terminal.paint(scene(frame));
    terminal.close();
    await tty.emulator.write("shell\r\n");
    terminal.open();
    terminal.paint(scene(frame));
    await tty.settled();
    expect(tty.emulator.modes().alternate).toBe(true);
    expect(tty.emulator.row(0).trimEnd()).toBe("again");
  });

  it("leaves the process alone", () => {
    const events = ["exit", "uncaughtException", "SIGTERM", "SIGINT", "SIGQUIT"];
    const before = events.map((event) => process.listenerCount(event));
    start(fakeTty(size));
    expect(events.map((event) => process.listenerCount(event))).toEqual(before);
  });
});
