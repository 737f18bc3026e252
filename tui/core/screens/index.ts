import type { ScreenId } from "../model.ts";
import type { Screen } from "../screen.ts";
import { actions } from "./actions.ts";
import { changeSets } from "./change-sets.ts";
import { component } from "./component.ts";
import { components } from "./components.ts";
import { overview } from "./overview.ts";
import { review } from "./review.ts";
import { run } from "./run.ts";
import { runs } from "./runs.ts";

/** Every screen, in the order of the row of screens. */
export const screens: readonly Screen[] = [
  overview,
  changeSets,
  review,
  components,
  component,
  actions,
  runs,
  run,
];

const byId = new Map(screens.map((screen) => [screen.id, screen]));

export const screenOf = (id: ScreenId): Screen => byId.get(id) ?? overview;
