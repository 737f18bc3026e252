import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionCode } from "../../server/domain/definition-code.ts";
import type { Json } from "../../server/domain/json.ts";
import type { PropDefinition, PropKind } from "../../server/domain/props.ts";
import { VariantCache } from "../../server/read/variants.ts";
import { updateVariant } from "../../server/routes/update-variant.ts";
import type { FunctionRuns } from "../../server/runs/runs.ts";
import { getChangeSet } from "../../server/store/change-sets.ts";
import { countStatements } from "../support/counted-store.ts";
import { describeEngines } from "../support/engines.ts";
import { type Person, suiteServer, type TestServer } from "../support/server.ts";

const names = ["a", "b", "c", "d"] as const;
type Kind = Extract<PropKind, "string" | "integer" | "boolean" | "array" | "map" | "object">;

const propOf = (name: string, kind: Kind): PropDefinition => {
  if (kind === "object") return { name, kind, children: [{ name: "in", kind: "string" }] };
  if (kind === "array" || kind === "map") return { name, kind, entry: { name: "one", kind: "string" } };
  return { name, kind };
};

/** What a component may say of a property of that kind. */
const values: Readonly<Record<Kind, fc.Arbitrary<Json>>> = {
  string: fc.constantFrom("x", "y"),
  integer: fc.integer({ min: 1, max: 9 }),
  boolean: fc.boolean(),
  array: fc.array(fc.constantFrom("x", "y"), { minLength: 1, maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom("k", "l"), fc.constantFrom("x", "y"), { minKeys: 1 }),
  object: fc.constantFrom({ in: "x" }, { in: "y" }),
};
const kinds = fc.constantFrom<Kind>("string", "integer", "boolean", "array", "map", "object");
/** The kind of each property that a schema has. */
const schema = fc.record({ a: kinds, b: kinds, c: kinds, d: kinds }, { requiredKeys: [] });
type Schema = Partial<Record<(typeof names)[number], Kind>>;

const codeOf = (found: Schema): string =>
  definitionCode({
    domain: Object.entries(found).map(([name, kind]) => propOf(name, kind)),
    secrets: [],
    resourceValue: [],
  });

const story = schema.chain((before) =>
  fc.record({
    before: fc.constant(before),
    after: schema,
    said: fc.record(
      Object.fromEntries(Object.entries(before).map(([name, kind]) => [`/domain/${name}`, values[kind]])),
      { requiredKeys: [] },
    ),
  }),
);

/** Runs that remember nothing and give a definition without properties. */
const endsAtOnce: FunctionRuns = {
  start: (request) => {
    const outcome = { ended: "ok", value: {} } as const;
    const ended = Promise.resolve({
      id: "RUN",
      outcome,
      verdict: request.judge(outcome, "RUN"),
      began: true,
    });
    return { id: "RUN", recorded: Promise.resolve(), ended };
  },
  cancel: () => {},
  close: () => Promise.resolve(),
};

describeEngines("a variant that is made anew", (engine) => {
  const suite = suiteServer(engine);
  let people = 0;

  const withSchema = async (server: TestServer, code: string) => {
    const person: Person = await server.person(`person${people++}`);
    const client = server.client(person.key);
    const { workspaceId } = person;
    const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName: "work" } });
    const at = { workspaceId, changeSetId: changeSet.id };
    const made = await client.schemas.create({ ...at, body: { name: "Thing", code } });
    return { person, client, at: { ...at, schemaId: made.schemaId }, variantId: made.defaultVariantId };
  };

  it("keeps what its components say where both have it, and reads as if it had been so from the start", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ before, after, said }) => {
        const { server } = suite;
        const { client, at, variantId } = await withSchema(server, codeOf(before));
        const create = (name: string, attributes: Record<string, unknown>) =>
          client.components.create({ ...at, body: { name, schemaName: "Thing", attributes } });
        const { component } = await create("old", said);
        const body = { name: "Thing", category: "Tests", code: codeOf(after) };
        const variant = await client.schemas.variantUpdate({ ...at, schemaVariantId: variantId, body });
        const kept = Object.fromEntries(
          Object.entries(said).filter(([path]) => {
            const name = path.split("/")[2] as keyof Schema; // One of the names, as the story was made.
            return after[name] === before[name];
          }),
        );
        await create("new", kept);
        await server.propagate(at.changeSetId);
        const shown = async (name: string) => {
          const found = await client.components.find({ ...at, query: { component: name } });
          const { schemaVariantId, domainProps } = found.component;
          return { schemaVariantId, values: domainProps.map(({ path, value }) => [path, value]) };
        };
        expect(await shown("old")).toEqual(await shown("new"));
        expect((await shown("old")).schemaVariantId).toBe(variant.variantId);
        expect((await client.components.get({ ...at, componentId: component.id })).component.name).toBe(
          "old",
        );
      }),
      { numRuns: 10 },
    );
  }, 120_000);

  describe("with components", () => {
    it.each([[10, 60]])("asks the database as often for %i as for %i of them", async (few, many) => {
      const counted = await Promise.all([few, many].map((number) => statementsFor(suite.server, number)));
      expect(counted[1]).toBe(counted[0]);
    });
  });

  async function statementsFor(server: TestServer, components: number): Promise<number> {
    const { person, client, at, variantId } = await withSchema(server, codeOf({ a: "string" }));
    for (let index = 0; index < components; index++) {
      const attributes = { "/domain/a": `value ${index}` };
      await client.components.create({ ...at, body: { name: `c${index}`, schemaName: "Thing", attributes } });
    }
    const { store, count } = countStatements(server.store);
    const writing = {
      store,
      clock: store.clock,
      variants: new VariantCache(),
      actor: person.id,
      runs: endsAtOnce,
      layer: await getChangeSet(server.store, person.workspaceId, at.changeSetId),
    };
    const body = { name: "Thing", category: "Tests", code: "" };
    return count(() => updateVariant(writing, { schemaId: at.schemaId, schemaVariantId: variantId }, body));
  }
});
