import { fail } from "../../src/contract/errors.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { type Context, layerOf, type PathLayer } from "../context.ts";
import type { FunctionRuns } from "../runs/runs.ts";
import type { Layer } from "../store/layer.ts";
import { isActive } from "../store/status.ts";
import { type Writing, writingOf } from "./change-component.ts";

/** A change set as it was when the request came in. */
type NamedLayer = Layer & Pick<PathLayer, "name" | "status">;

/** Who writes schemas, in which change set as the path named it, and where their code runs. */
export interface SchemaWriting extends Writing {
  readonly layer: NamedLayer;
  readonly runs: FunctionRuns;
  readonly clock: Clock;
}

/** The caller writes in the change set of the path. */
export const schemaWritingOf = (context: Context): SchemaWriting => ({
  ...writingOf(context),
  layer: layerOf(context),
  runs: context.server.runs,
  clock: context.server.clock,
});

/**
 * Refuses what the write at the end would refuse, before any code runs: throws `headNotEditable` and
 * `changeSetNotActive`.
 */
export function checkWritable({ id, headId, name, status }: NamedLayer): void {
  if (id === headId) fail("headNotEditable");
  if (isActive(status)) return;
  fail("changeSetNotActive", `the change set "${name}" is ${status}: changes need an active one`);
}
