import { EventEmitter } from "node:events";
import type { Source } from "../../src/cli/prompt.ts";

/** An input that delivers a text in one piece when it is first read, and then its end; on a terminal no end comes. */
export type FakeInput = Source & {
  /** Whether raw mode is on now. */
  readonly raw: () => boolean;
  /** How often it was switched. */
  readonly switched: () => number;
};

export function fakeInput(text: string, terminal: boolean): FakeInput {
  const events = new EventEmitter();
  let delivered = false;
  let raw = false;
  let switched = 0;
  const input: FakeInput = {
    isTTY: terminal,
    setRawMode: (on) => {
      raw = on;
      switched++;
    },
    on: (event: string, listener: (chunk: Buffer) => void) => events.on(event, listener),
    off: (event: string, listener: (chunk: Buffer) => void) => events.off(event, listener),
    resume: () => {
      setImmediate(() => {
        if (!delivered) {
          delivered = true;
          if (text !== "") events.emit("data", Buffer.from(text));
        }
        events.emit("end");
      });
    },
    pause: () => undefined,
    raw: () => raw,
    switched: () => switched,
  };
  return input;
}
