import { healthOf } from "./health.ts";
import type { Step } from "./message.ts";
import type { Deed, Model } from "./model.ts";

/** Why nothing can be asked of the server now; null when it can. */
export function whyNoDeeds(model: Model): string | null {
  const { state } = healthOf(model);
  if (state === "no-daemon") return "the daemon cannot be reached";
  if (state === "offline") return "the server cannot be reached";
  if (state === "signed-out") return "nobody is signed in";
  return (model.mirror.status?.workspaceId ?? null) === null ? "no workspace is known yet" : null;
}

/** Asks the server for something; what came of it is told when it answers. */
export function perform(model: Model, deed: Deed): Step {
  const workspaceId = model.mirror.status?.workspaceId ?? null;
  return workspaceId === null ? [model, []] : [model, [{ type: "do", deed, workspaceId }]];
}

/** Asks the person first: for what cannot be taken back. */
export const confirm = (model: Model, deed: Deed): Step => [
  { ...model, popup: { kind: "confirm", deed } },
  [],
];
