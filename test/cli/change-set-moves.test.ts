import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { setApprovals } from "../support/approvals.ts";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { recordRequests } from "../support/recorder.ts";
import { testSchemas } from "../support/schemas.ts";
import { until } from "../support/until.ts";

/** A server without a worker, so that values stay to be computed until the test does it. */
const start = async () => {
  const server = await serverWithAda();
  const ada = await loggedIn(server);
  return { server, ada };
};
/** A change set `edit` with a component that reads another one: its values are still to be computed. */
const pending = async () => {
  const { server, ada } = await start();
  const { workspaceId } = server;
  const helper = await server.server.person("helper");
  await server.server.install({ ...helper, workspaceId }, testSchemas);
  const changeSetId = (await ada.svc("change-set create edit")).out.trim();
  const id = (await ada.svc("component create web --schema Machine --change-set edit")).out.trim();
  const image = `/domain/image={"$source":{"component":"${id}","path":"/domain/region"}}`;
  await ada.svc(["component", "create", "copy", image, "--schema", "Machine", "--change-set", "edit"]);
  return { server, ada, changeSetId };
};
const statusOf = async (ada: Person, named = "edit") =>
  JSON.parse((await ada.svc(["change-set", "status", named, "--json"])).out).changeSet.status;

describe("svc change-set apply", () => {
  it("asks, merges, and says so", async () => {
    const { ada } = await start();
    const id = (await ada.svc("change-set create edit")).out.trim();
    const declined = await ada.svc("change-set apply edit", { terminal: true, input: "n\n" });
    expect(declined).toMatchObject({ code: 0 });
    expect(declined.err).toContain('apply the change set "edit" to the head? [y/N]');
    expect(await ada.svc("change-set apply edit")).toMatchObject({ code: 2 });
    expect(await ada.svc("change-set apply edit --yes")).toEqual({
      code: 0,
      out: "",
      err: "applied change set edit\n",
    });
    expect(await statusOf(ada, id)).toBe("Applied");
    const again = await ada.svc(`change-set apply ${id} --yes --json`);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.err)).toMatchObject({ code: "change_set_not_active" });
  });

  it("waits while values are being computed, says for what, and goes on when they are", async () => {
    const { server, ada, changeSetId } = await pending();
    const clock = fakeClock(Date.now());
    const applying = ada.svc("change-set apply edit --yes", { clock });
    await until(() => clock.pending() === 1);
    await clock.advance(1_000);
    await until(() => clock.pending() === 1);
    await server.server.propagate(changeSetId);
    await clock.advance(1_000);
    expect(await applying).toEqual({
      code: 0,
      out: "",
      err: "waiting: values of 1 component are still being computed: nothing was applied\napplied change set edit\n",
    });
  });

  it("gives up after the time it was given, with a status that says to try again", async () => {
    const { ada } = await pending();
    const clock = fakeClock(Date.now());
    const applying = ada.svc("change-set apply edit --yes --wait 2", { clock });
    for (let n = 0; n < 2; n++) {
      await until(() => clock.pending() === 1);
      await clock.advance(1_000);
    }
    const run = await applying;
    expect(run.code).toBe(75);
    expect(run.err).toContain(
      "error: values of 1 component are still being computed: nothing was applied; try again in 1 s\n",
    );
    expect(await statusOf(ada)).toBe("Open");
    expect((await ada.svc("change-set apply edit --yes --wait 0")).code).toBe(75);
  });
});

describe("the review of a change set", () => {
  it("is asked for, granted, refused and taken back, with words", async () => {
    const { server, ada } = await start();
    await setApprovals(server.server, server.workspaceId, true);
    await ada.svc("change-set create edit");
    const early = await ada.svc("change-set approve edit");
    expect(early).toMatchObject({ code: 1 });
    expect(early.err).toContain("hint: svc change-set request-approval NAME\n");
    expect(await ada.svc("change-set request-approval edit --yes")).toMatchObject({
      code: 0,
      err: "asked for the merge of change set edit; it is NeedsApproval\n",
    });
    expect((await ada.svc(["change-set", "reject", "edit", "--note", "too big"])).err).toBe(
      "rejected change set edit\n",
    );
    const rejected = await ada.svc("change-set status edit");
    expect(rejected.out).toMatch(
      /^edit\nid {8}[0-9A-Z]{26}\nstatus {4}Rejected\nrequested ada at \S+Z\nreviewed {2}ada at \S+Z\nnote {6}too big\n$/,
    );
    expect((await ada.svc("change-set reopen edit")).err).toBe("reopened change set edit\n");
    expect(await statusOf(ada)).toBe("Open");
    await ada.svc("change-set request-approval edit --yes");
    expect((await ada.svc("change-set approve edit")).err).toBe("approved change set edit\n");
    expect(await statusOf(ada)).toBe("Ready");
  });

  it("is granted at once where nobody reviews", async () => {
    const { ada } = await start();
    await ada.svc("change-set create edit");
    expect(await ada.svc("change-set request-approval edit --yes")).toMatchObject({
      code: 0,
      err: "granted at once: applied change set edit\n",
    });
  });
});

describe("svc action, policy-report and event", () => {
  it("list what there is, in the order it is in", async () => {
    const { ada } = await start();
    const run = await ada.svc("action list", { terminal: true });
    expect(run.out).toBe("no actions\n");
    expect(JSON.parse((await ada.svc("action list --json")).out)).toEqual({ actions: [] });
    const files = { policy: join(ada.home, "p.rego"), report: join(ada.home, "out.txt") };
    await writeFile(files.policy, "deny *");
    await writeFile(files.report, "all fine");
    const create = (result: string) =>
      ada.svc([
        "policy-report",
        "create",
        "buckets",
        "--result",
        result,
        "--policy",
        files.policy,
        "--report",
        files.report,
        "--change-set",
        "HEAD",
      ]);
    const [first, second] = [await create("pass"), await create("fail")];
    expect(first).toMatchObject({ code: 0, err: "kept policy report buckets\n" });
    expect(second.out).toBe(first.out);
    expect((await ada.svc("policy-report list")).out).toMatch(
      /^buckets\t2\tFail\tada\t\S+Z\t[0-9A-Z]{26}\nbuckets\t1\tPass\tada\t/,
    );
    const full = await ada.svc("policy-report list --name buckets --contents --limit 1 --json");
    expect(JSON.parse(full.out)).toMatchObject({
      policyReports: [{ version: 2, policy: "deny *", report: "all fine" }],
    });
    const events = await ada.svc("event list --limit 2");
    expect(events.out).toMatch(
      /^2\t\S+Z\tada\tpolicy_report\.created\t[0-9A-Z]{26}\t[0-9A-Z]{26}\tbuckets version=1 result=Pass\n3\t/,
    );
    const page = JSON.parse((await ada.svc("event list --since 1 --limit 1 --json")).out);
    expect(page).toMatchObject({ events: [{ seq: 2 }], newest: 3, missed: false });
    expect((await ada.svc("event list --since 1 --limit 1")).err).toBe("there are more: --since 2\n");
  });

  it("says which file cannot be read, and what is missing", async () => {
    const { ada } = await start();
    const line = "policy-report create x --result pass --policy /no/such/file --report /dev/null";
    expect((await ada.svc(line)).err).toContain('error: --policy: could not read "/no/such/file"');
    expect((await ada.svc("policy-report create x --result pass")).err).toContain("--policy is missing");
    expect((await ada.svc("policy-report create x --policy /dev/null --report /dev/null")).code).toBe(2);
  });

  it("follows the history until it is told to stop", async () => {
    const { ada } = await start();
    const stop = new AbortController();
    const sent = recordRequests();
    const following = ada.svc("event list --follow --since 1 --json", { signal: stop.signal });
    await ada.svc("change-set create one");
    await ada.svc("change-set create two");
    // It asks for what comes after the third event once it has shown it.
    await until(() => sent.some(({ path }) => path.includes("since=3")));
    stop.abort();
    const run = await following;
    expect(run.code).toBe(0);
    const shown = run.out.trimEnd().split("\n");
    expect(shown.map((text) => JSON.parse(text)).map(({ seq, data }) => [seq, data.name])).toEqual([
      [2, "one"],
      [3, "two"],
    ]);
  });
});

describe("a sample's own change sets", () => {
  it("are ready once the worker has computed them", async () => {
    const server = await serverWithAda(sampleSchemas);
    const ada = await loggedIn(server);
    await ada.svc("change-set create edit");
    await ada.svc("component create web --schema Server --change-set edit");
    expect((await ada.svc("change-set apply edit --yes")).code).toBe(0);
  });
});
