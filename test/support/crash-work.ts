import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../../src/contract/errors.ts";
import { type Api, api } from "../../src/contract/index.ts";
import { type Client, createClient } from "../../src/http/client.ts";
import type { CrashingServer, Witness } from "./crashing-server.ts";
import { until } from "./until.ts";

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
export interface Deal {
  readonly name: string;
  changeSetId?: string;
  componentId?: string;
  size?: number;
  jobId?: string;
  applied?: boolean;
}

/** Numbers that look random and are the same for the same seed: a linear congruential generator of 31 bits. */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Who works, and where. */
export interface Work {
  readonly client: Client<Api>;
  readonly workspaceId: string;
  readonly hub: string;
}

/** An account with a schema of boxes, all of which read from one hub. */
export async function prepare(server: CrashingServer, witness: Witness): Promise<Work> {
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
export async function retryFailed(
  { client, workspaceId }: Work,
  retried: Map<string, number>,
): Promise<void> {
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
export async function carryOut(
  { client, workspaceId, hub }: Work,
  deal: Deal,
  chance: () => number,
): Promise<void> {
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
export async function settled({ client, workspaceId }: Work, deals: readonly Deal[]): Promise<void> {
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
