import { beforeAll, expect, it } from "vitest";
import { operatorHandlers } from "../../../server/operator/handlers.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { listAudit } from "../../../server/store/audit.ts";
import { describeEngines } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";

describeEngines("what the operator does", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });
  const context = () => {
    const { store, keys } = suite.server;
    return { store, variants: new VariantCache(), keys: () => Promise.resolve(keys) };
  };
  const logOf = async (path: string): Promise<readonly unknown[]> => {
    const { body } = await suite.server.request("GET", path, { as: ada.key });
    return Object(body).entries.map(({ kind, actor, credential, ip, userAgent }: Record<string, unknown>) => [
      kind,
      Object(actor).kind,
      Object(actor).id,
      credential,
      ip,
      userAgent,
    ]);
  };
  const byOperator = (kind: string) => [kind, "operator", null, null, null, null];

  it("to an account stands in the account's log, once", async () => {
    const { users } = operatorHandlers;
    for (const suspended of [true, true, false, false])
      await users.suspend({ user: "ada", body: { suspended } }, context());
    expect(await logOf("/api/v1/audit")).toEqual([
      byOperator("account.reinstated"),
      byOperator("account.suspended"),
    ]);
  });
  it("to a workspace stands in the workspace's log, once", async () => {
    const { workspaceId } = ada;
    const { workspaces } = operatorHandlers;
    for (const quarantined of [true, true, false])
      await workspaces.quarantine({ workspaceId, body: { quarantined } }, context());
    await suite.server.client(ada.key).workspaces.delete({ workspaceId });
    for (let n = 0; n < 2; n++) await workspaces.restore({ workspaceId }, context());
    const kinds = (await logOf(`/management/workspaces/${workspaceId}/audit`)).slice(0, 4);
    expect(kinds).toEqual([
      byOperator("workspace.restored"),
      ["workspace.deleted", "user", ada.id, expect.anything(), expect.any(String), expect.anything()],
      byOperator("workspace.quarantine_lifted"),
      byOperator("workspace.quarantined"),
    ]);
  });
});

describeEngines("who joins a workspace by signing up", (engine) => {
  const suite = suiteServer(engine);

  it("stands in the workspace's log", async () => {
    const { server } = suite;
    const ada = await server.person("ada");
    const { workspaceId } = ada;
    const email = "joan@example.org";
    const invited = await server.request("POST", `/management/workspaces/${workspaceId}/members`, {
      as: ada.key,
      body: { email },
    });
    const code = /svc_inv_[0-9a-f]{32}/.exec(invited.text)?.[0];
    const signedUp = await server.request("POST", "/api/auth/sign-up/email", {
      body: {
        name: "Joan",
        email,
        password: "long enough",
        ...(code === undefined ? {} : { invitationCode: code }),
      },
    });
    const id = signedUp.at("user.id");
    const [entry] = await listAudit(server.store, ["workspaceId", workspaceId], {
      limit: 1,
      cursor: undefined,
    });
    expect(entry).toMatchObject({ kind: "member.joined", actor: id, subject: id, user_id: null });
    expect(JSON.parse(entry?.data ?? "")).toEqual({ email, role: "EDITOR" });
  });
});
