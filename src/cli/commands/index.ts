import type { AnyCommand } from "../command.ts";
import { actionCommands } from "./actions.ts";
import { apiCommands } from "./api.ts";
import { auditCommands } from "./audit.ts";
import { authCommands } from "./auth.ts";
import { changeSetMoveCommands } from "./change-set-moves.ts";
import { changeSetCommands } from "./change-sets.ts";
import { collectiveCommands } from "./collectives.ts";
import { completionsCommands } from "./completions.ts";
import { componentCommands } from "./components.ts";
import { configCommands } from "./config.ts";
import { daemonCommands } from "./daemon.ts";
import { eventCommands } from "./events.ts";
import { functionCommands } from "./functions.ts";
import { invitationCommands } from "./invitations.ts";
import { jobCommands } from "./jobs.ts";
import { keyCommands } from "./keys.ts";
import { policyReportCommands } from "./policy-reports.ts";
import { reviewCommands } from "./review.ts";
import { runCommands } from "./runs.ts";
import { schemaCommands } from "./schemas.ts";
import { searchCommands } from "./search.ts";
import { secretCommands } from "./secrets.ts";
import { serverCommands } from "./server.ts";
import { sessionCommands } from "./sessions.ts";
import { statusCommands } from "./status.ts";
import { trackCommands } from "./track.ts";
import { tuiCommands } from "./tui.ts";
import { upCommands } from "./up.ts";
import { workspaceCommands } from "./workspace.ts";

/** Every command, in the order of the help. A command is one row in its noun's list. */
export const commands: readonly AnyCommand[] = [
  ...upCommands,
  ...tuiCommands,
  ...statusCommands,
  ...authCommands,
  ...sessionCommands,
  ...keyCommands,
  ...changeSetCommands,
  ...changeSetMoveCommands,
  ...componentCommands,
  ...reviewCommands,
  ...searchCommands,
  ...actionCommands,
  ...runCommands,
  ...jobCommands,
  ...trackCommands,
  ...schemaCommands,
  ...functionCommands,
  ...secretCommands,
  ...policyReportCommands,
  ...eventCommands,
  ...auditCommands,
  ...workspaceCommands,
  ...collectiveCommands,
  ...invitationCommands,
  ...apiCommands,
  ...serverCommands,
  ...daemonCommands,
  ...configCommands,
  ...completionsCommands,
];
