import type { Step } from "./message.ts";
import type { Model } from "./model.ts";

/** Parts of the help, in its order. */
export const helpGroups = ["move", "look", "do", "find", "screens", "data", "leave"] as const;
export type HelpGroup = (typeof helpGroups)[number];

/**
 * A key and what it does: dispatch, hints, help and the printed key map all come from the same rows.
 * A binding that is off stays where it is and says why.
 */
export interface Binding {
  readonly keys: readonly string[];
  /** What it does, as help says it. */
  readonly does: string;
  readonly group: HelpGroup;
  /** A word or two for the bottom line, and how early it stands there; without it the key is in the help only. */
  readonly hint?: { readonly text: string; readonly rank: number };
  /** Why it does nothing now, or null when it does. */
  readonly off?: (model: Model) => string | null;
  readonly run: (model: Model) => Step;
}

/** Keys as people read them. */
export function keyName(key: string): string {
  const named: Readonly<Record<string, string>> = {
    up: "↑",
    down: "↓",
    left: "←",
    right: "→",
    pageup: "pgup",
    pagedown: "pgdn",
    escape: "esc",
  };
  return named[key] ?? key.replace(/^C-/, "ctrl-").replace(/^M-/, "alt-").replace(/^S-/, "shift-");
}
