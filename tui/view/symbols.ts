import type { Role } from "./theme.ts";

/** Symbol, word and colour of a state always go together, so that no fact rests on colour alone. */
export interface StateSymbol {
  readonly glyph: string;
  readonly ascii: string;
  readonly role: Role;
}

/** Symbols of states; the ASCII form has two characters where one would be mistaken for another. */
export const symbols = {
  ok: { glyph: "✓", ascii: "ok", role: "ok" },
  failed: { glyph: "✗", ascii: "XX", role: "failed" },
  running: { glyph: "●", ascii: ">>", role: "running" },
  killed: { glyph: "⊘", ascii: "XX", role: "warn" },
  queued: { glyph: "◌", ascii: "..", role: "queued" },
  waiting: { glyph: "‖", ascii: "||", role: "held" },
  warn: { glyph: "▲", ascii: "!!", role: "warn" },
  unknown: { glyph: "?", ascii: "??", role: "stale" },
  added: { glyph: "+", ascii: "+", role: "added" },
  changed: { glyph: "~", ascii: "~", role: "changed" },
  removed: { glyph: "−", ascii: "-", role: "removed" },
  marked: { glyph: "−", ascii: "-", role: "removed" },
  upgradable: { glyph: "↑", ascii: "^", role: "accent" },
  moved: { glyph: "≠", ascii: "<>", role: "conflict" },
  live: { glyph: "●", ascii: "*", role: "ok" },
  offline: { glyph: "○", ascii: "o", role: "failed" },
  behind: { glyph: "◐", ascii: "%", role: "warn" },
  connecting: { glyph: "◌", ascii: ".", role: "queued" },
} as const satisfies Record<string, StateSymbol>;
export type SymbolName = keyof typeof symbols;
