import { ownCircle } from "../../../server/domain/attribute-sources.ts";
import { takesName } from "../../../server/domain/component.ts";
import type { JsonObject } from "../../../server/domain/json.ts";
import {
  applyRow,
  editRow,
  effective,
  isMarked,
  managerOf,
  type Setting,
  type Settings,
  sourcesOf,
} from "../../../server/domain/overlay.ts";
import { mergeWindows } from "../../../server/domain/pages.ts";
import { secretIn } from "../../../server/domain/secrets.ts";
import type { ReadValue, Vals } from "../../../server/domain/values.ts";
import { createChangeSet } from "../../../server/store/change-sets.ts";
import { changeLayer, type Layer, type LayerChange } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import type { ComponentRules, PreparedRules } from "../../../server/store/rules.ts";
import { createWorkspace, type Workspace } from "../../../server/store/workspaces.ts";

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);

/** The variant of whatever was made by {@link defined}. */
export const firstVariant = "variant";

/** Values that are lossy on purpose (modulo 3): accidental equality is where overlays break. */
export function lossyValues(
  settings: Settings,
  read: ReadValue,
  variantId = firstVariant,
  made?: Vals[string],
): Vals {
  const vals: Record<string, Vals[string]> = {};
  for (const key of Object.keys(settings).sort()) {
    const setting = settings[key];
    if (setting === undefined) continue;
    if ("v" in setting) vals[key] = setting.v;
    else if ("s" in setting) {
      const value = read(setting.s[0], setting.s[1], setting.f);
      if (value !== undefined) vals[key] = value;
    }
  }
  const sum = numberIn(vals["/domain/a"]) + numberIn(vals["/domain/in"]) + 2 * numberIn(vals["/domain/in2"]);
  vals["/domain/out"] = (sum + Number(variantId.split("-")[1] ?? 0)) % 3;
  if (made !== undefined) vals[madeKey] = made;
  return vals;
}

/** Where the functions of the model put what they make. */
export const madeKey = "/domain/made";

const nameOf = (vals: Vals): string => String(vals["/si/name"] ?? "");

const compute: PreparedRules["compute"] = ({ settings, variantId }, read, last = {}) =>
  lossyValues(settings, read, variantId, last[madeKey]);

const render: PreparedRules["render"] = ({ id, settings }, vals) => ({
  name: nameOf(vals),
  toDelete: isMarked(settings),
  item: JSON.stringify({ componentId: id, name: nameOf(vals) }).slice(0, -1),
});

const prepared: PreparedRules = {
  compute,
  recompute: (component, read) => {
    const vals = compute(component, read);
    return { text: JSON.stringify(vals), rendered: render(component, vals), vals: () => vals };
  },
  render,
  valueAt: ({ vals }, path) => vals[path],
};

const over = (base: JsonObject, patch: JsonObject): JsonObject => ({ ...base, ...patch });

/** The overlay's real rules with {@link lossyValues} in place of schemas. */
export const lossyRules: ComponentRules & { readonly mergeWindows: typeof mergeWindows } = {
  prepare: async () => prepared,
  // Who tests propagations has something to propagate.
  finality: async () => () => false,
  effective,
  editRow,
  applyRow,
  vanishes: isMarked,
  holdsResource: () => false,
  takesName,
  sourcesOf,
  ownCircle,
  managerOf,
  secretIn,
  mergeWindows,
  mergeBody: (body, patch) =>
    Object.fromEntries(Object.entries(over(body, patch)).filter(([, value]) => value !== null)),
  mergePatch: (patch, later) => over(patch, later),
  settle: (entities) => entities.map(({ body }) => body),
};

export const actor = "somebody";

/** A new workspace of the store, so that tests do not see each other. */
export const newWorkspace = (store: Store): Promise<Workspace> =>
  createWorkspace(store, { displayName: "test", description: "", creatorId: actor });

/** The head of a workspace as a layer. */
export const headOf = (workspace: Workspace): Layer => ({
  id: workspace.headId,
  headId: workspace.headId,
  workspaceId: workspace.id,
});

let named = 0;
/** A new change set of the workspace. */
export const newChangeSet = (store: Store, workspace: Workspace): Promise<Layer> =>
  createChangeSet(store, { workspaceId: workspace.id, name: `change set ${named++}`, actor });

/** One write in a change set, recorded as a change of components. */
export const change = <T>(
  store: Store,
  layer: Layer,
  work: (change: LayerChange) => Promise<T>,
): Promise<T> => changeLayer(store, layer, { actor, kind: "component.changed" }, work);

/** What a component is, with everything that the model does not look at filled in. */
export const defined = (id: string, settings: Settings) => ({
  id,
  schemaId: "schema",
  variantId: firstVariant,
  settings,
});

export const literal = (value: string | number): Setting => ({ v: value });
export const from = (source: string, path: string): Setting => ({ s: [source, path] });
