import type { VNode } from "preact";

/** Where to go from a page that could not be shown. */
export const ProblemLinks = (): VNode => (
  <p>
    <a href="/keys">Your keys</a> · <a href="/login">Sign in</a> · <a href="/">Start page</a>
  </p>
);
