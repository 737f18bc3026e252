import { setTimeout as pause } from "node:timers/promises";
import { openStore, type Store } from "../../server/store/open.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { type Api, api } from "../../src/contract/index.ts";
import { type Client, createClient } from "../../src/http/client.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type CrashingServer, startCrashingServer, startWitness, type Witness } from "./crashing-server.ts";
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

const schemaCode = `function main() {
  const asset = new AssetBuilder();
  asset.addProp(new PropBuilder().setName("size").setKind("integer").build());
  asset.addProp(new PropBuilder().setName("label").setKind("string").build());
  return asset.build();
}`;
const actionCode = (
  kind: string,
  witness: string,
): string => `async function main({ properties: { si, domain } }) {
  await fetch(${JSON.stringify(`${witness}/${kind} `)} + encodeURIComponent(si.name));
  await new Promise((done) => setTimeout(done, 20));
  return { status: "ok", payload: { size: domain.size ?? 0 } };
}`;
const qualificationCode = `async function main({ domain }) {
  await new Promise((done) => setTimeout(done, 5));
  return { result: domain?.label ? "success" : "warning", message: "a label" };
}`;
const managementCode = `async function main({ thisComponent }) {
  await new Promise((done) => setTimeout(done, 20));
  const { name } = thisComponent.properties.si;
  return { status: "ok", ops: { create: { ["child of " + name]: { properties: { domain: { size: 7 } } } } } };
}`;

/** One change set with a box, as far as its steps were acknowledged. */
interface Deal {
  readonly name: string;
  changeSetId?: string;
  componentId?: string;
  size?: number;
  jobId?: string;
  applied?: boolean;
}

/** Numbers that look random and are the same for the same seed: a linear congruential generator of 31 bits. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
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

/** Who works, and where. */
interface Work {
  readonly client: Client<Api>;
  readonly workspaceId: string;
  readonly hub: string;
}

/** An account with a schema of boxes, all of which read from one hub. */
async function prepare(server: CrashingServer, witness: Witness): Promise<Work> {
  const as = (token: string): Client<Api> =>
    createClient(api, { baseUrl: server.url, headers: () => ({ authorization: `Bearer ${token}` }) });
  const account = {
    name: "Ada",
    email: "ada@example.org",
    username: "ada",
    password: "correct horse battery",
  };
  const { token } = await as("").accounts.signUp({ body: account });
  const client = as(token);
  const { workspaceId } = await client.identity.whoami({});
  const made = await client.changeSets.create({ workspaceId, body: { changeSetName: "boxes" } });
  const at = { workspaceId, changeSetId: made.changeSet.id };
  const schema = await client.schemas.create({ ...at, body: { name: "Box", code: schemaCode } });
  const variant = { ...at, schemaId: schema.schemaId, schemaVariantId: schema.defaultVariantId };
  for (const kind of ["Create", "Update"]) {
    const code = actionCode(kind, witness.url);
    await client.bindings.createAction({ ...variant, body: { name: kind.toLowerCase(), kind, code } });
  }
  await client.bindings.createQualification({
    ...variant,
    body: { name: "labelled", code: qualificationCode },
  });
  await client.bindings.createManagement({ ...variant, body: { name: "breed", code: managementCode } });
  const body = { name: "hub", schemaName: "Box", attributes: { "/domain/label": "first" } };
  const hub = await client.components.create({ ...at, body });
  await apply(client, at);
  const work = { client, workspaceId, hub: hub.component.id };
  await settled(work, []);
  return work;
}

/** Has every action tried again that was given up on; counts each wish before it is sent. */
async function retryFailed({ client, workspaceId }: Work, retried: Map<string, number>): Promise<void> {
  const head = { workspaceId, changeSetId: "HEAD" };
  const { actions } = await client.actions.list(head);
  for (const { id, kind, state, componentId } of actions) {
    if (state !== "Failed") continue;
    for (const key of [id, `${kind} ${componentId}`]) retried.set(key, (retried.get(key) ?? 0) + 1);
    await client.actions.retry({ ...head, actionId: id });
  }
}

type Place = { readonly workspaceId: string; readonly changeSetId: string };

/** Applies a change set once its values are computed. */
async function apply(client: Client<Api>, at: Place): Promise<void> {
  for (;;) {
    try {
      await client.changeSets.forceApply(at);
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.error === "valuesPending")) throw error;
      await pause(5);
    }
  }
}

/** A change set with a box that is changed and applied, and now and then with a job, or with the hub changed. */
async function carryOut({ client, workspaceId, hub }: Work, deal: Deal, chance: () => number): Promise<void> {
  const { name } = deal;
  const made = await client.changeSets.create({ workspaceId, body: { changeSetName: `set of ${name}` } });
  deal.changeSetId = made.changeSet.id;
  const at = { workspaceId, changeSetId: made.changeSet.id };
  const attributes = { "/domain/label": { $source: { component: hub, path: "/domain/label" } } };
  const box = await client.components.create({ ...at, body: { name, schemaName: "Box", attributes } });
  deal.componentId = box.component.id;
  const size = Math.floor(chance() * 1_000) + 1;
  const body = { attributes: { "/domain/size": size } };
  await client.components.update({ ...at, componentId: deal.componentId, body });
  deal.size = size;
  if (chance() < 0.3) {
    const asked = { managementFunction: { function: "breed" } };
    const job = await client.managementJobs.execute({ ...at, componentId: deal.componentId, body: asked });
    deal.jobId = job.managementFuncJobStateId;
    return;
  }
  if (chance() < 0.2) {
    const label = { attributes: { "/domain/label": `after ${name}` } };
    await client.components.update({ ...at, componentId: hub, body: label });
  }
  await apply(client, at);
  deal.applied = true;
}

/** Resolves once nothing runs or waits that would end by itself. */
async function settled({ client, workspaceId }: Work, deals: readonly Deal[]): Promise<void> {
  await until(async () => {
    const { actions } = await client.actions.list({ workspaceId, changeSetId: "HEAD" });
    // What waits then waits for one that was given up on.
    const given = actions.some(({ state }) => state === "Failed");
    return actions.every(({ state }) => state === "Failed" || (given && state === "Pending"));
  }, "the actions of the head");
  for (const { changeSetId, jobId } of deals) {
    if (changeSetId === undefined || jobId === undefined) continue;
    const job = { workspaceId, changeSetId, managementFuncJobStateId: jobId };
    await until(async () => {
      const { state } = await client.managementJobs.get(job);
      return state === "Success" || state === "Failure";
    }, `the job of ${changeSetId}`);
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
