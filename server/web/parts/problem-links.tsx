import type { VNode } from "preact";

/** Where to go from a page that could not be shown. */
export const ProblemLinks = ({ signedIn }: { readonly signedIn: boolean }): VNode =>
  signedIn ? (
    <p>
      <a href="/workspaces">Your workspaces</a> · <a href="/collectives">Your collectives</a> ·{" "}
      <a href="/">Start page</a>
    </p>
  ) : (
    <p>
      <a href="/login">Sign in</a> · <a href="/">Start page</a>
    </p>
  );

/** What to do where nothing can be shown for now. */
export const Later = (): VNode => <p>Try again in a few minutes.</p>;
