export interface LetteredColumn<Column> {
  readonly letter: string;
  readonly column: Column;
}

/** A letter for each column: the first of its title that no column before it has. */
export function sortLetters<Column extends { readonly title: string }>(
  columns: readonly Column[],
): readonly LetteredColumn<Column>[] {
  const taken = new Set<string>(["s", "q"]);
  return columns.map((column) => {
    const letters = [...column.title.toLowerCase()].filter((letter) => letter >= "a" && letter <= "z");
    const letter = letters.find((candidate) => !taken.has(candidate)) ?? "";
    taken.add(letter);
    return { letter, column };
  });
}
