import { describe, expect, it } from "vitest";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { errorRow } from "../../src/contract/errors.ts";
import { api } from "../../src/contract/index.ts";
import { errorsOf } from "../../src/contract/openapi.ts";
import { allScenarios } from "../server/routes/all-scenarios.ts";

const tokens = "/api/v1/collectives/:slug/api-tokens";

/** The endpoints of the specification of the key-authentication service, and which statuses tell of its rules. */
const specified: readonly (readonly [method: string, path: string, refusals: readonly number[]])[] = [
  ["POST", "/api/auth/api-key/create", []],
  ["GET", "/api/auth/api-key/list", []],
  // A revoked key is never enabled again.
  ["POST", "/api/auth/api-key/update", [404, 409]],
  ["POST", "/api/auth/api-key/delete", [404]],
  // Owner or admin of the collective.
  ["GET", tokens, [403, 404]],
  // And 25 at most.
  ["POST", tokens, [403, 404, 422]],
  ["PATCH", `${tokens}/:tokenId`, [403, 404, 409]],
  ["DELETE", `${tokens}/:tokenId`, [403, 404]],
];
const rows = new Map(rowsOf(api).map((row) => [`${row.endpoint.method} ${row.endpoint.path}`, row]));

describe.each(specified)("%s %s", (method, path, refusals) => {
  const row = rows.get(`${method} ${path}`) ?? expect.unreachable("the contract has the row");

  it("is served to sessions, as no addition, and refuses whoever shows nothing", () => {
    expect(row.endpoint.addition).toBeUndefined();
    expect(["session", "sessionOrKey"]).toContain(row.endpoint.access);
    expect(errorsOf(row.endpoint)).toEqual(expect.arrayContaining(["unauthenticated", "userRequired"]));
  });
  it("has its refusals shown by scenarios", () => {
    const shown = allScenarios
      .filter(({ operation }) => operation === row.operation)
      .map(({ expect: seen }) => (typeof seen === "string" ? errorRow(seen).status : seen));
    expect(shown).toEqual(expect.arrayContaining([...refusals]));
  });
});

it("marks everything else below /api/ as an addition", () => {
  const own = new Set(specified.map(([method, path]) => `${method} ${path}`));
  for (const [address, { endpoint }] of rows) {
    if (!endpoint.path.startsWith("/api/")) continue;
    expect([address, endpoint.addition === true]).toEqual([address, !own.has(address)]);
  }
});
