import { StringDecoder } from "node:string_decoder";
import { Problem } from "../lib/problem.ts";

/** What is read from: a subset of a process's standard input. */
export interface Source {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Buffer) => void): unknown;
  off(event: "end", listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Reads what a person types or a program pipes. */
export interface Prompt {
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** The next line without its end; undefined at the end of the input. */
  line(): Promise<string | undefined>;
  /** The next line, not echoed when a person types it; `ask` is called once the terminal echoes no more. */
  secret(ask: () => void): Promise<string | undefined>;
  /** Everything up to the end of the input. */
  rest(): Promise<string>;
}

const cancelled = (): Problem => new Problem("cancelled", { code: "cancelled" });

/** Builds the reader; nothing is read, and no listener kept, before or between questions. */
export function createPrompt(source: Source, echo: (text: string) => void): Prompt {
  const decoder = new StringDecoder("utf8");
  let buffered = "";
  let ended = false;

  /** Feeds text to `take` until it gives a result; what it leaves stays for the next question. */
  const read = <T>(
    take: (text: string, ended: boolean) => { value: T; left: string } | undefined,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const attempt = (): boolean => {
        try {
          const taken = take(buffered, ended);
          if (taken === undefined) return false;
          buffered = taken.left;
          stop();
          resolve(taken.value);
        } catch (error) {
          stop();
          reject(error);
        }
        return true;
      };
      const onData = (chunk: Buffer): void => {
        buffered += decoder.write(chunk);
        attempt();
      };
      const onEnd = (): void => {
        ended = true;
        attempt();
      };
      const stop = (): void => {
        source.off("data", onData);
        source.off("end", onEnd);
        source.pause();
      };
      if (attempt()) return;
      source.on("data", onData);
      source.on("end", onEnd);
      source.resume();
    });

  const line = (): Promise<string | undefined> =>
    read((text, over) => {
      const end = text.indexOf("\n");
      if (end >= 0) return { value: text.slice(0, end).replace(/\r$/, ""), left: text.slice(end + 1) };
      return over ? { value: text === "" ? undefined : text, left: "" } : undefined;
    });

  const typedSecret = async (ask: () => void): Promise<string | undefined> => {
    source.setRawMode?.(true);
    try {
      ask();
      return await read(takeTyped);
    } finally {
      source.setRawMode?.(false);
      echo("\n");
    }
  };

  return {
    interactive: source.isTTY === true,
    line,
    secret: (ask) => (source.isTTY === true ? typedSecret(ask) : line()),
    rest: () => read((text, over) => (over ? { value: text, left: "" } : undefined)),
  };
}

/** A line typed in raw mode: Enter ends it, Backspace takes back, Ctrl-U clears, Ctrl-C cancels, Ctrl-D ends. */
function takeTyped(text: string, over: boolean): { value: string | undefined; left: string } | undefined {
  let typed: string[] = [];
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const left = (): string => characters.slice(index + 1).join("");
    if (character === "\r" || character === "\n") return { value: typed.join(""), left: left() };
    if (character === "\u0003") throw cancelled();
    if (character === "\u0004")
      return { value: typed.length === 0 ? undefined : typed.join(""), left: left() };
    if (character === "\u007f" || character === "\b") typed.pop();
    else if (character === "\u0015") typed = [];
    else typed.push(character);
  }
  return over ? { value: undefined, left: "" } : undefined;
}
