import { markPatch } from "../domain/overlay.ts";
import { editComponent } from "../store/component-writes.ts";
import type { ComponentWrite } from "./change-component.ts";
import { queueDestroy } from "./queue-actions.ts";

/** Marks a component for deletion, and queues its Destroy where there is something to destroy; again changes nothing. */
export async function markComponent(
  { change, rules }: Pick<ComponentWrite, "change" | "rules">,
  componentId: string,
): Promise<void> {
  let wasMarked = true;
  const marked = await editComponent(change, rules, componentId, ({ settings, toDelete }) => {
    wasMarked = toDelete;
    return markPatch(settings);
  });
  if (!wasMarked) await queueDestroy(change, rules, marked);
}
