import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { fail } from "../../src/contract/errors.ts";
import { latestVariantId, upgradePatch } from "../domain/variants.ts";
import { getVariant } from "../read/variants.ts";
import { editComponents } from "../store/component-writes.ts";
import { findRunningAction } from "../store/running-actions.ts";
import { changeViewed, type Writing } from "./change-component.ts";

/**
 * Moves a component to its schema's latest variant; one that is there already stays as it is. Throws
 * `componentNotFound`, and `actionRunning` while one of its actions is dispatched or running.
 */
export function upgradeComponent(writing: Writing, componentId: string): Promise<ComponentView> {
  const event = { kind: "component.upgraded", subject: componentId } as const;
  return changeViewed(writing, event, async ({ change, rules, cache }) => {
    const [upgraded] = await editComponents(
      change,
      rules,
      [componentId],
      async ({ variantId, settings, name }) => {
        const { tx, layer } = change;
        const variant = await getVariant(tx, cache, layer, variantId);
        const latest = latestVariantId(variant.schema);
        if (latest === variantId) return { patch: {} };
        const action = await findRunningAction(tx, layer, componentId);
        if (action !== undefined) {
          const what = `the action ${JSON.stringify(action)} of ${JSON.stringify(name)}`;
          fail("actionRunning", `${what} is running; upgrade the component once it has ended`);
        }
        const { props } = await getVariant(tx, cache, layer, latest);
        return { patch: upgradePatch(variant.props, props, settings), variantId: latest };
      },
    );
    return upgraded ?? fail("componentNotFound");
  });
}
