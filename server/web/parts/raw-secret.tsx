import type { ComponentChildren, VNode } from "preact";

/** A raw key or token, in the one answer that shows it, with a button to copy it. */
export const RawSecret = ({
  what,
  value,
  children,
}: {
  /** As in "your new key". */
  readonly what: string;
  readonly value: string;
  /** How it is used. */
  readonly children?: ComponentChildren;
}): VNode => (
  <section class="secret" aria-label={what}>
    <p>
      <strong>Copy {what} now: it is shown this once.</strong>
    </p>
    <code id="raw-secret">{value}</code>
    <div class="row">
      <button type="button" hidden data-copy="raw-secret" data-said="copied">
        Copy
      </button>
      <span id="copied" role="status" />
    </div>
    {children}
  </section>
);
