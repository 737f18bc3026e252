import { expect, it } from "vitest";
import { rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { accountScenarios } from "./accounts.scenarios.ts";
import { changeSetScenarios } from "./change-sets.scenarios.ts";
import { componentReadScenarios } from "./component-reads.scenarios.ts";
import { componentWriteScenarios } from "./component-writes.scenarios.ts";
import { identityScenarios } from "./identity.scenarios.ts";
import { keyScenarios } from "./keys.scenarios.ts";

const scenarios = [
  ...identityScenarios,
  ...changeSetScenarios,
  ...componentReadScenarios,
  ...componentWriteScenarios,
  ...accountScenarios,
  ...keyScenarios,
];

/** Shown by tests of their own: `contract.test.ts` for every row at once, the named ones for what needs more than a row. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["workspaceNotFound", "contract.test.ts"],
  ["changeSetNotFound", "contract.test.ts"],
  ["rateLimited", "auth/attempts.test.ts"],
  ["invalidOrigin", "auth/cookies.test.ts"],
  ["signUpClosed", "auth/sign-up.test.ts"],
  ["unavailable", "app.test.ts"],
]);

/** Listed because one list serves creation and update; nobody reads a component yet that is being created. */
const never: ReadonlySet<string> = new Set([
  "components.create subscriptionCycle",
  "components.create createOnlyProperty",
]);

it.each(rowsOf(api))("$operation has a scenario for a success and for each of its errors", (row) => {
  const { operation, endpoint } = row;
  const shown = scenarios.filter((one) => one.operation === operation).map((one) => one.expect);
  const missing = (endpoint.errors ?? []).filter(
    (name) => !shown.includes(name) && !elsewhere.has(name) && !never.has(`${operation} ${name}`),
  );
  expect(missing).toEqual([]);
  expect(shown.some((expected) => typeof expected === "number" && expected < 300)).toBe(true);
});
