import type { Message } from "../../tui/core/message.ts";
import { type Model, newModel } from "../../tui/core/model.ts";
import { update } from "../../tui/core/update.ts";
import { Terminal } from "../../tui/term/terminal.ts";
import type { Size } from "../../tui/view/rect.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { type WorldOptions, worldAnswer, worldNow } from "./tui-data.ts";

export * from "./tui-data.ts";
export * from "./tui-review.ts";

/** The model after messages, their commands forgotten. */
export const told = (model: Model, ...messages: readonly Message[]): Model =>
  messages.reduce((current, message) => update(current, message)[0], model);

export const press = (model: Model, ...keys: readonly string[]): Model =>
  told(
    model,
    ...keys.map((key): Message => ({ type: "key", key, ...([...key].length === 1 ? { text: key } : {}) })),
  );

/** Keys of a text, one by one. */
export const type = (model: Model, text: string): Model =>
  told(
    model,
    ...[...text].map(
      (letter): Message => ({ type: "key", key: letter === " " ? "space" : letter, text: letter }),
    ),
  );

/** A dashboard that has heard nothing yet. */
export const blankModel = (size: Size): Model =>
  told(newModel({ now: worldNow, size, zoneMinutes: 0, version: "0.1.0" }), { type: "tick", now: worldNow });

/** A dashboard that shows a world. */
export const worldModel = (size: Size, options: WorldOptions = {}): Model =>
  told(blankModel(size), { type: "answer", now: worldNow, answer: worldAnswer(options) });

/** Draws models on a terminal that swallows its bytes, for measuring; `paint` gives the number of bytes so far. */
export function framePainter(size: Size): {
  readonly paint: (model: Model) => number;
  readonly close: () => void;
} {
  let bytes = 0;
  const output = {
    columns: size.cols,
    rows: size.rows,
    write: (text: string): boolean => {
      bytes += text.length;
      return true;
    },
  };
  const terminal = new Terminal(output, { mouse: true, alternateScreen: true });
  const theme = themeOf("dark", "256", false);
  terminal.open();
  return {
    paint: (model) => {
      terminal.paint(view(model, theme));
      return bytes;
    },
    close: () => terminal.destroy(),
  };
}
