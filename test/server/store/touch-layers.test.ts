import { sql } from "kysely";
import { expect, it } from "vitest";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { type Layer, touchLayers } from "../../../server/store/layer.ts";
import type { Store, Tx } from "../../../server/store/open.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { until } from "../../support/until.ts";
import { actor, headOf, newChangeSet, newWorkspace, lossyRules as rules } from "./model.ts";

const revOf = async (store: Store, { id }: Layer): Promise<number> => {
  const row = await store.db.selectFrom("change_set").select("rev").where("id", "=", id).executeTakeFirst();
  return row?.rev ?? 0;
};

/** A transaction in which something happens between its first statement and the second. */
function interrupted(tx: Tx, meanwhile: () => Promise<unknown>): Tx {
  let isFirst = true;
  const db = tx.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return result;
    },
  });
  return { ...tx, db };
}

describeEngines("a new revision for what has changed in a layer", (engine) => {
  const suite = suiteStore(engine);
  const begin = async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const [head, set] = [headOf(workspace), await newChangeSet(store, workspace)];
    const apply = () =>
      applyChangeSet(store, rules, { workspaceId: workspace.id, changeSetId: set.id, actor });
    const revs = async () => [await revOf(store, head), await revOf(store, set)] as const;
    return { store, head, set, apply, revs };
  };

  it("is the change set's alone while it is not applied, its head's as well from then on", async () => {
    const { store, head, set, apply, revs } = await begin();
    const first = await revs();
    await store.write((tx) => touchLayers(tx, [set.id]));
    expect(await revs()).toEqual([first[0], first[1] + 1]);
    await apply();
    const applied = await revs();
    await store.write((tx) => touchLayers(tx, [set.id, head.id, set.id]));
    expect(await revs()).toEqual(applied.map((rev) => rev + 1));
  });

  // One writer at a time is all that SQLite has: nobody applies anything meanwhile.
  it.skipIf(engine.name === "SQLite")(
    "is the head's too where the change set is applied meanwhile",
    async () => {
      const { store, set, apply, revs } = await begin();
      let applied: readonly number[] = [];
      const meanwhile = async () => {
        await apply();
        applied = await revs();
      };
      await store.write((tx) => touchLayers(interrupted(tx, meanwhile), [set.id]));
      expect(await revs()).toEqual(applied.map((rev) => rev + 1));
    },
  );

  it.skipIf(engine.name === "SQLite")("never makes two who give one wait for each other", async () => {
    const { store, head, set, apply, revs } = await begin();
    const isWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
      return rows.length > 0;
    };
    let other: Promise<void> = Promise.resolve();
    const meanwhile = async () => {
      await apply();
      await new Promise<void>((holds) => {
        other = store.write(async (tx) => {
          await touchLayers(tx, [head.id]);
          holds();
          await until(isWaiting, "the one who waits for the head");
          await touchLayers(tx, [set.id]);
        });
      });
    };
    const before = await revs();
    await store.write((tx) => touchLayers(interrupted(tx, meanwhile), [set.id]));
    await other;
    const after = await revs();
    expect(after[0]).toBeGreaterThan(before[0]);
    expect(after[1]).toBeGreaterThan(before[1]);
  });
});
