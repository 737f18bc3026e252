import { expect, it } from "vitest";
import { rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { allScenarios, shownElsewhere } from "./all-scenarios.ts";

/** Listed because one list serves creation and update; nobody reads a component yet that is being created. */
const never: ReadonlySet<string> = new Set([
  "components.create subscriptionCycle",
  "components.create createOnlyProperty",
]);

it.each(rowsOf(api))("$operation has a scenario for a success and for each of its errors", (row) => {
  const { operation, endpoint } = row;
  const shown = allScenarios.filter((one) => one.operation === operation).map((one) => one.expect);
  const missing = (endpoint.errors ?? []).filter(
    (name) => !shown.includes(name) && !shownElsewhere.has(name) && !never.has(`${operation} ${name}`),
  );
  expect(missing).toEqual([]);
  expect(shown.some((expected) => typeof expected === "number" && expected < 300)).toBe(true);
});
