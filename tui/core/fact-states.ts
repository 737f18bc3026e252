import type { ComponentView } from "../../src/contract/components.ts";
import { type FactRow, fact } from "./fact-rows.ts";
import type { ComponentRow, FunctionState } from "./rows.ts";

/** How the qualifications of a component went. */
export const qualificationFacts = (row: ComponentRow | undefined): readonly FactRow[] =>
  row?.qualifications.map(qualification) ?? [];

const kinds: Readonly<Record<string, FactRow["kind"]>> = {
  Succeeded: "passed",
  Success: "passed",
  Warning: "warned",
  Failed: "failed",
  Failure: "failed",
};

const qualification = ({ name, state, running, funcRunId }: FunctionState): FactRow =>
  fact(name, name, {
    kind: running ? "pending" : (kinds[state ?? ""] ?? "pending"),
    funcRunId,
    value: running ? "running" : (state ?? "not run yet"),
  });

const states: Readonly<Record<string, FactRow["kind"]>> = {
  ok: "passed",
  warning: "warned",
  error: "failed",
};

/** What is known of the real thing behind a component: its state, its id, its properties. */
export function resourceFacts(own: ComponentView | null, row: ComponentRow | undefined): readonly FactRow[] {
  const status = row?.resource ?? null;
  const id = own?.resourceId || row?.resourceId || null;
  const properties = (own?.resourceProps ?? []).flatMap(({ path, value }) =>
    typeof value === "object" && value !== null
      ? []
      : [fact(path, path.replace(/^root\/resource(_value)?/, ""), { value: String(value ?? "") })],
  );
  return [
    ...(status === null
      ? []
      : [
          fact("status", "status", {
            kind: states[status.toLowerCase()] ?? "pending",
            value: status.toLowerCase(),
          }),
        ]),
    ...(id === null ? [] : [fact("id", "id", { value: id })]),
    ...properties,
  ];
}
