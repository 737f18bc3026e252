import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../server/main.ts";
import { systemLaunch } from "../../../src/cli/launch.ts";
import { asOperator } from "../../../src/cli/operator.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type ServerSettings, serverSettings } from "../../../src/config/server-settings.ts";
import { api } from "../../../src/contract/index.ts";
import { createClient } from "../../../src/http/client.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { describeEngines, type TestEngine } from "../../support/engines.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function emptyPlace(engine: TestEngine): Promise<ServerSettings> {
  const database = await engine.create();
  onTestFinished(() => database.remove());
  return serverSettings(loadConfig({ HOME: await temporaryDirectory() }), {
    port: 0,
    database: database.url,
  });
}
const owner = (username: string, password = "correct horse battery") => ({
  name: "Somebody",
  email: `${username}@example.org`,
  username,
  password,
});
const createIn = (settings: ServerSettings, body: ReturnType<typeof owner>) =>
  asOperator({ settings, launch: systemLaunch, clock: systemClock, make: "make" }, ({ firstOwner }) =>
    firstOwner.create({ body }),
  );
const accountsIn = (settings: ServerSettings): Promise<number> =>
  asOperator(
    { settings, launch: systemLaunch, clock: systemClock },
    async ({ users }) => (await users.list({})).users.length,
  );

describeEngines("the first owner", (engine) => {
  it("is made before any server ran, signs in at the first one, and stands in their own audit log", async () => {
    const settings = await emptyPlace(engine);
    const { user, workspaceId } = await createIn(settings, owner("ada"));
    expect(user).toMatchObject({ username: "ada", email: "ada@example.org", suspendedAt: null });
    const server = await startServer({ ...settings, signUp: "closed" }, { log: silentLog });
    onTestFinished(() => server.stop());
    // The key that the account was made with is the server's.
    expect(server.warnings).toEqual([]);
    const { token } = await createClient(api, { baseUrl: server.url }).accounts.signInUsername({
      body: { username: "ada", password: "correct horse battery" },
    });
    const headers = () => ({ authorization: `Bearer ${token}` });
    const client = createClient(api, { baseUrl: server.url, headers });
    expect((await client.identity.whoami({})).workspaceId).toBe(workspaceId);
    const { entries } = await client.audit.account({});
    expect(entries.find(({ kind }) => kind === "account.created")).toMatchObject({ subject: user.id });
  });

  it("is made once, one after the other or at once", async () => {
    const settings = await emptyPlace(engine);
    const both = await Promise.allSettled([
      createIn(settings, owner("ada")),
      createIn(settings, owner("eve")),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find((one) => one.status === "rejected");
    expect(refused?.reason).toMatchObject({ error: "accountsExist", status: 409 });
    await expect(createIn(settings, owner("bob"))).rejects.toMatchObject({ error: "accountsExist" });
    expect(await accountsIn(settings)).toBe(1);
  });

  it("is no account at all when what is said of them is refused", async () => {
    const settings = await emptyPlace(engine);
    const refusals = [
      [{ ...owner("ada"), email: "nowhere" }, "invalidEmail"],
      [{ ...owner("ada"), username: "a b" }, "invalidUsername"],
      [owner("ada", "short"), "passwordTooShort"],
      [owner("ada", "x".repeat(129)), "passwordTooLong"],
    ] as const;
    for (const [body, error] of refusals)
      await expect(createIn(settings, body)).rejects.toMatchObject({ error });
    expect(await accountsIn(settings)).toBe(0);
  });

  it("is made by the server that runs there, too", async () => {
    const settings = await emptyPlace(engine);
    const server = await startServer(settings, { log: silentLog });
    onTestFinished(() => server.stop());
    await createIn(settings, owner("ada"));
    await expect(createIn(settings, owner("eve"))).rejects.toMatchObject({ error: "accountsExist" });
  });

  it("is one, whether made by the operator or by signing up at the same time", async () => {
    const settings = await emptyPlace(engine);
    const server = await startServer({ ...settings, signUp: "closed" }, { log: silentLog });
    onTestFinished(() => server.stop());
    const { accounts } = createClient(api, { baseUrl: server.url });
    const both = await Promise.allSettled([
      createIn(settings, owner("ada")),
      accounts.signUp({ body: owner("eve") }),
      accounts.signUp({ body: owner("bob") }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await accountsIn(settings)).toBe(1);
  });
});
