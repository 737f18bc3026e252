import { beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "../../../server/store/events.ts";
import { join, newWorkspace, reviewedBy, setApprovals } from "../../support/approvals.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { testSchemas } from "../../support/schemas.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { applyCircleScenarios } from "./apply-circles.scenarios.ts";
import { approvalScenarios } from "./approvals.scenarios.ts";

describeEngines("the life of a change set over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let bob: Person;
  let cyd: Person;
  beforeAll(async () => {
    world = await createWorld(suite.server);
    bob = await suite.server.person("bob");
    cyd = await suite.server.person("cyd");
  });
  runScenarios([...approvalScenarios, ...applyCircleScenarios], () => world);

  /** A change set in a new workspace with approvals on: Ada owns it, Bob approves, Cyd edits. */
  const team = async () => {
    const { server } = suite;
    const { ada } = world;
    const workspaceId = await newWorkspace(server, ada);
    await server.install({ ...ada, workspaceId }, testSchemas);
    await setApprovals(server, workspaceId, true);
    await join(server, workspaceId, bob, "APPROVER");
    await join(server, workspaceId, cyd, "EDITOR");
    const as = (person: { readonly key: string }) => server.client(person.key);
    const changeSet = async () => {
      const body = { changeSetName: `set ${world.fresh()}` };
      return (await as(ada).changeSets.create({ workspaceId, body })).changeSet.id;
    };
    const component = async (changeSetId: string, attributes = {}) => {
      const body = { name: `component ${world.fresh()}`, schemaName: "Machine", attributes };
      return (await as(ada).components.create({ workspaceId, changeSetId, body })).component.id;
    };
    const changeSetId = await changeSet();
    const path = { workspaceId, changeSetId };
    const status = async () => (await as(cyd).changeSets.get(path)).changeSet.status;
    const merge = async () => (await as(cyd).changeSets.mergeStatus(path)).changeSet;
    const moves = async () =>
      (await listEvents(server.store, workspaceId, { limit: 10_000 }))
        .filter(({ kind, changeSetId: of }) => kind.startsWith("change_set.") && of === changeSetId)
        .map(({ kind, actor, data }) => [kind.slice("change_set.".length), actor, data["from"]]);
    const apply = async (id: string) => server.apply({ ...ada, workspaceId }, id);
    return { server, ada, bob, cyd, path, as, changeSet, component, apply, status, merge, moves };
  };
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error ?? error.message,
    );

  it("goes from request over approval to the head, and remembers who, when and why", async () => {
    const { server, ada, bob, cyd, path, as, merge, moves, component } = await team();
    const componentId = await component(path.changeSetId);
    await server.propagate(path.changeSetId);
    await as(cyd).changeSets.requestApproval(path);
    expect(await merge()).toMatchObject({
      status: "NeedsApproval",
      createdByUserId: ada.id,
      mergeRequestedByUserId: cyd.id,
      mergeRequestedByUser: cyd.username,
      mergeRequestedAt: expect.stringMatching(/Z$/),
      reviewedByUserId: null,
    });
    expect(await refusal(as(cyd).changeSets.approve({ ...path, body: {} }))).toBe("forbidden");
    await as(bob).changeSets.approve({ ...path, body: { note: "fine by me" } });
    expect(await merge()).toMatchObject({
      status: "Ready",
      reviewedByUserId: bob.id,
      reviewedByUser: bob.username,
      reviewedAt: expect.stringMatching(/Z$/),
      note: "fine by me",
    });
    expect(await refusal(as(cyd).changeSets.forceApply(path))).toBe("forbidden");
    await as(ada).changeSets.forceApply(path);
    expect(await merge()).toMatchObject({
      status: "Applied",
      mergeRequestedByUserId: cyd.id,
      reviewedByUserId: bob.id,
      note: "fine by me",
    });
    const shown = await as(cyd).components.get({ ...path, changeSetId: "HEAD", componentId });
    expect(shown.component.id).toBe(componentId);
    expect(await moves()).toEqual([
      ["created", ada.id, undefined],
      ["approval_requested", cyd.id, "Open"],
      ["approved", bob.id, "NeedsApproval"],
      ["applied", ada.id, "Approved"],
    ]);
  });

  it("lets an approver approve what the approver asked for", async () => {
    const { bob, path, as, status } = await team();
    await as(bob).changeSets.requestApproval(path);
    await as(bob).changeSets.approve({ ...path, body: {} });
    expect(await status()).toBe("Approved");
  });

  describe.each(["requestApproval", "approve", "reject"] as const)("after %s", (step) => {
    it("an edit opens it again, so that nothing counts as reviewed that nobody saw", async () => {
      const { ada, bob, path, as, status, merge, moves, server, component } = await team();
      await as(bob).changeSets.requestApproval(path);
      if (step !== "requestApproval") await as(ada).changeSets[step]({ ...path, body: { note: "seen" } });
      const list = `/v1/w/${path.workspaceId}/change-sets`;
      const ask = (headers: Record<string, string>) => server.request("GET", list, { as: ada.key, headers });
      const etag = (await ask({})).headers.get("etag") ?? "";
      const held = ask({ "if-none-match": etag, prefer: "wait=30" });
      const before = await status();
      await component(path.changeSetId);
      expect(await status()).toBe("Open");
      expect((await held).text).toContain('"status":"Open"');
      expect(await merge()).toMatchObject({ mergeRequestedByUserId: null, mergeRequestedAt: null });
      expect((await moves()).at(-1)).toEqual(["reopened", ada.id, before]);
      expect(await refusal(as(bob).changeSets.approve({ ...path, body: {} }))).toBe("approvalNotRequested");
      if (step !== "requestApproval")
        expect(await merge()).toMatchObject({ reviewedByUserId: ada.id, note: "seen" });
    });
  });

  it("keeps an approval through refused edits, edits that change nothing, propagations and moves of the head", async () => {
    const { server, ada, bob, path, as, status, component, changeSet, apply } = await team();
    const componentId = await component(path.changeSetId, { "/domain/size": 3 });
    await server.propagate(path.changeSetId);
    await as(bob).changeSets.requestApproval(path);
    await as(bob).changeSets.approve({ ...path, body: {} });
    const put = (attributes: object) =>
      as(ada).components.update({ ...path, componentId, body: { attributes: { ...attributes } } });
    await put({ "/domain/size": 3 });
    expect(await refusal(put({ "/domain/size": "big" }))).toBe("invalidRequest");
    const other = await changeSet();
    await component(other);
    await apply(other);
    await server.propagate(path.changeSetId);
    expect(await status()).toBe("Approved");
  });

  it("is granted and applied at once where approvals are off, with every step in the history", async () => {
    const { server, ada, cyd, path, as, merge, moves } = await team();
    await setApprovals(server, path.workspaceId, false);
    await as(cyd).changeSets.requestApproval(path);
    expect(await merge()).toMatchObject({
      status: "Applied",
      mergeRequestedByUserId: cyd.id,
      reviewedByUserId: cyd.id,
    });
    expect(await moves()).toEqual([
      ["created", ada.id, undefined],
      ["approval_requested", cyd.id, "Open"],
      ["approved", cyd.id, "NeedsApproval"],
      ["applied", cyd.id, "Approved"],
    ]);
  });

  it("answers 428 without a trace: status, tags, history and head stay", async () => {
    const { server, ada, bob, path, as, moves, component } = await team();
    const source = await component(path.changeSetId);
    const image = { $source: { component: source, path: "/domain/region" } };
    await component(path.changeSetId, { "/domain/image": image });
    await as(bob).changeSets.requestApproval(path);
    const tags = async () => {
      const base = `/v1/w/${path.workspaceId}/change-sets`;
      const paths = [base, `${base}/${path.changeSetId}/merge_status`, `${base}/HEAD/components`];
      const answers = await Promise.all(paths.map((one) => server.request("GET", one, { as: ada.key })));
      return answers.map(({ headers }) => headers.get("etag"));
    };
    const [before, history] = [await tags(), await moves()];
    expect(await refusal(as(bob).changeSets.forceApply(path))).toBe("valuesPending");
    expect(await tags()).toEqual(before);
    expect(await moves()).toEqual(history);
    await server.propagate(path.changeSetId);
    await as(bob).changeSets.forceApply(path);
    expect((await moves()).at(-1)).toEqual(["applied", bob.id, "NeedsApproval"]);
  });

  it("is asked and decided once, however many do so at the same time", async () => {
    const { ada, bob, cyd, path, as, status, moves } = await team();
    await Promise.all([cyd, cyd, bob, ada].map((one) => as(one).changeSets.requestApproval(path)));
    const answers = await Promise.all(
      [ada, bob, ada, bob].map((one, index) =>
        refusal(as(one).changeSets[index % 2 === 0 ? "approve" : "reject"]({ ...path, body: {} })),
      ),
    );
    expect(answers.filter((answer) => answer === "no error")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "approvalNotRequested")).toHaveLength(3);
    expect(["Approved", "Rejected"]).toContain(await status());
    expect(await moves()).toHaveLength(3);
  });

  it("never applies as approved what was edited meanwhile, however edits, approvals and applies race", async () => {
    for (let round = 0; round < 6; round++) {
      const { server, ada, bob, path, as, moves, component } = await team();
      await as(ada).changeSets.requestApproval(path);
      const edit = () => refusal(component(path.changeSetId).then(() => server.propagate(path.changeSetId)));
      await Promise.all([
        edit(),
        refusal(as(bob).changeSets.approve({ ...path, body: {} })),
        edit(),
        refusal(as(bob).changeSets.forceApply(path)),
      ]);
      const events = await listEvents(server.store, path.workspaceId, { limit: 10_000 });
      const mine = events.filter(({ changeSetId }) => changeSetId === path.changeSetId);
      let reviewed: number | undefined;
      for (const { seq, kind, data } of mine) {
        if (kind === "change_set.approved") reviewed = seq;
        // What is applied as approved has no edit between its approval and its apply.
        if (kind.startsWith("component.")) reviewed = undefined;
        if (kind === "change_set.applied" && data["from"] === "Approved") expect(reviewed).toBeDefined();
      }
      expect((await moves()).length).toBeGreaterThan(1);
    }
  });

  it("merges two approved change sets at the same time, and both survive", async () => {
    const { server, ada, bob, cyd, path, as, component, changeSet, apply: applyNow } = await team();
    const second = { ...path, changeSetId: await changeSet() };
    const base = { ...path, changeSetId: await changeSet() };
    const componentId = await component(base.changeSetId, { "/domain/size": 1 });
    await applyNow(base.changeSetId);
    const edit = (at: typeof path, attributes: Record<string, unknown>) =>
      as(cyd).components.update({ ...at, componentId, body: { attributes } });
    await edit(path, { "/domain/size": 2 });
    await edit(second, { "/domain/labels/owner": "cyd" });
    for (const at of [path, second]) {
      await server.propagate(at.changeSetId);
      await as(cyd).changeSets.requestApproval(at);
      await as(bob).changeSets.approve({ ...at, body: {} });
    }
    const apply = async (at: typeof path, who: { readonly key: string }) => {
      for (;;) {
        const answer = await refusal(as(who).changeSets.forceApply(at));
        if (answer !== "valuesPending") return answer;
        // The other apply made the values of this one be computed again; its approval stands.
        await server.propagate(at.changeSetId);
      }
    };
    expect(await Promise.all([apply(path, ada), apply(second, bob)])).toEqual(["no error", "no error"]);
    const shown = await as(cyd).components.get({ ...path, changeSetId: "HEAD", componentId });
    expect(shown.component.attributes).toMatchObject({ "/domain/size": 2, "/domain/labels/owner": "cyd" });
  });

  it("goes by the role that a member has when the lock is taken", async () => {
    const { server, bob, path, as } = await team();
    await as(bob).changeSets.requestApproval(path);
    await server.store.write((tx) =>
      tx.db
        .updateTable("member")
        .set({ role: "EDITOR" })
        .where("user_id", "=", bob.id)
        .where("workspace_id", "=", path.workspaceId)
        .execute(),
    );
    expect(await refusal(as(bob).changeSets.approve({ ...path, body: {} }))).toBe("forbidden");
    expect(await refusal(as(bob).changeSets.forceApply(path))).toBe("forbidden");
  });

  it("tells a waiting merge status when approvals are switched on", async () => {
    const { workspaceId, changeSetId } = await reviewedBy(world, "EDITOR");
    await setApprovals(suite.server, workspaceId, false);
    const address = `/v1/w/${workspaceId}/change-sets/${changeSetId}/merge_status`;
    const ask = (headers: Record<string, string> = {}) =>
      suite.server.request("GET", address, { as: world.ada.key, headers });
    const first = await ask();
    expect(first.at("changeSet.status")).toBe("Ready");
    const held = ask({ "if-none-match": first.headers.get("etag") ?? "", prefer: "wait=30" });
    await setApprovals(suite.server, workspaceId, true);
    expect((await held).at("changeSet.status")).toBe("Open");
  });
});
