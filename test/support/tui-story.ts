import type { DaemonStatus } from "../../src/ipc/contract.ts";
import type { Command, Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { update } from "../../tui/core/update.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";

/** The palette that the stories are drawn with. */
export const theme = themeOf("dark", "256", false);

/** The screen as text. */
export const textOf = (model: Model): string => view(model, theme).frame.text();

/** The first line of the screen that holds a text, `""` when none does. */
export const rowOf = (model: Model, text: string): string =>
  textOf(model)
    .split("\n")
    .find((line) => line.includes(text)) ?? "";

export const tick = (now: number): Message => ({ type: "tick", now });

/** An answer with changes of one list, and perhaps a status. */
export const news = (
  now: number,
  resource: string,
  items: Readonly<Record<string, unknown>>,
  deleted: readonly string[] = [],
  status?: DaemonStatus,
): Message => ({
  type: "answer",
  now,
  answer: {
    instance: "world",
    revision: 2,
    fresh: false,
    status,
    changes: [{ resource, upserted: { ...items }, deleted: [...deleted], whole: false }],
  },
});

/** What the model asks for in answer to a message. */
export const commandsOf = (model: Model, message: Message): readonly Command[] => update(model, message)[1];
