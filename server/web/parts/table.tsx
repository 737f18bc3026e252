import type { ComponentChildren, VNode } from "preact";

/** Rows with their headings; `empty` is said where there are none. */
export function Table({
  caption,
  head,
  rows,
  empty,
}: {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each names its row; a cell that is a text is isolated. */
  readonly rows: readonly { readonly id: string; readonly cells: readonly ComponentChildren[] }[];
  readonly empty: string;
}): VNode {
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    // Reachable by keyboard, since it may be wider than the page.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [first, ...others] }) => (
            <tr key={id}>
              <th scope="row">{apart(first)}</th>
              {others.map((cell, column) => (
                <td key={head[column + 1]} data-head={head[column + 1]}>
                  {apart(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A text that somebody may have chosen keeps its direction to itself. */
const apart = (cell: ComponentChildren): ComponentChildren =>
  typeof cell === "string" ? <bdi>{cell}</bdi> : cell;

/** A moment as people read it, in UTC since a page does not know where its reader is. */
export const Time = ({
  at,
  none = "never",
}: {
  readonly at: string | null;
  readonly none?: string;
}): VNode =>
  at === null ? (
    <span class="quiet">{none}</span>
  ) : (
    <time dateTime={at}>
      <span>{at.slice(0, 10)}</span> <span>{at.slice(11, 16)} UTC</span>
    </time>
  );

/** A word that says how something is, in a color that says it again. */
export const State = ({
  tone,
  children,
}: {
  readonly tone: "good" | "warn" | "bad";
  readonly children: ComponentChildren;
}): VNode => <span class={`state ${tone}`}>{children}</span>;
