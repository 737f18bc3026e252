import { expect, it } from "vitest";
import { decideApprove, decideReopen, decideRequest } from "../../../server/domain/approvals.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { moveChangeSet } from "../../../server/store/approvals.ts";
import { abandonChangeSet, listChangeSets, purgeChangeSets } from "../../../server/store/change-sets.ts";
import { createComponents, editComponent } from "../../../server/store/component-writes.ts";
import { findComponents } from "../../../server/store/components.ts";
import { listEvents } from "../../../server/store/events.ts";
import { createPolicyReport } from "../../../server/store/policy-reports.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  from,
  headOf,
  literal,
  lossyValues,
  newChangeSet,
  newWorkspace,
  lossyRules as rules,
} from "./model.ts";

/** Refusals that a write may meet when others are faster. */
const expected = ["changeSetNotActive", "valuesPending", "componentNotFound", "approvalNotRequested"];
const rounds = 12;

describeEngines("writers of every kind at once", (engine) => {
  const suite = suiteStore(engine);

  it("never wait for each other in a circle, and leave values as if they had come one by one", async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const head = headOf(workspace);
    const propagate = createPropagate(store, rules);
    const ids = Array.from({ length: 8 }, () => store.id());
    const seed = await newChangeSet(store, workspace);
    await change(store, seed, (one) =>
      createComponents(
        one,
        rules,
        ids.map((id, index) =>
          defined(id, {
            "/domain/a": literal(index),
            ...(index === 0 ? {} : { "/domain/in": from(ids[index - 1] ?? "", "/domain/out") }),
          }),
        ),
      ),
    );
    const target = (changeSetId: string) => ({ workspaceId: workspace.id, changeSetId, actor });
    while ((await propagate(seed.id)) !== "idle");
    await applyChangeSet(store, rules, target(seed.id));

    let applied = 0;
    const refusals = (work: Promise<unknown>) =>
      work.catch((error: Error & { error?: string }) => {
        if (!expected.includes(error.error ?? "")) throw error;
      });
    const editor = async (which: number) => {
      for (let round = 0; round < rounds; round++) {
        const set = await newChangeSet(store, workspace);
        for (const [index, id] of [...ids].reverse().entries()) {
          if ((index + which) % 2 === 0) continue;
          const patch = { "/domain/a": literal(round + index) };
          await refusals(change(store, set, (one) => editComponent(one, rules, id, () => patch)));
        }
        await refusals((async () => void (await propagate(set.id)))());
        await refusals(applyChangeSet(store, rules, target(set.id)).then(() => void applied++));
        if (round % 4 === 3) await refusals(abandonChangeSet(store, target(set.id)));
      }
    };
    const others = async (work: () => Promise<unknown>) => {
      for (let round = 0; round < rounds * 2; round++) await refusals(work());
    };
    await Promise.all([
      editor(0),
      editor(1),
      editor(2),
      others(() => propagate(head.id)),
      others(async () => {
        for (const set of await listChangeSets(store, workspace.id)) await refusals(propagate(set.id));
      }),
      others(async () => {
        for (const { id, headId } of await listChangeSets(store, workspace.id)) {
          const report = { name: "policy", policy: "", report: "", result: "Pass" } as const;
          await refusals(createPolicyReport(store, target(id), report).then(() => {}));
          if (id === headId) continue;
          for (const decide of [decideRequest, decideApprove, decideReopen]) {
            await refusals(moveChangeSet(store, target(id), decide));
          }
        }
      }),
      others(() => purgeChangeSets(store, { workspaceId: workspace.id, actor })),
    ]);

    expect(applied).toBeGreaterThan(0);
    while ((await propagate(head.id)) !== "idle");
    const shown = await findComponents(store, rules, head, ids);
    for (const one of shown.values()) {
      const wanted = lossyValues(one.settings, (source, path) => shown.get(source)?.vals[path]);
      expect([one.id, one.vals]).toEqual([one.id, wanted]);
    }
    const events = await listEvents(store, workspace.id, { limit: 10_000 });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });
});
