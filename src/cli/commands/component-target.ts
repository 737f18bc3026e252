import type { ComponentView } from "../../contract/component-shapes.ts";
import { changeSetToChange, changeSetToRead } from "../change-set-choice.ts";
import { findComponent, type Place } from "../component-lookup.ts";
import type { Context } from "../context.ts";

/** The positional that names one component. */
export const component = { doc: "Name or id of the component" } as const;

/** The component that a command changes, as it is in the change set that it changes. */
export async function target(
  context: Context,
  changeSet: string | undefined,
  named: string,
): Promise<{ readonly place: Place; readonly componentId: string; readonly before: ComponentView }> {
  const place = await changePlace(context, changeSet);
  const { component: before } = await findComponent(context, place, named);
  return { place, componentId: before.id, before };
}

/** The change set that a command reads; the head unless it is named. */
export async function readPlace(context: Context, named: string | undefined): Promise<Place> {
  return { workspaceId: await context.workspaceId(), changeSetId: await changeSetToRead(context, named) };
}

/** The change set that a command changes. */
export async function changePlace(context: Context, named: string | undefined): Promise<Place> {
  return { workspaceId: await context.workspaceId(), changeSetId: await changeSetToChange(context, named) };
}
