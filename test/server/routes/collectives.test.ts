import { beforeAll, expect, it } from "vitest";
import { makeCollective } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { collectiveEndingScenarios } from "./collective-endings.scenarios.ts";
import { collectiveScenarios } from "./collectives.scenarios.ts";

describeEngines("collectives over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios([...collectiveScenarios, ...collectiveEndingScenarios], () => world);

  /** An account from before there were collectives. */
  const oldAccount = async (name: string) => {
    const { server } = suite;
    const person = await server.person(name);
    await server.store.write(async ({ db }) => {
      await db.deleteFrom("collective_member").where("user_id", "=", person.id).execute();
      await db.deleteFrom("collective").where("personal_of", "=", person.id).execute();
    });
    return person;
  };
  const slugs = async ({ key }: { readonly key: string }) =>
    (await suite.server.client(key).collectives.list({})).collectives.map(({ slug }) => slug);

  it("gives an account from before there were any a personal one, once, whoever looks first", async () => {
    const old = await oldAccount("grace.h");
    const seen = await Promise.all(Array.from({ length: 8 }, () => slugs(old)));
    expect(seen).toEqual(seen.map(() => ["grace-h"]));
  });
  it("finds another slug for a personal one whose own is taken", async () => {
    const old = await oldAccount("heidi");
    const { store } = suite.server;
    const taken = await makeCollective(suite.server, world.eve);
    await store.write(({ db }) =>
      db.updateTable("collective").set({ slug: "heidi" }).where("slug", "=", taken).execute(),
    );
    expect(await slugs(old)).toEqual(["heidi-2"]);
  });
});
