import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { componentEndingScenarios } from "./component-endings.scenarios.ts";
import { componentReadScenarios } from "./component-reads.scenarios.ts";
import { componentRelationScenarios } from "./component-relations.scenarios.ts";
import { componentUpgradeScenarios } from "./component-upgrades.scenarios.ts";
import { componentWriteScenarios } from "./component-writes.scenarios.ts";

describeEngines("components over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(
    [
      ...componentReadScenarios,
      ...componentWriteScenarios,
      ...componentRelationScenarios,
      ...componentUpgradeScenarios,
      ...componentEndingScenarios,
    ],
    () => world,
  );
});
