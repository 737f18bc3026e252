import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { rulesFor } from "../read/rules.ts";
import { reindexSearch } from "../store/search-reindex.ts";
import type { OperatorContext } from "./context.ts";

/** Handlers of `svc server reindex`. */
export const searchHandlers: GroupHandlers<OperatorApi["search"], OperatorContext> = {
  reindex: ({ body: { workspaceId } }, { store, variants }) =>
    reindexSearch(
      store,
      (reads) => rulesFor(reads, variants),
      workspaceId == null ? undefined : idOf(workspaceId),
    ),
};

/** Ids are read in any letter case. */
const idOf = (text: string): string => (looksLikeUlid(text) ? text.toUpperCase() : fail("workspaceNotFound"));
