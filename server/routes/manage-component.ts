import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { fail } from "../../src/contract/errors.ts";
import { managerKey } from "../domain/overlay.ts";
import { circleThroughManager } from "../read/management.ts";
import { editComponent } from "../store/component-writes.ts";
import { getComponent } from "../store/components.ts";
import { changeViewed, type Writing } from "./change-component.ts";

/** Makes one component the manager of another, again without effect; returns the manager as it is shown then. */
export function manageComponent(
  writing: Writing,
  { managerId, managedId }: { readonly managerId: string; readonly managedId: string },
): Promise<ComponentView> {
  const event = { kind: "component.managed", subject: managedId, data: { managerId } } as const;
  return changeViewed(writing, event, async ({ change, rules }) => {
    const { tx, layer } = change;
    const manager = await getComponent(tx, rules, layer, managerId);
    const circle = await circleThroughManager(tx, rules, layer, { managerId, managedId });
    if (circle !== undefined) {
      fail("managementCycle", `components would manage each other in a circle: ${circle.join(" → ")}`);
    }
    const key = managerKey(managerId);
    await editComponent(change, rules, managedId, ({ settings }) =>
      Object.hasOwn(settings, key) ? {} : { [key]: { v: true } },
    );
    return manager;
  });
}
