import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { invitationScenarios } from "./invitations.scenarios.ts";

describeEngines("invitations with a code over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(invitationScenarios, () => world);
});
