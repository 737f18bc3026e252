import { describe, expect, it } from "vitest";
import { createPrompt } from "../../src/cli/prompt.ts";
import { fakeInput } from "../support/fake-input.ts";

const reading = (text: string, terminal = false) => {
  const input = fakeInput(text, terminal);
  let echoed = "";
  const prompt = createPrompt(input, (part) => {
    echoed += part;
  });
  return { input, prompt, echoed: () => echoed };
};
const silent = (): void => undefined;

describe("piped input", () => {
  it("gives line after line, then nothing", async () => {
    const { prompt } = reading("one\r\ntwo\n\nlast");
    const lines = [await prompt.line(), await prompt.line(), await prompt.line(), await prompt.line()];
    expect(lines).toEqual(["one", "two", "", "last"]);
    expect(await prompt.line()).toBeUndefined();
  });

  it("gives the rest in one piece, after the lines that were read", async () => {
    const { prompt } = reading("first\n{\n}\n");
    expect(await prompt.line()).toBe("first");
    expect(await prompt.rest()).toBe("{\n}\n");
  });

  it("gives a password as a plain line and never touches raw mode", async () => {
    const { prompt, input } = reading("p\u0003w\u007f\n");
    expect(await prompt.secret(silent)).toBe("p\u0003w\u007f");
    expect(input.switched()).toBe(0);
  });
});

describe("a typed password", () => {
  it.each([
    ["plain\r", "plain"],
    ["plain\n", "plain"],
    ["ab\u007fc\r", "ac"],
    ["\u007f\u007fx\r", "x"],
    ["wrong\u0015right\r", "right"],
    ["p\u00e4ss\u{1F511}\u007f\r", "p\u00e4ss"],
    ["\r", ""],
    ["\u0004", undefined],
  ])("%j is %j", async (typed, expected) => {
    const { prompt, input } = reading(typed, true);
    expect(await prompt.secret(silent)).toBe(expected);
    expect(input.raw()).toBe(false);
  });

  it("is asked for only once the terminal echoes no more", async () => {
    const { prompt, input } = reading("x\r", true);
    let echoing: boolean | undefined;
    await prompt.secret(() => {
      echoing = !input.raw();
    });
    expect(echoing).toBe(false);
  });

  it("is cancelled by Ctrl-C, and the terminal echoes again", async () => {
    const { prompt, input, echoed } = reading("abc\u0003", true);
    await expect(prompt.secret(silent)).rejects.toMatchObject({ code: "cancelled" });
    expect(input.raw()).toBe(false);
    expect(echoed()).toBe("\n");
  });
});
