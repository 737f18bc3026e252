import type { Page } from "../page-row.ts";
import { accountPage } from "./account.tsx";
import { auditPage } from "./audit.tsx";
import { cliSuccessPage } from "./cli-success.tsx";
import { collectivePage } from "./collective.tsx";
import { collectiveMemberPage } from "./collective-member.tsx";
import { collectivesPage } from "./collectives.tsx";
import { keysPage } from "./keys.tsx";
import { sessionsPage } from "./sessions.tsx";
import { signInPage } from "./sign-in.tsx";
import { signOutPage } from "./sign-out.tsx";
import { signUpPage } from "./sign-up.tsx";
import { workspacePage } from "./workspace.tsx";
import { workspaceMemberPage } from "./workspace-member.tsx";
import { workspacesPage } from "./workspaces.tsx";

/** Every page that has forms or is for users. */
export const pages: readonly Page[] = [
  signInPage,
  signUpPage,
  signOutPage,
  cliSuccessPage,
  keysPage,
  collectivesPage,
  collectivePage,
  collectiveMemberPage,
  workspacesPage,
  workspacePage,
  workspaceMemberPage,
  sessionsPage,
  auditPage,
  accountPage,
];
