import type { PolicyResult } from "../../src/contract/policy-reports.ts";
import { describe } from "./json.ts";
import { refuse } from "./refusal.ts";

const results: ReadonlyMap<string, PolicyResult> = new Map([
  ["pass", "Pass"],
  ["fail", "Fail"],
]);

/** The result of a policy check, read in any letter case. */
export const readPolicyResult = (text: string): PolicyResult =>
  results.get(text.toLowerCase()) ??
  refuse("invalidRequest", `body.result: expected Pass or Fail in any letter case, found ${describe(text)}`);
