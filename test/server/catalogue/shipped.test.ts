import { describe, expect, it } from "vitest";
import { shippedSchemas } from "../../../server/catalogue/index.ts";
import { packageOf, type ShippedFunction } from "../../../server/catalogue/shipped.ts";
import { buildDefinition } from "../../../server/domain/definition-build.ts";
import { definitionResult } from "../../../server/domain/definition-result.ts";
import {
  actionResult,
  attributeResult,
  codegenResult,
  type Judged,
  qualificationResult,
  type ResponseType,
  type Returned,
} from "../../../server/domain/function-results.ts";
import type { Json, JsonObject } from "../../../server/domain/json.ts";
import { managementResult } from "../../../server/domain/management-result.ts";
import { packageSpec } from "../../../server/domain/package-export.ts";
import { readPackage } from "../../../server/domain/package-spec.ts";
import { sandboxFixture } from "../../support/sandbox.ts";
import { stamp } from "../domain/package-examples.ts";
import { type ShippedCase, shippedCases } from "./shipped-cases.ts";

const { value, run } = sandboxFixture({ children: 2 });

/** Reads what a function returned as the server does. */
function judge({ kind, returns = "Unset" }: ShippedFunction, returned: Returned): Judged<unknown> {
  switch (kind) {
    case "action":
      return actionResult(returned);
    case "qualification":
      return qualificationResult(returned);
    case "codegen":
      return codegenResult(returned);
    case "management":
      return managementResult(returned);
    case "attribute":
      // The type of the declaration, whose names the types of results are in lower case.
      return attributeResult(returned, returns.toLowerCase() as ResponseType);
    case "authentication":
      return { ok: true, result: returned };
  }
}

describe.each(shippedSchemas)("$name", (schema) => {
  const pack = packageOf(schema);
  const [variant] = pack.variants;

  it("is defined by its code as it is described", async () => {
    const asset = pack.functions.find(({ key }) => key === variant?.assetFunc);
    const returned = await value(asset?.code ?? "", { defines: true });
    const judged = definitionResult(returned);
    if (!judged.ok) throw new Error(judged.message);
    const { copies, ...declared } = buildDefinition(judged.result);
    const { domain, secrets, resourceValue } = variant ?? {};
    const defined = variant?.secretDefinition;
    expect(declared).toEqual({
      domain,
      secrets,
      resourceValue,
      ...(defined === undefined ? {} : { secretDefinition: defined }),
    });
    expect(copies).toEqual([]);
  });

  it("is a package like any other", () => {
    expect(readPackage(packageSpec(pack, stamp))).toEqual(pack);
  });

  it("says of each function what it is for", () => {
    for (const { displayName, description, code } of schema.functions) {
      expect([displayName, description, code].filter((text) => !/\S/.test(text))).toEqual([]);
    }
  });

  it.each(schema.functions)("$name of kind $kind has cases that show what it does", ({ name }) => {
    expect(shippedCases.some((one) => one.schema === schema.name && one.func === name)).toBe(true);
  });
});

const functionOf = ({ schema, func }: ShippedCase): ShippedFunction => {
  const found = shippedSchemas
    .find(({ name }) => name === schema)
    ?.functions.find(({ name }) => name === func);
  if (found === undefined) throw new Error(`no function ${func} in ${schema}`);
  return found;
};

/** Tells what an authentication function left for those after it. */
const probe =
  "const main = () => Object.fromEntries(requestStorage.getEnvKeys().map((key) => [key, requestStorage.getEnv(key).length]));";

describe.concurrent.each(shippedCases)("$schema", (one) => {
  it(`${one.func}: ${one.name}`, async () => {
    const func = functionOf(one);
    const { outcome, log } =
      func.kind === "authentication"
        ? await run(probe, { before: [{ code: func.code, handler: "main", argument: one.input }] })
        : await run(func.code, { input: one.input, ...one.run });
    if (one.throws !== undefined) {
      expect(outcome).toMatchObject({ ended: "threw", message: expect.stringContaining(one.throws) });
      return;
    }
    if (outcome.ended !== "ok") throw new Error(JSON.stringify(outcome));
    const judged = judge(func, outcome.value);
    if (!judged.ok) throw new Error(judged.message);
    if (one.returns !== undefined) expect({ result: judged.result }).toMatchObject({ result: one.returns });
    for (const line of one.logs ?? []) expect(log.join("\n")).toContain(line);
  });
});

/** Inputs that nobody meant: every function must still end with a result or an error of its own. */
const strange: readonly (readonly [what: string, domain: Json])[] = [
  ["nothing", {}],
  ["wrong kinds", { CidrBlock: 7, NetworkCidr: "x", Inventory: "{", ExpiresAt: "soon", Seconds: 0 }],
  [
    "empty texts",
    { CidrBlock: "", Format: "", Type: "", Zone: "", Inventory: "", ExpiresAt: "", Seconds: 0 },
  ],
];

describe.each(shippedSchemas)("$name", ({ functions }) => {
  it.each(strange)("returns results, or throws sentences, given %s", async (_what, domain) => {
    const properties: JsonObject = { si: { name: "odd" }, domain };
    const component = { kind: "x", properties, sources: {}, geometry: {}, incomingConnections: {} };
    const input = { properties, domain, thisComponent: component, components: {}, currentView: "DEFAULT" };
    const others = functions.filter(({ kind }) => kind !== "authentication");
    const ends = await Promise.all(
      others.map(async (func) => ({ func, outcome: (await run(func.code, { input })).outcome })),
    );
    for (const { func, outcome } of ends) {
      if (outcome.ended === "threw") expect([func.name, outcome.name]).toEqual([func.name, "Error"]);
      else if (outcome.ended === "ok") expect(judge(func, outcome.value)).toMatchObject({ ok: true });
      else throw new Error(`${func.name}: ${JSON.stringify(outcome)}`);
    }
  });
});
