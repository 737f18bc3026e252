import type { Scenario } from "../../support/scenarios.ts";
export const functionScenarios: readonly Scenario[] = [];
