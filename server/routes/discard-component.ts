import { checkNameBack } from "../domain/component-names.ts";
import { type Settings, sourcesOf } from "../domain/overlay.ts";
import { formatPointer } from "../domain/pointers.ts";
import { refuse } from "../domain/refusal.ts";
import { discardAttribute, discardOrphaned } from "../domain/review-discard.ts";
import { compareOne } from "../read/review-pairs.ts";
import type { Rules } from "../read/rules.ts";
import { lookUpSources } from "../read/sources.ts";
import { listComponentsNamed, listNames } from "../store/components.ts";
import { type Changed, discardChanges, type Leaving } from "../store/discards.ts";
import type { LayerChange } from "../store/layer.ts";
import { changeComponent, type Writing } from "./change-component.ts";
import { takeBackUpdates } from "./settle-updates.ts";

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
    async (change, rules) => {
      await discardChanges(change, rules, componentId, async (changed) => {
        const leaving =
          attribute === undefined ? whole(changed) : await part(writing, change, changed, attribute);
        const settings = settingsAfter(rules, changed, leaving);
        if (settings !== undefined) {
          await checkName(change, rules, changed, settings);
          await checkCircles(writing, change, changed, settings);
        }
        return leaving;
      });
      await takeBackUpdates(change, componentId);
    },
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
  { tx, layer }: LayerChange,
  { id, name, head, own, row }: Changed,
  pointer: string,
): Promise<Leaving> {
  if (head === undefined && own === undefined) return discardOrphaned(name, row?.settings ?? {}, pointer);
  const pair = own && (await compareOne(tx, variants, layer, id));
  if (pair?.own === undefined) {
    return refuse(
      "invalidRequest",
      `attribute ${pointer}: ${JSON.stringify(name)} is erased in the change set; to bring it back, leave attribute out`,
    );
  }
  const { patch = {} } = pair;
  return discardAttribute({ ...pair, own: pair.own, patch, name, isNew: row?.op === "add", pointer });
}

/** What the change set says of a component once something was discarded; undefined where it shows none then. */
const settingsAfter = (
  rules: Rules,
  { head, row }: Changed,
  leaving: "all" | Leaving,
): Settings | undefined =>
  leaving === "all"
    ? head?.settings
    : rules.effective(head?.settings, { op: row?.op === "add" ? "add" : "edit", settings: leaving.left });

/** Refuses to bring back a name that another component has taken here; one that it shares in the head is its own. */
async function checkName(
  { tx, layer }: LayerChange,
  rules: Rules,
  { id, name: shown, own }: Changed,
  settings: Settings,
): Promise<void> {
  const setting = settings["/si/name"];
  if (setting === undefined || !("v" in setting) || typeof setting.v !== "string") return;
  const name = setting.v;
  if (own !== undefined && name === shown) return;
  const others = (await listComponentsNamed(tx, rules, layer, name)).filter((other) => other.id !== id);
  const ids = others.map((other) => other.id);
  const inHead = await listNames(tx, rules, { ...layer, id: layer.headId }, ids);
  checkNameBack(
    name,
    ids.find((other) => inHead.get(other) !== name),
  );
}

/** Refuses to bring a subscription back that would close a circle with one that was made here. */
async function checkCircles(
  { variants }: Writing,
  { tx, layer }: LayerChange,
  { id, name, own }: Changed,
  settings: Settings,
): Promise<void> {
  const known = new Set(sourcesOf(own?.settings ?? {}).map(({ source }) => source));
  const read = new Set(sourcesOf(settings).map(({ source }) => source));
  const others = [...read].filter((source) => source !== id && !known.has(source));
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
