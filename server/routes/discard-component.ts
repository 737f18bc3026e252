import { sourcesOf } from "../domain/overlay.ts";
import { formatPointer } from "../domain/pointers.ts";
import { refuse } from "../domain/refusal.ts";
import { discardAttribute } from "../domain/review-discard.ts";
import type { Rules } from "../read/rules.ts";
import { lookUpSources } from "../read/sources.ts";
import { getVariant } from "../read/variants.ts";
import { type Changed, discardChanges, type Leaving } from "../store/discards.ts";
import type { LayerChange } from "../store/layer.ts";
import type { Definition } from "../store/rules.ts";
import { changeComponent, type Writing } from "./change-component.ts";

/** Takes a component, or one attribute of it by pointer, back to what the head says. */
export function discardComponent(
  writing: Writing,
  componentId: string,
  attribute: string | undefined,
): Promise<void> {
  const data = attribute === undefined ? {} : { data: { attribute } };
  return changeComponent(
    writing,
    { kind: "component.discarded", subject: componentId, ...data },
    (change, rules) =>
      discardChanges(change, rules, componentId, async (changed) => {
        const leaving =
          attribute === undefined ? whole(changed) : await part(writing, change, changed, attribute);
        await checkCircles(writing, change, changed, sourcesAfter(rules, changed, leaving));
        return leaving;
      }),
  );
}

/** Everything that the change set says of a component; refuses one of which it says nothing. */
function whole({ name, row }: Changed): "all" {
  if (row !== undefined) return "all";
  return refuse(
    "invalidRequest",
    `expected a component that the change set changes, but it changes nothing of ${JSON.stringify(name)} itself`,
  );
}

async function part(
  { variants }: Writing,
  change: LayerChange,
  changed: Changed,
  pointer: string,
): Promise<Leaving> {
  const { name, head, own, row } = changed;
  if (own === undefined) {
    return refuse(
      "invalidRequest",
      `attribute ${pointer}: ${JSON.stringify(name)} is erased in the change set; to bring it back, leave attribute out`,
    );
  }
  const { props } = await getVariant(change.tx, variants, change.layer, own.variantId);
  return discardAttribute({
    name,
    props,
    head: head?.settings ?? {},
    patch: row?.settings ?? {},
    isNew: row?.op === "add",
    pointer,
  });
}

/** The components that a component reads once something was discarded, and did not read before. */
function sourcesAfter(rules: Rules, { head, own, row }: Changed, leaving: "all" | Leaving): string[] {
  const read = (definition: Pick<Definition, "settings"> | undefined): string[] =>
    definition === undefined ? [] : sourcesOf(definition.settings).map(({ source }) => source);
  if (leaving !== "all" && row?.op === "add") return [];
  const settings =
    leaving === "all"
      ? head?.settings
      : rules.effective(head?.settings, { op: "edit", settings: leaving.left });
  const before = new Set(read(own));
  return [...new Set(settings && read({ settings }))].filter((source) => !before.has(source));
}

/** Refuses to bring a subscription back that would close a circle with one that was made here. */
async function checkCircles(
  { variants }: Writing,
  { tx, layer }: LayerChange,
  { name, head, own }: Changed,
  sources: readonly string[],
): Promise<void> {
  const id = own?.id ?? head?.id;
  const others = sources.filter((source) => source !== id);
  if (others.length === 0) return;
  const changes = others.map(
    (component) => [formatPointer([component]), { $source: { component, path: "/si/name" } }] as const,
  );
  const { circleThrough } = await lookUpSources(tx, variants, layer, { id, changes });
  for (const source of others) {
    const circle = circleThrough?.(source);
    if (circle === undefined) continue;
    refuse(
      "subscriptionCycle",
      `bringing back what ${JSON.stringify(name)} reads in the head would make components wait for each other in a circle: ${circle.join(" → ")}; discard the subscription that closes it first`,
    );
  }
}
