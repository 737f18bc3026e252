import type { VNode } from "preact";
import { fail } from "../../../src/contract/errors.ts";

/** A box that must be ticked before a form does what nobody takes back; its member is `sure`. */
export const Sure = ({ label }: { readonly label: string }): VNode => (
  <label class="check">
    <input type="checkbox" name="sure" value="yes" required />
    <bdi>{label}</bdi>
  </label>
);

/** Throws `badRequest` where the box of a {@link Sure} was not ticked. */
export function checkSure(sure: string | undefined): void {
  if (sure !== "yes") fail("badRequest", "tick the box that says you mean it: nothing was done");
}
