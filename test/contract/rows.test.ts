import { describe, expect, it } from "vitest";
import { pathParameters, rowsOf } from "../../src/contract/endpoint.ts";
import { errorRow } from "../../src/contract/errors.ts";
import { api } from "../../src/contract/index.ts";
import { errorsOf, openApiDocument } from "../../src/contract/openapi.ts";

const rows = rowsOf(api);

describe("the contract", () => {
  it("has each method and path once", () => {
    const addresses = rows.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(rows)("$operation declares what its path, access and method imply", ({ endpoint }) => {
    expect(endpoint.summary).not.toMatch(/\.$/);
    if (endpoint.method === "GET") expect(endpoint.body).toBeUndefined();
    if (endpoint.access === "workspace") expect(pathParameters(endpoint.path)).toContain("workspaceId");
    if (endpoint.method === "GET" && endpoint.path.startsWith("/v1/"))
      expect(endpoint.revision).toBeDefined();
    if (endpoint.status === 204) expect(endpoint.response).toBeUndefined();
    for (const status of endpoint.bodiless ?? []) {
      expect(errorsOf(endpoint).map((name) => errorRow(name).status)).toContain(status);
    }
  });

  it("refuses what it refuses with 400 for accounts, management, debug functions and packages, else with 422", () => {
    const judged = rows.filter(({ endpoint }) => endpoint.body !== undefined || endpoint.query !== undefined);
    for (const { endpoint } of judged) {
      const invalid = endpoint.invalid ?? "invalidRequest";
      const is400 = /^\/(api\/auth|management)\/|\/(debug-funcs|install_from_file)$/.test(endpoint.path);
      expect(errorRow(invalid).status).toBe(is400 ? 400 : 422);
    }
  });
});

describe("the OpenAPI document", () => {
  const document = openApiDocument(api, "0.0.0");

  it("is the golden one", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../golden/openapi.json");
  });

  it("refers only to schemas that it has", () => {
    const text = JSON.stringify(document);
    const has = new Set(Object.keys((document["components"] as { schemas: object }).schemas));
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) expect(has).toContain(name);
  });

  it("marks our additions", () => {
    for (const { operation, endpoint } of rows) {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
      const paths = document["paths"] as Record<string, Record<string, { "x-addition"?: boolean }>>;
      expect(paths[path]?.[endpoint.method.toLowerCase()]?.["x-addition"] === true, operation).toBe(
        endpoint.addition === true,
      );
    }
  });

  it("gives the same bytes every time", () => {
    expect(JSON.stringify(openApiDocument(api, "0.0.0"))).toBe(JSON.stringify(document));
  });
});
