import { expect } from "vitest";
import { type Reviewed, reviewedBy, setApprovals } from "../../support/approvals.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

type Step = "requestApproval" | "approve" | "reject";

/** A change set of a workspace with approvals, after some steps of its owner. */
const after =
  (role: "EDITOR" | "APPROVER" | "OWNER", ...steps: readonly Step[]) =>
  async (world: World): Promise<Reviewed & RowInput> => {
    const made = await reviewedBy(world, role);
    const { owner, ...path } = made;
    const { changeSets } = world.server.client(owner.key);
    for (const step of steps) {
      if (step === "requestApproval") await changeSets.requestApproval(path);
      else await changeSets[step]({ ...path, body: { note: `${step} it` } });
    }
    return { ...made, body: { note: "as agreed" } };
  };
const abandoned = async (world: World): Promise<RowInput> => {
  const { changeSets } = world.server.client(world.ada.key);
  const [{ workspaceId }, changeSetId] = [world.ada, await world.changeSet()];
  await changeSets.purgeOpen({ workspaceId });
  return { changeSetId, body: {} };
};
const head = (): RowInput => ({ changeSetId: "HEAD", body: {} });
/** With one component that reads another: its values are still to be computed. */
const withPendingValues = async (world: World): Promise<RowInput> => {
  const changeSetId = await world.changeSet();
  const component = await world.component(changeSetId);
  const image = { $source: { component, path: "/domain/region" } };
  await world.component(changeSetId, undefined, { "/domain/image": image });
  return { changeSetId };
};
const statusIs =
  (status: string): NonNullable<Scenario["check"]> =>
  async (_answer, world, { workspaceId = world.ada.workspaceId, changeSetId }) => {
    const path = { workspaceId: String(workspaceId), changeSetId: String(changeSetId) };
    const { changeSet } = await world.server.client(world.ada.key).changeSets.get(path);
    expect(changeSet.status).toBe(status);
  };

/** When the merge was asked for, as the reviewer is told. */
const requestedAt = async (world: World, { owner, ...path }: Reviewed): Promise<string> => {
  const { changeSet } = await world.server.client(owner.key).changeSets.mergeStatus(path);
  return changeSet.mergeRequestedAt ?? "";
};

/** What every row of a review refuses alike. */
const refusals = (verb: "approve" | "reject" | "reopen"): Scenario[] => [
  { name: "spares the head", operation: `changeSets.${verb}`, input: head, expect: "headNotAllowed" },
  {
    name: "takes an owner or approver",
    operation: `changeSets.${verb}`,
    input: after("EDITOR", "requestApproval"),
    expect: "forbidden",
    check: statusIs("NeedsApproval"),
  },
  {
    name: "is too late for one that is not active",
    operation: `changeSets.${verb}`,
    input: abandoned,
    expect: "changeSetNotActive",
  },
  {
    name: "needs a request",
    operation: `changeSets.${verb}`,
    input: after("OWNER"),
    expect: "approvalNotRequested",
  },
  {
    name: "refuses a note of 4,001 characters",
    operation: `changeSets.${verb}`,
    input: async (world) => ({
      ...(await after("OWNER", "requestApproval")(world)),
      body: { note: "x".repeat(4001) },
    }),
    expect: "invalidRequest",
    check: statusIs("NeedsApproval"),
  },
];

export const approvalScenarios: readonly Scenario[] = [
  {
    name: "merges an empty change set",
    operation: "changeSets.forceApply",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    body: () => ({ success: true }),
    check: statusIs("Applied"),
  },
  {
    name: "lets an approver merge without asking",
    operation: "changeSets.forceApply",
    input: after("APPROVER"),
    expect: 200,
    check: statusIs("Applied"),
  },
  {
    name: "takes an owner or approver while approvals are on, also of what is approved",
    operation: "changeSets.forceApply",
    input: after("EDITOR", "requestApproval", "approve"),
    expect: "forbidden",
    check: statusIs("Approved"),
  },
  {
    name: "takes any member while approvals are off, also of what was rejected before",
    operation: "changeSets.forceApply",
    input: async (world) => {
      const made = await after("EDITOR", "requestApproval", "reject")(world);
      await setApprovals(world.server, made.workspaceId, false);
      return made;
    },
    expect: 200,
    check: statusIs("Applied"),
  },
  { name: "spares the head", operation: "changeSets.forceApply", input: head, expect: "headNotAllowed" },
  {
    name: "is too late for one that is not active",
    operation: "changeSets.forceApply",
    input: abandoned,
    expect: "changeSetNotActive",
  },
  {
    name: "waits for values, says how long, and changes nothing",
    operation: "changeSets.forceApply",
    input: withPendingValues,
    expect: "valuesPending",
    check: async (answer, world, input) => {
      expect(answer.headers.get("retry-after")).toBe("1");
      // Where writers come at the same time, whatever was written counts.
      expect(answer.at("message")).toMatch(
        /^values of (1 component|2 components) are still being computed: nothing was applied$/,
      );
      await statusIs("Open")(answer, world, input);
    },
  },
  {
    name: "asks where approvals are on",
    operation: "changeSets.requestApproval",
    input: after("EDITOR"),
    expect: 200,
    check: statusIs("NeedsApproval"),
  },
  {
    name: "changes nothing when it is asked again",
    operation: "changeSets.requestApproval",
    input: after("EDITOR", "requestApproval"),
    expect: 200,
    check: statusIs("NeedsApproval"),
  },
  {
    name: "keeps an approval when it is asked again",
    operation: "changeSets.requestApproval",
    input: after("EDITOR", "requestApproval", "approve"),
    expect: 200,
    check: statusIs("Approved"),
  },
  {
    name: "grants the request that was looked at",
    operation: "changeSets.approve",
    input: async (world) => {
      const made = await after("APPROVER", "requestApproval")(world);
      return { ...made, body: { mergeRequestedAt: await requestedAt(world, made) } };
    },
    expect: 200,
    check: statusIs("Approved"),
  },
  {
    name: "grants no request that was made after the one that was looked at",
    operation: "changeSets.approve",
    input: async (world) => {
      const made = await after("APPROVER", "requestApproval")(world);
      const seen = await requestedAt(world, made);
      return { ...made, body: { mergeRequestedAt: new Date(Date.parse(seen) - 1).toISOString() } };
    },
    expect: "approvalNotRequested",
    check: statusIs("NeedsApproval"),
  },
  {
    name: "asks again after a rejection",
    operation: "changeSets.requestApproval",
    input: after("EDITOR", "requestApproval", "reject"),
    expect: 200,
    check: statusIs("NeedsApproval"),
  },
  {
    name: "is granted at once where approvals are off",
    operation: "changeSets.requestApproval",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    check: statusIs("Applied"),
  },
  { name: "spares the head", operation: "changeSets.requestApproval", input: head, expect: "headNotAllowed" },
  {
    name: "is too late for one that is not active",
    operation: "changeSets.requestApproval",
    input: abandoned,
    expect: "changeSetNotActive",
  },
  {
    name: "waits for values where it would be granted at once",
    operation: "changeSets.requestApproval",
    input: withPendingValues,
    expect: "valuesPending",
    check: statusIs("Open"),
  },
  ...(["approve", "reject", "reopen"] as const).flatMap(refusals),
  ...(
    [
      ["grants a request", "approve", ["requestApproval"], "Approved"],
      ["refuses a request", "reject", ["requestApproval"], "Rejected"],
      ["takes a request back", "reopen", ["requestApproval"], "Open"],
      ["takes an approval back", "reopen", ["requestApproval", "approve"], "Open"],
      ["takes a rejection back", "reopen", ["requestApproval", "reject"], "Open"],
    ] as const
  ).map(
    ([name, verb, steps, status]): Scenario => ({
      name,
      operation: `changeSets.${verb}`,
      input: after("APPROVER", ...steps),
      expect: 200,
      body: () => ({ success: true }),
      check: statusIs(status),
    }),
  ),
  ...[{}, { note: null }, { note: "  " }].map(
    (body): Scenario => ({
      name: `takes ${JSON.stringify(body)} for no note`,
      operation: "changeSets.approve",
      input: async (world) => ({ ...(await after("OWNER", "requestApproval")(world)), body }),
      expect: 200,
      check: async (_answer, world, { workspaceId, changeSetId }) => {
        const path = { workspaceId: String(workspaceId), changeSetId: String(changeSetId) };
        const { changeSet } = await world.server.client(world.ada.key).changeSets.mergeStatus(path);
        expect(changeSet.note).toBeNull();
      },
    }),
  ),
  {
    name: "says that an open change set could be applied",
    operation: "changeSets.mergeStatus",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    body: (world) => ({
      changeSet: {
        status: "Ready",
        createdByUserId: world.ada.id,
        mergeRequestedByUserId: null,
        mergeRequestedByUser: null,
        mergeRequestedAt: null,
        reviewedByUserId: null,
        reviewedByUser: null,
        reviewedAt: null,
        note: null,
      },
      actions: [],
    }),
  },
  {
    name: "shows the head as it is",
    operation: "changeSets.mergeStatus",
    expect: 200,
    body: () => ({ changeSet: { name: "HEAD", status: "Open" }, actions: [] }),
  },
  {
    name: "is not ready while values are being computed",
    operation: "changeSets.mergeStatus",
    input: withPendingValues,
    expect: 200,
    body: () => ({ changeSet: { status: "Open" } }),
  },
  ...(
    [
      [[], "Open"],
      [["requestApproval"], "NeedsApproval"],
      [["requestApproval", "reject"], "Rejected"],
      [["requestApproval", "approve"], "Ready"],
    ] as const
  ).map(
    ([steps, status]): Scenario => ({
      name: `is ${status} after [${steps.join(", ")}] where approvals are on`,
      operation: "changeSets.mergeStatus",
      input: after("EDITOR", ...steps),
      expect: 200,
      body: () => ({ changeSet: { status } }),
    }),
  ),
];
