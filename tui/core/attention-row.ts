import type { Route } from "./model.ts";
import type { ListRow } from "./parts/list.ts";

/** Something that waits for a person: what, where, why, since when, and where to look. */
export interface AttentionRow extends ListRow {
  readonly severity: "failed" | "warn" | "waiting" | "running";
  readonly what: string;
  readonly where: string;
  readonly why: string;
  readonly since: number | undefined;
  readonly route: Route | null;
}

/** Rows shown of one change set at most; the rest is one row that counts them. */
export const perChangeSet = 20;

/** A row with the name that lists sort it by. */
export const attentionRow = (
  id: string,
  name: string,
  rest: Omit<AttentionRow, "id" | "name" | "sortName">,
): AttentionRow => ({ id, name, sortName: name.toLowerCase(), ...rest });
