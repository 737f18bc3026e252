import { layersAndAccounts } from "./0001-layers-and-accounts.ts";
import { reviewAndManagement } from "./0002-review-and-management.ts";
import { searchSeals } from "./0003-search.ts";
import { sealedSecrets } from "./0004-secrets.ts";
import { functions } from "./0005-functions.ts";
import { drift } from "./0006-drift.ts";
import { collectives } from "./0007-collectives.ts";
import { audit } from "./0008-audit.ts";
import { cliApprovals } from "./0009-cli-approvals.ts";
import { deletedCollectives } from "./0010-deleted-collectives.ts";
import { invitationCodes } from "./0011-invitation-codes.ts";
import { runsOfWorkspace } from "./0012-runs-of-workspace.ts";
import { codedAddresses } from "./0013-coded-addresses.ts";
import { failedRuns } from "./0014-failed-runs.ts";
import { usedOnce } from "./0015-used-once.ts";
import { whatIsSet } from "./0016-what-is-set.ts";
import type { Migration } from "./migration.ts";

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  layersAndAccounts,
  reviewAndManagement,
  searchSeals,
  sealedSecrets,
  functions,
  drift,
  collectives,
  audit,
  cliApprovals,
  deletedCollectives,
  invitationCodes,
  runsOfWorkspace,
  codedAddresses,
  failedRuns,
  usedOnce,
  whatIsSet,
];
