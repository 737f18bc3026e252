const levels = "▁▂▃▄▅▆▇█";

/** Numbers as a row of bars, one cell each, the highest filling its cell; nothing at all is a flat line. */
export function sparkText(values: readonly number[], cells: number): string {
  const shown = values.slice(-cells);
  const highest = Math.max(1, ...shown);
  return shown.map((value) => levels.charAt(Math.round((value / highest) * (levels.length - 1)))).join("");
}

/** Numbers as columns of a height, rows from top to bottom, for terminals and moments without the chart widget. */
export function columnText(values: readonly number[], cells: number, height: number): readonly string[] {
  const shown = values.slice(-cells);
  const highest = Math.max(1, ...shown);
  return Array.from({ length: height }, (_, row) => {
    const base = (height - 1 - row) * 8;
    return shown
      .map((value) => {
        const eighths = Math.round((value / highest) * height * 8) - base;
        return eighths <= 0 ? " " : levels.charAt(Math.min(8, eighths) - 1);
      })
      .join("");
  });
}
