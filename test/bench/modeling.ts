import { applyChangeSet } from "../../server/store/apply.ts";
import { purgeChangeSets } from "../../server/store/change-sets.ts";
import { putRows } from "../../server/store/component-rows.ts";
import { editComponent } from "../../server/store/component-writes.ts";
import { changeLayer, type Layer } from "../../server/store/layer.ts";
import type { ComponentTable } from "../../server/store/tables.ts";
import type { Fixture, Workspace } from "./fixture.ts";
import { type Ratio, sideBySide, timed, typical } from "./measure.ts";
import { type Bench, createBench } from "./seeding.ts";

const sizes = [1_000, 10_000, 100_000] as const;
const smallest = 100;

interface Opened {
  readonly workspace: Workspace;
  readonly bench: Bench;
}

async function open(fixture: Fixture, components: number): Promise<Opened> {
  const { workspace, store } = await fixture.open(components);
  return { workspace, bench: createBench(store, workspace.workspaceId, workspace.actor) };
}

/** Abandons every change set, so that those who come later do not have them to look at. */
const purge = ({ workspace: { workspaceId, actor }, bench }: Opened): Promise<string[]> =>
  purgeChangeSets(bench.store, { workspaceId, actor });

/** The same work in a workspace of each size against one of 100 components, through the store's own functions. */
async function bySize(
  fixture: Fixture,
  { name, wanted, rounds }: { readonly name: string; readonly wanted: string; readonly rounds: number },
  timer: (opened: Opened) => () => Promise<number>,
): Promise<Ratio[]> {
  const small = timer(await open(fixture, smallest));
  const ratios: Ratio[] = [];
  for (const components of sizes) {
    const large = timer(await open(fixture, components));
    await small();
    await large();
    const title = `${name}, ${components} components against ${smallest}`;
    ratios.push(await sideBySide({ name: title, unit: "ms", wanted, rounds, ours: large, bare: small }));
    for (const size of [components, smallest]) await purge(await open(fixture, size));
  }
  return ratios;
}

/** Creating a change set: the median of 20 each turn. */
export const benchCreate = (fixture: Fixture): Promise<Ratio[]> =>
  bySize(
    fixture,
    { name: "creating a change set", wanted: "<= 1.3", rounds: 40 },
    ({ bench }) =>
      () =>
        typical(20, () => bench.changeSet()),
  );

/** Applying a change set with one edit whose values are computed: only the apply itself is timed. */
export const benchApply = (fixture: Fixture): Promise<Ratio[]> =>
  bySize(fixture, { name: "applying one edit", wanted: "<= 1.5", rounds: 60 }, ({ bench, workspace }) => {
    let edits = 0;
    const { workspaceId, actor, componentIds } = workspace;
    return async () => {
      const layer = await bench.changeSet();
      const id = componentIds[Math.floor(Math.random() * componentIds.length)] ?? "";
      await edit(bench, workspace, layer, id, edits++);
      await bench.propagate(layer);
      return timed(() =>
        applyChangeSet(bench.store, bench.rules, { workspaceId, changeSetId: layer.id, actor }),
      );
    };
  });

const edit = ({ store, rules }: Bench, { actor }: Workspace, layer: Layer, id: string, value: number) =>
  changeLayer(store, layer, { kind: "component.changed", actor, subject: id }, (change) =>
    editComponent(change, rules, id, () => ({ "/domain/Region": { v: `region-${value}` } })),
  );

/** How many components read the one that is edited. */
const subscribers = 1_000;

/**
 * From an edit's commit to the commit of everything that follows from it, against writing the rows that this wrote in
 * one transaction: the same rows, by one bulk upsert. Once with a change set of its own for each edit, so
 * that the rows are new in both, and once edit after edit in one change set, so that both replace them, each its own.
 */
export async function benchPropagation(fixture: Fixture): Promise<Ratio[]> {
  const { workspace, bench } = await open(fixture, 10_000);
  const { store } = bench;
  const layer = await bench.changeSet();
  const [source = ""] = await bench.create(layer, 1, () => ({ "/domain/Region": { v: "eu-west-1" } }));
  await bench.create(layer, subscribers, (index) => ({
    "/domain/InstanceType": { v: "m.large" },
    "/domain/ImageId": { v: `ami-${index}` },
    "/domain/Region": { s: [source, "/domain/Region"] },
    "/domain/DiskGb": { v: 40 },
    "/domain/Placement/Zone": { v: "eu-west-1a" },
    "/domain/Tags/environment": { v: "production" },
  }));
  await bench.apply(layer);

  let edits = 0;
  const propagate = async (changeSet: Layer): Promise<number> => {
    await edit(bench, workspace, changeSet, source, edits++);
    return timed(() => bench.propagate(changeSet));
  };
  const [edited, copied] = [await bench.changeSet(), await bench.changeSet()];
  for (const changeSet of [edited, copied]) await propagate(changeSet);
  const rows: ComponentTable[] = await store.db
    .selectFrom("component")
    .selectAll()
    .where("layer", "=", copied.id)
    .where("id", "!=", source)
    .execute();
  if (rows.length !== subscribers) throw new Error(`a propagation wrote ${rows.length} rows`);
  // As whole rows: that some columns are empty or stay as they are is what a propagation finds out.
  const write = (fresh: readonly ComponentTable[]): Promise<number> =>
    timed(() => store.write((tx) => putRows(tx, fresh)));
  let written = 0;
  /** The rows with other values and the next revision each time, as a propagation has them. */
  const replaced = (): ComponentTable[] => {
    const [version, by] = [`${written}`, ++written];
    const next = { hash: version, search_seal: version };
    return rows.map((row) => ({
      ...row,
      ...next,
      vals: `${row.vals} `,
      edit_rev: row.edit_rev + by,
      row_rev: row.row_rev + by,
    }));
  };
  const compared = { unit: "ms", wanted: "<= 3", rounds: 25 } as const;
  const name = `propagating one edit to ${subscribers} subscribers, against writing the rows`;
  const ratios = [
    await sideBySide({
      ...compared,
      name,
      ours: async () => propagate(await bench.changeSet()),
      bare: () => {
        const layer = store.id();
        return write(rows.map((row) => ({ ...row, layer })));
      },
    }),
    await sideBySide({
      ...compared,
      name: `${name}, once more in the same change set`,
      ours: () => propagate(edited),
      bare: () => write(replaced()),
    }),
  ];
  await purge({ workspace, bench });
  return ratios;
}
