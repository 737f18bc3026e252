import type { Binding } from "../binding.ts";
import type { Model, Route } from "../model.ts";
import { goTo } from "../navigate.ts";
import { latestRunOf } from "../runs.ts";

/** Where the log of the latest run for a component can be read; null where none is known. */
export function latestLogOf(model: Model, changeSetId: string, componentId: string): Route | null {
  const latest = latestRunOf(model.mirror, changeSetId, componentId);
  return latest === undefined || latest.funcRunId === null
    ? null
    : { screen: "run", changeSetId: latest.changeSetId, funcRunId: latest.funcRunId };
}

/** The key that leads to the log of a run; `whyNot` says why there is none. */
export const openLog = (
  does: string,
  rank: number,
  where: (model: Model) => Route | null,
  whyNot: (model: Model) => string,
): Binding => ({
  keys: ["L"],
  does,
  group: "look",
  hint: { text: "log", rank },
  off: (model) => (where(model) === null ? whyNot(model) : null),
  run: (model) => {
    const route = where(model);
    return [route === null ? model : goTo(model, route), []];
  },
});
