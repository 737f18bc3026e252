import { readdirSync } from "node:fs";
import type { Scenario } from "../../support/scenarios.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".scenarios.ts"));
const modules = await Promise.all(
  // The boundary of files found by name: each exports lists of scenarios and nothing else.
  files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, readonly Scenario[]>>),
);

/** Every scenario of every `<noun>.scenarios.ts` of this folder. */
export const allScenarios: readonly Scenario[] = modules.flatMap((module) => Object.values(module).flat());

/** Errors shown by tests of their own: `contract.test.ts` for every row at once, the named ones for what needs more than a row. */
export const shownElsewhere: ReadonlyMap<string, string> = new Map([
  ["workspaceNotFound", "contract.test.ts"],
  ["changeSetNotFound", "contract.test.ts"],
  ["rateLimited", "auth/attempts.test.ts"],
  ["invalidOrigin", "auth/cookies.test.ts"],
  ["signUpClosed", "auth/sign-up.test.ts"],
  ["userRequired", "auth/collective-tokens.test.ts"],
  ["unavailable", "app.test.ts"],
  ["maintenance", "maintenance.test.ts"],
  ["secretKeyNotHere", "auth/rotate-secret-key.test.ts"],
  ["accountsExist", "operator/first-owner.test.ts"],
  ["approvalUsed", "web/cli-approval.test.ts"],
  ["formUsed", "web/forms.test.ts"],
]);
