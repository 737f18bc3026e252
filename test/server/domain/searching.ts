import type { Json } from "../../../server/domain/json.ts";
import type { DiffStatus } from "../../../server/domain/pages.ts";
import { compileSearch, type Subject, variantFacts } from "../../../server/domain/search-match.ts";
import { parseSearch } from "../../../server/domain/search-query.ts";
import { asciiLower } from "../../../server/domain/search-text.ts";
import { searchValues, shapeOf } from "../../../server/domain/search-values.ts";
import { computeValues, type Vals } from "../../../server/domain/values.ts";
import { props, written } from "./sample.ts";

/** The component that is searched. */
export const id = "01J0000000000000000000WEB1";

/** What is known of it; a machine that is called "Web One" where nothing else is said. */
export interface Given {
  readonly name?: string;
  readonly vals?: Vals;
  readonly diff?: DiffStatus;
  readonly upgradable?: boolean;
}

/** Whether it fits a query. */
export function fits(
  query: string,
  { name = "Web One", vals = {}, diff = "None", upgradable = false }: Given,
): boolean {
  const { pointers, values } = searchValues(props, vals);
  const subject: Subject = { id, lowerName: asciiLower(name), diff, shape: shapeOf(pointers), values };
  const facts = variantFacts({ schemaName: "AWS::EC2::Instance", category: "Compute", upgradable, props });
  return compileSearch(parseSearch(query, "q"))(subject, facts);
}

/** The values of a component, in the order in which rows keep them. */
export const valuesOf = (
  attributes: Readonly<Record<string, Json>>,
  read: Readonly<Record<string, Json>> = {},
): Vals => {
  const vals = computeValues(props, written(attributes), (_id, path) => read[path]);
  return Object.fromEntries(Object.entries(vals).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Rows of a table: a query, and whether it fits. */
export const rows = (list: readonly (readonly [query: string, fits: boolean])[]) => list;
