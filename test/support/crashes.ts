import { setTimeout as pause } from "node:timers/promises";
import { openStore, type Store } from "../../server/store/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { carryOut, chanceOf, type Deal, prepare, retryFailed, settled, type Work } from "./crash-work.ts";
import { startCrashingServer, startWitness, type Witness } from "./crashing-server.ts";
import { until } from "./until.ts";

/** What was found when the server had been killed many times and had come to rest; empty lists are as it should be. */
export interface CrashReport {
  readonly kills: number;
  /** Changes that were acknowledged, and how many of them are not there. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Actions that were carried out, that were given up on with their process, and those whose function began twice. */
  readonly carriedOut: number;
  readonly givenUp: number;
  readonly twice: readonly string[];
  /** What has not come to an end. */
  readonly unsettled: readonly string[];
}

/** Kills a server with SIGKILL many times while people create, change and apply, and looks at what is left. */
export async function crash(
  home: string,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<CrashReport> {
  const witness = await startWitness();
  const server = await startCrashingServer(home);
  try {
    const work = await prepare(server, witness);
    const chance = chanceOf(seed);
    const deals: Deal[] = [];
    const retried = new Map<string, number>();
    let over = false;
    let isUp = true;
    const worker = async (): Promise<void> => {
      while (!over) {
        if (!isUp) await pause(5);
        else {
          const deal: Deal = { name: `box ${deals.length}` };
          deals.push(deal);
          // Whatever a kill interrupts stays as far as it came.
          await carryOut(work, deal, chance).catch(() => {});
        }
      }
    };
    const workers = [worker(), worker(), worker()];
    for (let kill = 0; kill < kills; kill++) {
      await retryFailed(work, retried);
      const before = deals.length;
      await until(() => deals.length > before, "a change set since the last kill");
      await pause(chance() * 500);
      isUp = false;
      await server.kill();
      await server.restart();
      isUp = true;
    }
    over = true;
    await Promise.all(workers);
    await settled(work, deals);
    await retryFailed(work, retried);
    await settled(work, deals);
    const found = await compare(work, deals);
    await server.stop();
    const store = await openStore({ url: server.database, clock: systemClock });
    try {
      return { kills, ...(await inspect(store, work, { deals, retried, witness })), ...found };
    } finally {
      await store.close();
    }
  } finally {
    await server.kill();
    await witness.close();
  }
}

/** What was acknowledged and is not there, as people see it. */
async function compare(
  { client, workspaceId }: Work,
  deals: readonly Deal[],
): Promise<Pick<CrashReport, "acknowledged" | "lost">> {
  const lost: string[] = [];
  let acknowledged = 0;
  for (const { name, changeSetId, componentId, size, jobId, applied } of deals) {
    if (changeSetId === undefined) continue;
    acknowledged += [changeSetId, componentId, size, jobId, applied].filter(
      (one) => one !== undefined,
    ).length;
    const { changeSet } = await client.changeSets.get({ workspaceId, changeSetId });
    if (applied === true && changeSet.status !== "Applied") lost.push(`the apply of ${name}`);
    if (componentId === undefined) continue;
    const at = { workspaceId, changeSetId: changeSet.status === "Applied" ? "HEAD" : changeSetId };
    const shown = await client.components.get({ ...at, componentId }).catch(() => undefined);
    if (shown === undefined) lost.push(name);
    else if (size !== undefined && shown.component.attributes["/domain/size"] !== size)
      lost.push(`the size of ${name}`);
    if (jobId === undefined) continue;
    const { state } = await client.managementJobs.get({ ...at, managementFuncJobStateId: jobId });
    const query = { component: `child of ${name}` };
    const child = await client.components.find({ ...at, query }).catch(() => undefined);
    if ((state === "Success") !== (child !== undefined))
      lost.push(`the child of ${name}, whose job is ${state}`);
  }
  return { acknowledged, lost };
}

/** What was done meanwhile, and how often somebody asked for each action again. */
interface Done {
  readonly deals: readonly Deal[];
  readonly retried: ReadonlyMap<string, number>;
  readonly witness: Witness;
}

/** What the database says of actions and of what is left to do, and what functions have told the world. */
async function inspect(
  store: Store,
  { workspaceId }: Work,
  { deals, retried, witness }: Done,
): Promise<Pick<CrashReport, "carriedOut" | "givenUp" | "twice" | "unsettled">> {
  const { db } = store;
  const runs = await db
    .selectFrom("func_run")
    .select(["action_id", "state"])
    .where("workspace_id", "=", workspaceId)
    .where("action_id", "is not", null)
    .execute();
  const ofAction = new Map<string, number>();
  for (const { action_id } of runs) ofAction.set(action_id ?? "", (ofAction.get(action_id ?? "") ?? 0) + 1);
  const twice = [
    ...[...ofAction]
      .filter(([id, count]) => count > 1 + (retried.get(id) ?? 0))
      .map(([id]) => `the action ${id}`),
    ...deals
      .filter(({ name, componentId = "" }) => {
        const often = witness.told.get(`Create ${name}`) ?? 0;
        return often > 1 + (retried.get(`Create ${componentId}`) ?? 0);
      })
      .map(({ name }) => `Create ${name}`),
  ];
  const actions = await db.selectFrom("action").select(["id", "state"]).execute();
  const alive = await db
    .selectFrom("func_run")
    .select(["id", "state"])
    .where("state", "in", ["Created", "Running", "PostProcessing"])
    .execute();
  const jobs = await db.selectFrom("job").select("key").execute();
  const roots = await db
    .selectFrom("root")
    .innerJoin("change_set", "change_set.id", "root.layer")
    .select(["root.component"])
    .where("change_set.status", "not in", ["Applied", "Abandoned"])
    .execute();
  return {
    carriedOut: runs.filter(({ state }) => state === "Success").length,
    givenUp: actions.filter(({ state }) => state === "Failed").length,
    twice,
    unsettled: [
      ...actions.filter(({ state }) => /Dispatched|Running/.test(state)).map(({ id }) => `the action ${id}`),
      ...alive.map(({ id, state }) => `the run ${id}, ${state}`),
      ...jobs.map(({ key }) => `the job ${key}`),
      ...roots.map(({ component }) => `the values of ${component}`),
    ],
  };
}
