import type { Handlers } from "../../src/http/handlers.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import type { OperatorContext } from "./context.ts";
import { firstOwnerHandlers } from "./first-owner.ts";
import { maintenanceHandlers } from "./maintenance.ts";
import { searchHandlers } from "./search.ts";
import { secretKeyHandlers } from "./secret-key.ts";
import { telemetryHandlers } from "./telemetry.ts";
import { userHandlers } from "./users.ts";
import { workspaceHandlers } from "./workspaces.ts";

/** One handler for every row of the operator's contract. */
export const operatorHandlers: Handlers<OperatorApi, OperatorContext> = {
  maintenance: maintenanceHandlers,
  search: searchHandlers,
  secretKey: secretKeyHandlers,
  workspaces: workspaceHandlers,
  users: userHandlers,
  firstOwner: firstOwnerHandlers,
  telemetry: telemetryHandlers,
};
