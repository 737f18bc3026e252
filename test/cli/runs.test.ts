import { expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { loggedIn, serverWithAda } from "../support/cli.ts";
import { bindFunctions, type TestFunction } from "../support/functions.ts";
import { eventually } from "../support/until.ts";

/** Somebody with an open change set in which servers have one more function. */
async function begin(func: TestFunction) {
  const known = await serverWithAda(sampleSchemas);
  const { server, workspaceId } = known;
  const ada = await loggedIn(known);
  const { id } = await server.store.db.selectFrom("user").select("id").executeTakeFirstOrThrow();
  const changeSetId = (await ada.svc("change-set create edit")).out.trim();
  await bindFunctions(server, { id, workspaceId }, changeSetId, "Server", [func]);
  return { ada };
}

it("svc run list --failed finds what failed though its function ran to its end", async () => {
  const { ada } = await begin({
    kind: "management",
    name: "refuse",
    code: "function main() { return { status: 'error', message: 'not today' }; }",
  });
  await ada.svc("component create web-1 --schema Server --change-set edit");
  expect((await ada.svc("run list --change-set edit --failed")).out).toBe("");
  expect((await ada.svc("job start web-1 refuse --change-set edit")).code).toBe(0);
  const failed = await eventually(async () => {
    const { out } = await ada.svc("run list --change-set edit --failed");
    return out === "" ? undefined : out;
  }, "the run that failed");
  expect(failed).toMatch(/^[0-9A-Z]{26}\tFailure\tManagement\trefuse\tweb-1\t/);
  expect((await ada.svc("run list --change-set edit --state Failure")).out).toBe("");
});

it("svc action list names the components of actions that came with other change sets", async () => {
  const code = "function main() { return { status: 'ok' }; }";
  const { ada } = await begin({ kind: "action", actionKind: "Create", name: "make", code });
  await ada.svc("component create web-1 --schema Server --change-set edit");
  const [actionId = ""] = (await ada.svc("action list --change-set edit")).out.split("\t");
  await ada.svc(`action hold ${actionId} --change-set edit`);
  await eventually(async () => {
    const { code: ended } = await ada.svc("change-set apply edit --yes");
    return ended === 0 ? true : undefined;
  }, "the apply");
  expect((await ada.svc("action list")).out).toBe(`${actionId}\tCreate\tmake\tOnHold\tweb-1\t\n`);
});
