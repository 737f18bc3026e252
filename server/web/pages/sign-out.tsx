import Type from "typebox";
import { act, type Page } from "../page-row.ts";

/** Takes the form that stands at the top of every page. */
export const signOutPage: Page = {
  path: "/logout",
  access: "anyone",
  show: () => ({ to: "/login" }),
  acts: {
    "sign-out": act(Type.Object({}), async (_form, visit) => {
      await visit.ask("accounts", "signOut", {});
      return { to: "/login", note: "You are signed out." };
    }),
  },
};
