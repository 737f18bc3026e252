import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { schemaCatalogueScenarios } from "./schema-catalogue.scenarios.ts";
import { schemaUnlockScenarios } from "./schema-unlocks.scenarios.ts";
import {
  schemaCreationScenarios,
  schemaFindScenarios,
  schemaListScenarios,
  variantScenarios,
} from "./schemas.scenarios.ts";
import { buildingScenarios, variantUpdateScenarios } from "./variant-updates.scenarios.ts";

describeEngines("schemas over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(schemaListScenarios, () => world);
  runScenarios(schemaFindScenarios, () => world);
  runScenarios(variantScenarios, () => world);
  runScenarios(schemaCreationScenarios, () => world);
  runScenarios(schemaUnlockScenarios, () => world);
  runScenarios(variantUpdateScenarios, () => world);
  runScenarios(buildingScenarios, () => world);
  runScenarios(schemaCatalogueScenarios, () => world);
});
