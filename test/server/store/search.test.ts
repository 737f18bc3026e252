import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { hashOf } from "../../../server/store/component-rows.ts";
import { migrations } from "../../../server/store/migrations/index.ts";
import { openStore, type Store } from "../../../server/store/open.ts";
import {
  isSealed,
  readSearchChanges,
  type SearchCursor,
  type SearchedSo,
  type SearchRow,
  searchedTo,
  searchStart,
} from "../../../server/store/search.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";

describeEngines("rows to be searched", (engine) => {
  const suite = suiteStore(engine);

  it("of an older version are sealed when the database is brought to the new shape", async () => {
    const database = await engine.create();
    onTestFinished(() => database.remove());
    const older = migrations.filter(({ name }) => name < "0003");
    const options = { url: database.url, clock: fakeClock() };
    const before = await openStore({ ...options, migrations: older });
    const vals = '{"/si/name":"old"}';
    await before.write(({ db }) =>
      sql`insert into component(layer, id, op, hash, edit_rev, base_rev, to_delete, name, vals)
        values ('H', 'A', 'head', ${hashOf(vals)}, 1, 0, 0, 'old', ${vals}),
          ('L', 'A', 'del', null, 2, 0, 0, null, null)`.execute(db),
    );
    await before.close();
    const store = await openStore(options);
    onTestFinished(() => store.close());
    const layer = { id: "L", headId: "H", workspaceId: "W" };
    const { rows } = await readSearchChanges(store, layer, {
      head: searchStart,
      own: searchStart,
      counted: -1,
    });
    expect(rows.map((row) => [row.layer, row.id, row.op, isSealed(row)])).toEqual([
      ["H", "A", "head", true],
      ["L", "A", "del", false],
    ]);
  });

  /** Rows as components in a layer of a head that nobody else has; each written at a revision. */
  const fill = (
    store: Store,
    head: string,
    rows: readonly (readonly [layer: string, id: string, rev: number])[],
  ) =>
    store.write(async ({ db }) => {
      for (const [layer, id, rev] of rows) {
        await sql`insert into component(layer, id, op, edit_rev, base_rev, to_delete, row_rev, variant_id)
          values (${layer}, ${id}, 'head', 1, 0, 0, ${rev}, ${layer === head ? `variant of ${id}` : null})`.execute(
          db,
        );
      }
    });

  it("are read in the order in which they were written, each once, however few at a time", async () => {
    const { store } = suite;
    const [head, own] = [store.id(), store.id()];
    const layer = { id: own, headId: head, workspaceId: "W" };
    await fill(store, head, [
      [head, "C", 1],
      [head, "A", 2],
      [head, "B", 2],
      [head, "D", 7],
      [own, "A", 3],
      [own, "Z", 3],
    ]);
    const found: string[] = [];
    let after: SearchedSo = { head: searchStart, own: searchStart, counted: -1 };
    for (let more = true; more; ) {
      const changes = await readSearchChanges(store, layer, after, 2);
      const last = (of: string, before: SearchCursor): SearchCursor => {
        const row = changes.rows.filter((one: SearchRow) => one.layer === of).at(-1);
        return row === undefined ? before : { rev: row.row_rev, id: row.id };
      };
      after = { head: last(head, after.head), own: last(own, after.own), counted: -1 };
      found.push(
        ...changes.rows.map((row) => `${row.layer === head ? "head" : "own"} ${row.id} ${row.variant_id}`),
      );
      more = changes.more;
    }
    expect(found.filter((row) => row.startsWith("head"))).toEqual(
      ["C", "A", "B", "D"].map((id) => `head ${id} variant of ${id}`),
    );
    expect(found.filter((row) => row.startsWith("own"))).toEqual(["own A variant of A", "own Z null"]);
    const none = await readSearchChanges(store, layer, {
      head: searchedTo(7),
      own: searchedTo(3),
      counted: -1,
    });
    expect([none.rows, none.more]).toEqual([[], false]);
  });
});
