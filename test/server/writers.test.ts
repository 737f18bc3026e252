import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../support/engines.ts";
import { createWorld, type World } from "../support/scenarios.ts";
import { type HttpAnswer, suiteServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** A write that was answered with 200. */
interface Acknowledged {
  readonly changeSetId: string;
  readonly componentId: string;
  readonly key: string;
  readonly value: string;
}

/** How many work at once, and how much each does. */
const story = fc.record({
  writers: fc.integer({ min: 2, max: 6 }),
  appliers: fc.integer({ min: 1, max: 3 }),
  writes: fc.integer({ min: 4, max: 12 }),
  seed: fc.infiniteStream(fc.nat(1_000)),
});

describeEngines("many writers over HTTP", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  let componentIds: readonly string[];
  const ask = (method: string, path: string, body?: object): Promise<HttpAnswer> =>
    suite.server.request(method, `/v1/w/${world.ada.workspaceId}/change-sets/${path}`, {
      as: world.ada.key,
      ...(body === undefined ? {} : { body }),
    });
  const apply = async (changeSetId: string): Promise<number> => {
    let status = 428;
    await until(async () => {
      ({ status } = await ask("POST", `${changeSetId}/force_apply`));
      return status !== 428;
    }, "the values to be computed");
    return status;
  };
  const labelsIn = async (changeSetId: string, componentId: string): Promise<Record<string, unknown>> => {
    const answer = await ask("GET", `${changeSetId}/components/${componentId}`);
    const { component } = answer.body as { component: { attributes: Record<string, unknown> } };
    return component.attributes;
  };

  beforeAll(async () => {
    world = await createWorld(suite.server);
    const changeSetId = await world.changeSet();
    componentIds = [await world.component(changeSetId), await world.component(changeSetId)];
    expect(await apply(changeSetId)).toBe(200);
  });

  it("lose nothing that was acknowledged, whatever is applied meanwhile", async () => {
    const sharedValues = new Set<unknown>([undefined]);
    await fc.assert(
      fc.asyncProperty(story, async ({ writers, appliers, writes, seed }) => {
        const next = (below: number): number => Number(seed.next().value ?? 0) % below;
        const open = await Promise.all(Array.from({ length: 3 }, () => world.changeSet()));
        const all = [...open];
        const applied = new Set<string>();
        const acknowledged: Acknowledged[] = [];
        const write = async (who: number): Promise<void> => {
          for (let n = 0; n < writes; n++) {
            const changeSetId = open[next(open.length)] ?? "";
            const componentId = componentIds[next(componentIds.length)] ?? "";
            const key = `/domain/labels/${who}-${n}-${world.fresh()}`;
            const value = `${who}.${n}`;
            const { status } = await ask("PUT", `${changeSetId}/components/${componentId}`, {
              attributes: { [key]: value, "/domain/labels/shared": value },
            });
            // 409: it was applied in between, and the writer knows.
            expect([200, 409]).toContain(status);
            if (status === 200) acknowledged.push({ changeSetId, componentId, key, value });
          }
        };
        const merge = async (): Promise<void> => {
          for (let n = 0; n < 2; n++) {
            const [changeSetId] = open.splice(next(open.length), 1, await world.changeSet());
            all.push(...open.filter((id) => !all.includes(id)));
            if (changeSetId === undefined) continue;
            if ((await apply(changeSetId)) === 200) applied.add(changeSetId);
          }
        };
        await Promise.all([
          ...Array.from({ length: writers }, (_, who) => write(who)),
          ...Array.from({ length: appliers }, merge),
        ]);
        for (const { changeSetId, componentId, key, value } of acknowledged) {
          const shown = await labelsIn(applied.has(changeSetId) ? "HEAD" : changeSetId, componentId);
          expect([key, shown[key]]).toEqual([key, value]);
        }
        // Of the key that everybody writes, the head keeps one writer's value whole.
        for (const { value } of acknowledged) sharedValues.add(value);
        for (const componentId of componentIds) {
          expect(sharedValues).toContain((await labelsIn("HEAD", componentId))["/domain/labels/shared"]);
        }
        for (const changeSetId of all) if (!applied.has(changeSetId)) await ask("DELETE", changeSetId);
      }),
      { numRuns: 3 },
    );
  }, 120_000);

  it("leave one event each, in the order of their commits, without a gap", async () => {
    const rows = await suite.server.store.db
      .selectFrom("event")
      .select(["seq", "kind"])
      .where("workspace_id", "=", world.ada.workspaceId)
      .orderBy("seq")
      .execute();
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  });
});
