import type { TObject } from "typebox";
import { explain } from "../../src/contract/check.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { refusalOf } from "../refusal-of.ts";
import type { Outcome, Page, Visit } from "./page-row.ts";
import { type Form, performOnce } from "./perform-once.ts";

/**
 * Does what a form asks for. What is refused shows the page again, with the reason and with what was typed but for
 * secrets. Throws what is no refusal.
 */
export async function performAct(page: Page, visit: Visit, form: Form): Promise<Outcome> {
  const wanted = form["act"] ?? "";
  const { fields, perform, once = false } = chosen(page, wanted);
  try {
    const problem = explain(fields, form, "form");
    if (problem !== undefined) throw new ApiError("badRequest", problem);
    const work = () => perform(form, visit);
    return await (once ? performOnce(page, visit, form, work) : work());
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined || refused.status >= 500) throw error;
    // What was done already is not offered again.
    const typed = refused.error === "formUsed" ? {} : withoutSecrets(fields, form);
    const again = await page.show({ ...visit, form: { ...typed, act: wanted } });
    if ("to" in again) throw refused;
    const { status, message: problem, retryAfterSeconds } = refused;
    return { ...again, status, problem, retryAfterSeconds };
  }
}

function chosen({ acts = {} }: Page, wanted: string) {
  const found = Object.hasOwn(acts, wanted) ? acts[wanted] : undefined;
  if (found !== undefined) return found;
  throw new ApiError(
    "badRequest",
    "this page has no such form; go back, load it again and repeat what you did",
  );
}

const withoutSecrets = ({ properties }: TObject, form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).filter(([name]) => {
      const field: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return typeof field === "object" && field !== null && !("writeOnly" in field);
    }),
  );
