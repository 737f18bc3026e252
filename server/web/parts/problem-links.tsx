import type { VNode } from "preact";

/** Where to go from a page that could not be shown. */
export const ProblemLinks = (): VNode => (
  <p>
    <a href="/keys">Your keys</a> · <a href="/login">Sign in</a> · <a href="/">Start page</a>
  </p>
);

/** What to do where nothing can be shown for now. */
export const Later = (): VNode => <p>Try again in a few minutes.</p>;
