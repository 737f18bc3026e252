import type { VNode } from "preact";

/** The way back to the pages that a page belongs to, the widest first; addresses and names. */
export const Crumbs = ({ way }: { readonly way: readonly (readonly [string, string])[] }): VNode => (
  <nav class="crumbs" aria-label="Way back">
    <ul>
      {way.map(([address, name]) => (
        <li key={address}>
          <a href={address}>
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
