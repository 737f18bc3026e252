import { describe, expect, it } from "vitest";
import { capabilities, type TerminalEnvironment, type TerminalWishes } from "../../tui/term/caps.ts";

const auto: TerminalWishes = { colors: "auto", ascii: "auto" };

describe("what a terminal can do", () => {
  it.each<[string, TerminalEnvironment, Partial<TerminalWishes>, string, boolean]>([
    ["xterm-256color", { TERM: "xterm-256color" }, {}, "256", false],
    ["tmux-256color", { TERM: "tmux-256color" }, {}, "256", false],
    ["alacritty", { TERM: "alacritty" }, {}, "256", false],
    ["screen", { TERM: "screen" }, {}, "16", false],
    ["screen with COLORTERM", { TERM: "screen", COLORTERM: "truecolor" }, {}, "256", false],
    ["the linux console", { TERM: "linux" }, {}, "16", true],
    ["a vt100", { TERM: "vt100" }, {}, "none", false],
    ["NO_COLOR", { TERM: "xterm-256color", NO_COLOR: "1" }, {}, "none", false],
    ["an empty NO_COLOR", { TERM: "xterm-256color", NO_COLOR: "" }, {}, "256", false],
    ["a flag over NO_COLOR", { TERM: "xterm-256color", NO_COLOR: "1" }, { colors: "16" }, "16", false],
    ["CLICOLOR=0", { TERM: "xterm-256color", CLICOLOR: "0" }, {}, "none", false],
    ["a C locale", { TERM: "xterm-256color", LC_ALL: "C", LANG: "en_US.UTF-8" }, {}, "256", true],
    ["a UTF-8 locale", { TERM: "xterm-256color", LANG: "en_US.UTF-8" }, {}, "256", false],
    ["--ascii", { TERM: "xterm-256color" }, { ascii: true }, "256", true],
  ])("%s", (_, environment, wishes, depth, ascii) => {
    expect(capabilities(environment, { ...auto, ...wishes })).toMatchObject({ depth, ascii });
  });

  it("refuses a dumb terminal and points to the text", () => {
    expect(capabilities({ TERM: "dumb" }, auto)).toMatch(/TERM=dumb.*svc status/);
  });
});
