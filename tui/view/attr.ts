/** Colour and style of one cell in the terminal library's own packing: `flags << 18 | foreground << 9 | background`. */
export type Attr = number;

/** The terminal's own colour; 0–255 are the palette. */
export const defaultColour = 0x1ff;

export interface Style {
  readonly fg?: number;
  readonly bg?: number;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

const boldFlag = 1 << 18;
const underlineFlag = 2 << 18;
const inverseFlag = 8 << 18;

export const attrOf = (style: Style): Attr =>
  (style.bold === true ? boldFlag : 0) |
  (style.underline === true ? underlineFlag : 0) |
  (style.inverse === true ? inverseFlag : 0) |
  ((style.fg ?? defaultColour) << 9) |
  (style.bg ?? defaultColour);

export const plainAttr: Attr = attrOf({});

export const withBackground = (attr: Attr, bg: number): Attr => (attr & ~0x1ff) | bg;
export const withForeground = (attr: Attr, fg: number): Attr => (attr & ~(0x1ff << 9)) | (fg << 9);
export const withBold = (attr: Attr): Attr => attr | boldFlag;
export const withInverse = (attr: Attr): Attr => attr | inverseFlag;

/** The parts of an attribute again, for whoever must draw or check it. */
export const styleOf = (attr: Attr): Required<Style> => ({
  fg: (attr >> 9) & 0x1ff,
  bg: attr & 0x1ff,
  bold: (attr & boldFlag) !== 0,
  underline: (attr & underlineFlag) !== 0,
  inverse: (attr & inverseFlag) !== 0,
});
