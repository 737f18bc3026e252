import type { ScreenId } from "../../core/model.ts";
import type { ScreenView } from "../screen.ts";
import { actions } from "./actions.ts";
import { changeSets } from "./change-sets.ts";
import { component } from "./component.ts";
import { components } from "./components.ts";
import { overview } from "./overview.ts";
import { review } from "./review.ts";
import { run } from "./run.ts";
import { runs } from "./runs.ts";

/** How every screen looks, in the order of `core/screens`. */
export const screenViews: readonly ScreenView[] = [
  overview,
  changeSets,
  review,
  components,
  component,
  actions,
  runs,
  run,
];

const byId = new Map(screenViews.map((view) => [view.id, view]));

export const screenViewOf = (id: ScreenId): ScreenView => byId.get(id) ?? overview;
