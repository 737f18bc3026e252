import { dirname, join } from "node:path";
import { loadServerKeys } from "../../server/auth/server-keys.ts";
import { firstSettings } from "../../server/domain/component.ts";
import type { Settings } from "../../server/domain/overlay.ts";
import { type Rules, rulesFor } from "../../server/read/rules.ts";
import { getSchemaNamed, listViews, VariantCache } from "../../server/read/variants.ts";
import { seedSample } from "../../server/sample/seed.ts";
import { applyChangeSet } from "../../server/store/apply.ts";
import { type ChangeSet, createChangeSet } from "../../server/store/change-sets.ts";
import { createComponents } from "../../server/store/component-writes.ts";
import { changeLayer, type Layer } from "../../server/store/layer.ts";
import { openStore, type Store } from "../../server/store/open.ts";
import { createPropagate } from "../../server/store/propagate.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** A workspace that was filled, and how to get in. */
export interface Seeded {
  readonly workspaceId: string;
  readonly actor: string;
  readonly key: string;
  /** The components that were added to the sample's, in ascending order of id. */
  readonly componentIds: readonly string[];
}

/** Components written in one transaction. */
const batch = 1_000;
/** Components applied with one change set: as many as fit easily into memory. */
const perChangeSet = 20_000;

/** Fills a database with the sample and `count` more components in its head, by the store's own functions. */
export async function seed(file: string, count: number): Promise<Seeded> {
  const keys = await loadServerKeys({
    secretKey: undefined,
    secretKeyFile: join(dirname(file), "secret.key"),
  });
  const store = await openStore({ url: `sqlite:${file}`, clock: systemClock });
  try {
    const propagate = createPropagate(store, rulesFor(store, new VariantCache()));
    const settle = async (layerId: string): Promise<void> => {
      while ((await propagate(layerId)) !== "idle");
    };
    // What functions cost is measured by itself.
    const { user, workspaceId, access } = await seedSample({ store, keys, settle, functions: false });
    if (access === undefined) throw new Error(`${file} was filled before`);
    const bench = createBench(store, workspaceId, user.id);
    const componentIds: string[] = [];
    while (componentIds.length < count) {
      const layer = await bench.changeSet();
      const until = Math.min(count, componentIds.length + perChangeSet);
      while (componentIds.length < until) {
        const from = componentIds.length;
        componentIds.push(
          ...(await bench.create(layer, Math.min(batch, until - from), (n) => serverSettings(from + n))),
        );
      }
      await bench.apply(layer);
    }
    return { workspaceId, actor: user.id, key: access.key, componentIds };
  } finally {
    await store.close();
  }
}

/** What is done to a workspace over and over, with the rules that the server uses. */
export interface Bench {
  readonly store: Store;
  readonly rules: Rules;
  changeSet(): Promise<ChangeSet>;
  /** Creates servers; the store's own bulk function. */
  create(layer: Layer, count: number, settings: (index: number) => Settings): Promise<string[]>;
  /** Computes what is left to compute in a layer. */
  propagate(layer: Layer): Promise<void>;
  apply(layer: Layer): Promise<void>;
}

let named = 0;

export function createBench(store: Store, workspaceId: string, actor: string): Bench {
  const variants = new VariantCache();
  const rules = rulesFor(store, variants);
  const propagate = createPropagate(store, rules);
  const bench: Bench = {
    store,
    rules,
    changeSet: () => createChangeSet(store, { workspaceId, name: `bench ${named++} ${store.id()}x`, actor }),
    create: async (layer, count, settings) => {
      const schema = await getSchemaNamed(store, layer, "Server");
      const view = (await listViews(store, layer)).find(({ isDefault }) => isDefault);
      const made = Array.from({ length: count }, (_, index) => ({
        id: store.id(),
        schemaId: schema.id,
        variantId: schema.defaultVariantId,
        settings: { ...firstSettings(`server-${index}`, view?.id ?? ""), ...settings(index) },
      }));
      const event = { kind: "component.created", actor } as const;
      await changeLayer(store, layer, event, (change) =>
        createComponents(change, rulesFor(change.tx, variants), made),
      );
      return made.map(({ id }) => id);
    },
    propagate: async (layer) => {
      while ((await propagate(layer.id)) !== "idle");
    },
    apply: async (layer) => {
      await bench.propagate(layer);
      await applyChangeSet(store, rules, { workspaceId, changeSetId: layer.id, actor });
    },
  };
  return bench;
}

/** A server as people have them: eleven settings with its name and its view. */
const serverSettings = (index: number): Settings => ({
  "/si/name": { v: `server-${index}` },
  "/domain/InstanceType": { v: index % 3 === 0 ? "m.large" : "c.large" },
  "/domain/ImageId": { v: `ami-${String(index % 40).padStart(8, "0")}` },
  "/domain/Region": { v: index % 2 === 0 ? "eu-west-1" : "us-east-1" },
  "/domain/Subnet": { v: `production-${index % 12}` },
  "/domain/DiskGb": { v: 20 + (index % 5) * 20 },
  "/domain/MaximumHourlyPrice": { v: 0.25 },
  "/domain/Placement/Zone": { v: `eu-west-1${"abc"[index % 3] ?? "a"}` },
  "/domain/Tags/environment": { v: index % 4 === 0 ? "staging" : "production" },
});
