import { fail } from "../../src/contract/errors.ts";
import { hashToken } from "../auth/tokens.ts";
import { refusalOf } from "../refusal-of.ts";
import { takeBackUse, useOnce } from "../store/used-once.ts";
import type { Page, Visit } from "./page-row.ts";
import { csrfField } from "./parts/forms.tsx";

/** A form as it came, by the names of its members. */
export type Form = Readonly<Record<string, string>>;

/**
 * Does a form's work unless it was done before, in whichever process of the server; throws `formUsed` then. A form is
 * known by the proof that it carries, of which every page that is shown has a new one. What is refused may be sent again.
 */
export async function performOnce<T>(
  { path }: Page,
  { context }: Visit,
  form: Form,
  work: () => Promise<T>,
): Promise<T> {
  const { store } = context.server;
  // Blanks keep these apart from the states of terminals, which have none.
  const use = hashToken(`form ${path} ${form["act"]} ${form[csrfField]}`);
  if (!(await useOnce(store, use))) fail("formUsed");
  try {
    return await work();
  } catch (error) {
    // After anything else nobody knows whether it was done.
    if (refusalOf(error) !== undefined) await takeBackUse(store, use);
    throw error;
  }
}
