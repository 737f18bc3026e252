import { describe, expect, it } from "vitest";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { type ErrorName, errorRow, errorTable } from "../../src/contract/errors.ts";
import { api } from "../../src/contract/index.ts";
import { errorsOf, openApiDocument } from "../../src/contract/openapi.ts";
import { allScenarios, shownElsewhere } from "../server/routes/all-scenarios.ts";
import { specifiedRows } from "./specified-rows.ts";
import { specifiedShapes } from "./specified-shapes.ts";

const address = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ":")}`;
const rows = new Map(rowsOf(api).map((row) => [address(row.endpoint.method, row.endpoint.path), row]));
const specified = new Set(specifiedRows.map(({ method, path }) => address(method, path)));

/** Statuses that tests of every row at once show, and where. */
const statusesOfAll: ReadonlyMap<number, string> = new Map([
  [401, "server/routes/contract.test.ts"],
  [500, "server/routes/internal-errors.test.ts"],
]);

describe.each(specifiedRows)("$method $path", (wanted) => {
  const row = rows.get(address(wanted.method, wanted.path));
  it("is served, as no addition, with the status of success that the specification lists", () => {
    expect(row).toBeDefined();
    expect(row?.endpoint.addition).toBeUndefined();
    expect(wanted.success).toContain(row?.endpoint.status ?? 200);
  });
  it.each(wanted.refusals)("answers %i, and a test shows it", (status) => {
    if (row === undefined || statusesOfAll.has(status)) return;
    const names = errorsOf(row.endpoint).filter((name) => errorRow(name).status === status);
    const seen = allScenarios.filter(({ operation }) => operation === row.operation).map((one) => one.expect);
    expect(names.filter((name) => seen.includes(name) || shownElsewhere.has(name))).not.toEqual([]);
  });
});

it("marks every row of the modeling API as an addition that the specification does not have", () => {
  const modeling = rowsOf(api).filter(({ endpoint }) => /^\/(v1|management)\//.test(endpoint.path));
  for (const { operation, endpoint } of modeling) {
    const inSpecification = specified.has(address(endpoint.method, endpoint.path));
    expect([operation, endpoint.addition ?? false]).toEqual([operation, !inSpecification]);
  }
});

it("has shown every error of the catalogue", () => {
  const listed = new Set(rowsOf(api).flatMap(({ endpoint }) => errorsOf(endpoint)));
  const seen = new Set<unknown>(allScenarios.map((scenario) => scenario.expect));
  const everywhere: readonly ErrorName[] = ["unauthenticated", "internal", "notFound", "methodNotAllowed"];
  const missing = Object.keys(errorTable).filter(
    // The keys of the table are its names.
    (name) => !seen.has(name) && !shownElsewhere.has(name) && !everywhere.includes(name as ErrorName),
  );
  expect(missing).toEqual([]);
  expect([...listed].filter((name) => !(name in errorTable))).toEqual([]);
});

interface ShownSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
const shown = openApiDocument(api, "0.0.0")["components"] as { schemas: Record<string, ShownSchema> };

describe.each(specifiedShapes)("$shape", ({ shape, members }) => {
  const schema = shown.schemas[shape];
  it.each(members)("has $name with the declared type", ({ name, type, required, nullable }) => {
    const member = JSON.stringify(schema?.properties?.[name]);
    expect(member).toBeDefined();
    expect(schema?.required?.includes(name) ?? false).toBe(required);
    if (type === "any") return;
    const types = [...member.matchAll(/"type":"(\w+)"/g)].map(([, found]) => found);
    expect(member.startsWith('{"$ref"') || types.includes(type) || member.includes('"$ref"')).toBe(true);
    expect(member.includes('"null"')).toBe(nullable);
  });
});
