import { type Attr, attrOf, type Style, withBackground, withForeground, withInverse } from "./attr.ts";

/** How many colours the terminal is given. */
export type Depth = "none" | "16" | "256";

/** What a piece of the screen means; views name meanings, themes name colours. */
export type Role =
  | "text"
  | "strong"
  | "muted"
  | "title"
  | "border"
  | "focus"
  | "key"
  | "ok"
  | "failed"
  | "running"
  | "queued"
  | "warn"
  | "held"
  | "stale"
  | "added"
  | "changed"
  | "removed"
  | "accent"
  | "conflict"
  | "fresh";

/** Colours of one role: of 256, of 16, and the style where there is no colour. */
interface Paint {
  readonly c256?: number;
  readonly c16?: number;
  readonly bold?: boolean;
}

/** A flat map of roles to colours, and the background of the selected row. */
export interface Palette {
  readonly roles: Readonly<Record<Role, Paint>>;
  readonly selection: number;
}

const dark: Palette = {
  selection: 236,
  roles: {
    text: {},
    strong: { bold: true },
    muted: { c256: 245, c16: 8 },
    title: { c256: 252, c16: 15, bold: true },
    border: { c256: 240, c16: 8 },
    focus: { c256: 75, c16: 14 },
    key: { c256: 75, c16: 14, bold: true },
    ok: { c256: 78, c16: 2 },
    failed: { c256: 203, c16: 1, bold: true },
    running: { c256: 80, c16: 6 },
    queued: { c256: 250, c16: 7 },
    warn: { c256: 221, c16: 3 },
    held: { c256: 179, c16: 3 },
    stale: { c256: 242, c16: 8 },
    added: { c256: 78, c16: 2 },
    changed: { c256: 221, c16: 3 },
    removed: { c256: 203, c16: 1 },
    accent: { c256: 80, c16: 6 },
    conflict: { c256: 213, c16: 13, bold: true },
    fresh: { c256: 213, c16: 13, bold: true },
  },
};

const over = (base: Palette, selection: number, roles: Partial<Record<Role, Paint>>): Palette => ({
  selection,
  roles: { ...base.roles, ...roles },
});

/** Every theme by its name. */
export const palettes = {
  dark,
  light: over(dark, 253, {
    muted: { c256: 241, c16: 8 },
    title: { c256: 235, c16: 0, bold: true },
    border: { c256: 247, c16: 8 },
    focus: { c256: 25, c16: 4 },
    key: { c256: 25, c16: 4, bold: true },
    ok: { c256: 28, c16: 2 },
    failed: { c256: 124, c16: 1, bold: true },
    running: { c256: 30, c16: 6 },
    queued: { c256: 239, c16: 8 },
    warn: { c256: 130, c16: 3 },
    held: { c256: 130, c16: 3 },
    stale: { c256: 246, c16: 8 },
    added: { c256: 28, c16: 2 },
    changed: { c256: 130, c16: 3 },
    removed: { c256: 124, c16: 1 },
    accent: { c256: 30, c16: 6 },
    conflict: { c256: 127, c16: 5, bold: true },
    fresh: { c256: 127, c16: 5, bold: true },
  }),
  deuteranopia: over(dark, 236, {
    ok: { c256: 75, c16: 4 },
    added: { c256: 75, c16: 4 },
    failed: { c256: 208, c16: 3, bold: true },
    removed: { c256: 208, c16: 3 },
  }),
  "high-contrast": over(dark, 238, {
    muted: { c256: 252, c16: 7 },
    border: { c256: 255, c16: 15 },
    stale: { c256: 250, c16: 7 },
  }),
} as const satisfies Record<string, Palette>;
export type ThemeName = keyof typeof palettes;

/** The looks of one terminal: what each role is drawn as, and the symbols of each state. */
export interface Theme {
  readonly depth: Depth;
  readonly ascii: boolean;
  readonly attr: (role: Role) => Attr;
  /** The same cell on the selected row. */
  readonly selected: (attr: Attr) => Attr;
  /** The same cell when its data is not fresh. */
  readonly dimmed: (attr: Attr) => Attr;
}

export function themeOf(name: ThemeName, depth: Depth, ascii: boolean): Theme {
  const palette: Palette = palettes[name];
  const style = (paint: Paint): Style => {
    const colour = depth === "256" ? paint.c256 : depth === "16" ? paint.c16 : undefined;
    return {
      ...(colour === undefined ? {} : { fg: colour }),
      ...(paint.bold === true ? { bold: true } : {}),
    };
  };
  const attrs = new Map(
    Object.entries(palette.roles).map(([role, paint]) => [role, attrOf(style(paint))] as const),
  );
  const stale = palette.roles.stale;
  return {
    depth,
    ascii,
    attr: (role) => attrs.get(role) ?? attrOf({}),
    selected: (attr) => (depth === "256" ? withBackground(attr, palette.selection) : withInverse(attr)),
    dimmed: (attr) => {
      const colour = style(stale).fg;
      return colour === undefined ? attr : withForeground(attr & 0x3ffff, colour);
    },
  };
}
