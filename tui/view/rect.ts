/** Columns and rows of a terminal, or of a part of it. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** A part of the screen in cells, counted from the upper left corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const emptyRect: Rect = { x: 0, y: 0, w: 0, h: 0 };

/** What a border leaves inside a box; empty when the box is too small for one. */
export const inside = (rect: Rect): Rect =>
  rect.w < 3 || rect.h < 3 ? emptyRect : { x: rect.x + 1, y: rect.y + 1, w: rect.w - 2, h: rect.h - 2 };

export const contains = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;

/**
 * Cuts a length into parts: a whole number is exactly that long, a fraction shares what is left by weight.
 * The last sharing part takes the remainder, so the parts always add up; what does not fit becomes 0.
 */
export function divide(length: number, parts: readonly (number | { readonly share: number })[]): number[] {
  let left = Math.max(0, length);
  const fixed = parts.map((part) => {
    if (typeof part !== "number") return 0;
    const taken = Math.min(part, left);
    left -= taken;
    return taken;
  });
  let weight = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? 0 : part.share), 0);
  return parts.map((part, index) => {
    if (typeof part === "number") return fixed[index] ?? 0;
    const taken = weight <= part.share ? left : Math.floor((left * part.share) / weight);
    left -= taken;
    weight -= part.share;
    return taken;
  });
}

/** Parts of a rectangle beside each other, from left to right. */
export function columns(rect: Rect, parts: readonly (number | { readonly share: number })[]): Rect[] {
  let x = rect.x;
  return divide(rect.w, parts).map((w) => {
    const part = { x, y: rect.y, w, h: rect.h };
    x += w;
    return part;
  });
}

/** Parts of a rectangle below each other, from top to bottom. */
export function rows(rect: Rect, parts: readonly (number | { readonly share: number })[]): Rect[] {
  let y = rect.y;
  return divide(rect.h, parts).map((h) => {
    const part = { x: rect.x, y, w: rect.w, h };
    y += h;
    return part;
  });
}
