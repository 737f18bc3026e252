import type { ActionKind, ActionView } from "../../../src/contract/actions.ts";
import { bindInHead, type TestFunction } from "../../support/functions.ts";
import { createWorld } from "../../support/scenarios.ts";
import type { TestServer } from "../../support/server.ts";
import { eventually, until } from "../../support/until.ts";

/** An action function that says in its log what it does, and does what the component's labels tell it for its kind. */
const told = (actionKind: ActionKind, result: string): TestFunction => ({
  kind: "action",
  actionKind,
  name: actionKind.toLowerCase(),
  code: `async function main({ properties: { si, domain, resource } }) {
    console.log(${JSON.stringify(actionKind)}, si.name);
    const wish = domain?.labels?.${actionKind.toLowerCase()};
    if (wish === "fail") return { status: "error", message: "as it was told" };
    if (wish === "warn") return { status: "warning", message: "hm", payload: { warned: true } };
    if (wish === "throw") throw new Error("no luck");
    if (wish === "odd") return 7;
    if (wish === "wait") await new Promise((done) => setTimeout(done, 60_000));
    return ${result};
  }`,
});

/** What exists has the size that the model had when it was made; a Refresh adds the region that it finds. */
export const everyKind: readonly TestFunction[] = [
  told("Create", '{ status: "ok", resourceId: "id of " + si.name, payload: { size: domain?.size ?? 0 } }'),
  told("Update", '{ status: "ok", payload: { ...resource.payload, size: domain?.size ?? 0 } }'),
  told(
    "Refresh",
    '{ status: "ok", payload: { ...resource?.payload, region: domain?.labels?.found ?? domain.region } }',
  ),
  told("Destroy", '{ status: "ok" }'),
  told("Manual", '{ status: "ok", payload: resource?.payload }'),
];

/** Makes somebody whose machines have actions of every kind, and what tests do with them over HTTP. */
export async function actingOn(server: TestServer, functions: readonly TestFunction[] = everyKind) {
  const world = await createWorld(server);
  await bindInHead(server, world.ada, "Machine", functions);
  const { workspaceId, key } = world.ada;
  const client = server.client(key);
  const head = { workspaceId, changeSetId: "HEAD" };
  const actions = async (): Promise<ActionView[]> => (await client.actions.list(head)).actions;
  const apply = async (changeSetId: string): Promise<void> => {
    const path = `/v1/w/${workspaceId}/change-sets/${changeSetId}/force_apply`;
    await until(async () => {
      const answer = await server.request("POST", path, { as: key });
      if (answer.status !== 428 && answer.status !== 200) throw new Error(answer.text);
      return answer.status === 200;
    }, `the apply of ${changeSetId}`);
  };
  return {
    server,
    world,
    client,
    head,
    actions,
    apply,
    changeSet: world.changeSet,
    component: world.component,
    /** One change set with what `work` does in it, applied. */
    applied: async <T>(
      work: (at: { workspaceId: string; changeSetId: string }) => Promise<T>,
    ): Promise<T> => {
      const changeSetId = await world.changeSet();
      const result = await work({ workspaceId, changeSetId });
      await apply(changeSetId);
      return result;
    },
    /** The queue of the head, `Create Pending web` each, once nothing is left to be done by itself. */
    settled: async (): Promise<string[]> => {
      await until(async () => {
        const job = await server.store.db.selectFrom("job").select("key").limit(1).execute();
        return job.length === 0;
      }, "the jobs of the server");
      const { componentDetails } = await client.components.list({ ...head, query: { limit: 300 } });
      const names = new Map(componentDetails.map((one) => [one.componentId, one.name]));
      return (await actions()).map(
        ({ kind, state, componentId }) => `${kind} ${state} ${names.get(componentId ?? "")}`,
      );
    },
    /** The action of that kind once it has that state. */
    inState: (kind: ActionKind, state: string): Promise<ActionView> =>
      eventually(
        async () => (await actions()).find((one) => one.kind === kind && one.state === state),
        `a ${kind} that is ${state}`,
      ),
    /** Every run of an action in the order in which they began: `Create web Success`. */
    ran: async (): Promise<string[]> => {
      const rows = await server.store.db
        .selectFrom("func_run")
        .select(["about", "action_result"])
        .where("workspace_id", "=", workspaceId)
        .where("kind", "=", "Action")
        .orderBy("id")
        .execute();
      return rows.map(({ about, action_result }) => {
        const { actionKind, componentName } = JSON.parse(about);
        return `${actionKind} ${componentName} ${action_result}`;
      });
    },
    /** What the head shows of a component's resource. */
    resource: (componentId: string) => client.components.resource({ ...head, componentId }),
    inHead: (componentId: string) => client.components.get({ ...head, componentId }),
    /** The names of the head's components. */
    names: async (): Promise<string[]> => {
      const { componentDetails } = await client.components.list({ ...head, query: { limit: 300 } });
      return componentDetails.map(({ name }) => name).sort();
    },
  };
}

/** A subscription to another component's attribute. */
export const from = (component: string, path = "/domain/region") => ({ $source: { component, path } });
