import { expect } from "vitest";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const report = { name: "no public buckets", policy: "deny *", report: "all fine", result: "Pass" };
const body = (change: object) => (): RowInput => ({ body: { ...report, ...change } });
const sent = async (world: World, changeSetId: string, ...changes: object[]): Promise<string[]> => {
  const { policyReports } = world.server.client(world.ada.key);
  const ids: string[] = [];
  for (const change of changes) {
    const path = { workspaceId: world.ada.workspaceId, changeSetId };
    ids.push((await policyReports.create({ ...path, body: { ...report, ...change } })).id);
  }
  return ids;
};
/** A change set with two reports, one of them in two versions. */
const three = async (world: World, query: object = {}): Promise<RowInput> => {
  const changeSetId = await world.changeSet();
  await sent(
    world,
    changeSetId,
    {},
    { name: "tags", result: "fail" },
    { result: "FAIL", report: "one is open" },
  );
  return { changeSetId, query };
};
const listed = (answer: { readonly body: unknown }) =>
  answer.body as { policyReports: object[]; nextCursor: string | null };

export const policyReportScenarios: readonly Scenario[] = [
  {
    name: "keeps a report of the head",
    operation: "policyReports.create",
    input: body({ name: "on the head" }),
    expect: 200,
    body: () => ({ id: expect.stringMatching(/^[0-9A-Z]{26}$/) }),
  },
  ...["Pass", "pass", "FAIL", "fAiL"].map(
    (result): Scenario => ({
      name: `reads ${result}`,
      operation: "policyReports.create",
      input: body({ result }),
      expect: 200,
    }),
  ),
  ...["", "passed", "ok", " pass"].map(
    (result): Scenario => ({
      name: `refuses "${result}" for a result`,
      operation: "policyReports.create",
      input: body({ result }),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain("body.result: expected Pass or Fail"),
    }),
  ),
  {
    name: "refuses an empty name",
    operation: "policyReports.create",
    input: body({ name: "" }),
    expect: "invalidRequest",
  },
  {
    name: "takes empty contents, and a name of 200 characters of any script",
    operation: "policyReports.create",
    input: body({ name: "ü".repeat(200), policy: "", report: "" }),
    expect: 200,
  },
  {
    name: "gives the same id for a name already used there, and another one elsewhere",
    operation: "policyReports.create",
    input: async (world) => ({ changeSetId: await world.changeSet(), body: report }),
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const id = answer.at("id");
      expect(await sent(world, String(changeSetId), {}, { name: "another" })).toEqual([
        id,
        expect.not.stringMatching(id),
      ]);
      expect(await sent(world, await world.changeSet(), {})).not.toEqual([id]);
    },
  },
  {
    name: "keeps a report of one that is applied: checks may end late",
    operation: "policyReports.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      await world.server.apply(world.ada, changeSetId);
      return { changeSetId, body: report };
    },
    expect: 200,
  },
  {
    name: "lists the newest first, with version, result, actor and time",
    operation: "policyReports.list",
    input: three,
    expect: 200,
    check: (answer, { ada }) => {
      const actor = { id: ada.id, name: ada.username, email: ada.email };
      expect(answer.body).toEqual({
        policyReports: [
          {
            id: expect.any(String),
            name: report.name,
            version: 2,
            result: "Fail",
            actor,
            at: expect.any(String),
          },
          { id: expect.any(String), name: "tags", version: 1, result: "Fail", actor, at: expect.any(String) },
          {
            id: expect.any(String),
            name: report.name,
            version: 1,
            result: "Pass",
            actor,
            at: expect.any(String),
          },
        ],
        nextCursor: null,
      });
    },
  },
  {
    name: "gives the contents to those who ask for them, of one name where it is given",
    operation: "policyReports.list",
    input: (world) => three(world, { name: report.name, includeContents: true }),
    expect: 200,
    body: () => ({
      policyReports: [
        { version: 2, policy: "deny *", report: "one is open" },
        { version: 1, policy: "deny *", report: "all fine" },
      ],
    }),
  },
  {
    name: "goes on after a page",
    operation: "policyReports.list",
    input: (world) => three(world, { limit: 2 }),
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const first = listed(answer);
      expect(first.policyReports).toHaveLength(2);
      const { policyReports } = world.server.client(world.ada.key);
      const path = { workspaceId: world.ada.workspaceId, changeSetId: String(changeSetId) };
      // One that comes meanwhile stands before the cursor.
      await sent(world, path.changeSetId, { name: "later" });
      const next = await policyReports.list({ ...path, query: { limit: 2, cursor: first.nextCursor ?? "" } });
      expect(next).toMatchObject({ policyReports: [{ name: report.name, version: 1 }], nextCursor: null });
    },
  },
  {
    name: "refuses a cursor that is none",
    operation: "policyReports.list",
    input: () => ({ query: { cursor: "page 2" } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a limit of 0",
    operation: "policyReports.list",
    input: () => ({ query: { limit: 0 } }),
    expect: "invalidRequest",
  },
];
