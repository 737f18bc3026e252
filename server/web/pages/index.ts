import type { Page } from "../page-row.ts";
import { cliSuccessPage } from "./cli-success.tsx";
import { keysPage } from "./keys.tsx";
import { signInPage } from "./sign-in.tsx";
import { signOutPage } from "./sign-out.tsx";
import { signUpPage } from "./sign-up.tsx";

/** Every page that has forms or is for users. */
export const pages: readonly Page[] = [signInPage, signUpPage, signOutPage, cliSuccessPage, keysPage];
