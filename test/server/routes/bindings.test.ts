import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { attributeBindingScenarios, circleScenarios } from "./attribute-bindings.scenarios.ts";
import { detachmentScenarios } from "./binding-detachments.scenarios.ts";
import { bindingScenarios } from "./bindings.scenarios.ts";
import { componentBindingScenarios } from "./component-bindings.scenarios.ts";
import { unlockScenarios } from "./function-unlocks.scenarios.ts";
import { functionScenarios } from "./functions.scenarios.ts";
import { reviewedFunctionScenarios } from "./review-functions.scenarios.ts";

describeEngines("functions and their bindings over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(bindingScenarios, () => world);
  runScenarios(attributeBindingScenarios, () => world);
  runScenarios(circleScenarios, () => world);
  runScenarios(componentBindingScenarios, () => world);
  runScenarios(detachmentScenarios, () => world);
  runScenarios(functionScenarios, () => world);
  runScenarios(unlockScenarios, () => world);
  runScenarios(reviewedFunctionScenarios, () => world);
});
