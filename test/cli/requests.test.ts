import { describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { minimalSpec } from "../server/domain/package-examples.ts";
import {
  configText,
  loggedIn,
  person,
  type ServerWithAda,
  serverWithAda,
  writeConfigFile,
} from "../support/cli.ts";
import { recordRequests, type SentRequest } from "../support/recorder.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A line for every command that runs in one process, in an order in which each one works. */
const lines: Readonly<Record<string, string | readonly string[]>> = {
  "auth login": "auth login --username ada --password @",
  "auth whoami": "auth whoami",
  "auth password": "auth password --username ada --password @ --new-password @ --sign-out-others",
  "session list": "session list --username ada --password @",
  "session revoke": "session revoke 01J00000000000000000000000 --username ada --password @ --yes",
  "session revoke-others": "session revoke-others --username ada --password @ --yes",
  "key create": "key create spare --username ada --password @",
  "key list": "key list --username ada --password @",
  "key revoke": "key revoke spare --username ada --password @ --yes",
  "key delete": "key delete spare --username ada --password @ --yes",
  status: "status",
  "change-set create": "change-set create edit",
  "change-set list": "change-set list",
  "change-set get": "change-set get edit",
  "change-set status": "change-set status edit",
  "component create": "component create web --schema Server",
  "component list": "component list --change-set edit",
  "component get": "component get web --change-set edit",
  "component find": "component find web --change-set edit",
  search: "search web --change-set edit",
  "component search": "component search web --change-set edit --upgradable no",
  "component set": "component set web /domain/DiskGb=30 /resource/payload=1",
  "component duplicate": "component duplicate web --prefix second-",
  "component add-to-view": "component add-to-view Web web second-web",
  "component manage": "component manage web second-web",
  "component resource": "component resource web --change-set edit",
  "component upgrade": "component upgrade web",
  "secret create": "secret create prod --plain-field AccessKeyId=x",
  "secret list": "secret list --change-set edit",
  "secret update": "secret update prod --name live",
  "secret delete": "secret delete live --yes",
  "change-set review": "change-set review edit",
  "component discard": "component discard web /domain/DiskGb",
  "component delete": "component delete web --yes",
  "component restore": "component restore web",
  "component erase": "component erase web --yes",
  "schema create": "schema create Probe --file <schema>",
  "schema list": "schema list --change-set edit",
  "schema unlock": "schema unlock Probe",
  "schema update": "schema update Probe --description tested",
  "function add": [
    "function add Probe reboot --kind action --file <ok>",
    "function add Probe wait --kind management --file <wait>",
    "function add Probe look --kind management --file <ok>",
  ],
  "schema get": "schema get Probe --change-set edit",
  "function get": "function get {function add} --change-set edit",
  "function update": "function update {function add} --file <ok>",
  "function unlock": ["function unlock Probe {function add}", "component create probe --schema Probe"],
  "action queue": "action queue probe reboot",
  "action list": "action list --change-set edit",
  "action hold": "action hold {action list} --change-set edit",
  "action retry": "action retry {action list} --change-set edit",
  "action cancel": "action cancel {action list} --change-set edit",
  "action refresh": "action refresh --change-set edit",
  "job start": "job start probe look",
  "job debug": "job debug probe --file <ok> --change-set edit",
  "job list": "job list --change-set edit",
  "job cancel": ["job start probe wait --no-wait", "job cancel {job start} --change-set edit"],
  "run list": "run list --change-set edit --state Success",
  "run get": "run get {run list} --change-set edit",
  "run logs": "run logs {run list} --change-set edit",
  "run cancel": "run cancel {run list} --change-set edit",
  "function remove": "function remove Probe {function add} --kind management",
  "schema install": "schema install Wait",
  "schema import": "schema import <package> --change-set edit",
  "schema contribute": "schema contribute Server --change-set edit",
  "policy-report create":
    "policy-report create x --result pass --policy /dev/null --report /dev/null --change-set edit",
  "policy-report list": "policy-report list --change-set edit",
  "event list": "event list",
  "audit account": "audit account",
  "audit workspace": "audit workspace --limit 3",
  "workspace update": "workspace update --approvals on",
  "change-set request-approval": "change-set request-approval edit --yes",
  "change-set reject": "change-set reject edit",
  "change-set reopen": "change-set reopen edit",
  "change-set approve": ["change-set request-approval edit --yes", "change-set approve edit"],
  "change-set apply": "change-set apply edit --yes",
  "change-set abandon": ["change-set create gone", "change-set abandon gone --yes"],
  "change-set purge-open": "change-set purge-open --yes",
  "workspace use": "workspace use --reset",
  "workspace create": "workspace create team",
  "workspace list": "workspace list",
  "workspace get": "workspace get team",
  "workspace member invite": "workspace member invite grace@example.org",
  "workspace member list": "workspace member list",
  "workspace member role": "workspace member role grace@example.org approver",
  "workspace member remove": "workspace member remove grace@example.org --yes",
  "workspace token create": "workspace token create ci --expires 1h",
  "workspace token list": "workspace token list",
  "workspace token revoke": "workspace token revoke {workspace token} --yes",
  "collective create": "collective create platform --name Platform",
  "collective list": "collective list",
  "collective rename": "collective rename platform Team",
  "collective member invite": "collective member invite platform eve@example.org",
  "collective invitation list": ["collective invitation list", "collective invitation list platform"],
  "collective invitation withdraw": "collective invitation withdraw platform {collective invitation}",
  "collective invitation accept": "collective invitation accept 01J00000000000000000000000",
  "collective invitation reject": "collective invitation reject 01J00000000000000000000000",
  "invitation accept": "invitation accept svc_inv_00000000000000000000000000000000",
  "collective member list": "collective member list platform",
  "collective member role": "collective member role platform ada owner",
  "collective member remove": "collective member remove platform eve --yes",
  "workspace grant": "workspace grant platform",
  "workspace collectives": "workspace collectives",
  "collective get": "collective get platform",
  "workspace ungrant": "workspace ungrant platform --yes",
  "collective token create": "collective token create platform ci --expires 1h",
  "collective token list": "collective token list platform",
  "collective token revoke": "collective token revoke platform {collective token} --yes",
  "collective token delete": "collective token delete platform {collective token} --yes",
  "audit collective": "audit collective platform",
  "collective leave": "collective leave platform --yes",
  "collective delete": "collective delete platform --yes",
  "workspace delete": "workspace delete team --yes",
  "workspace leave": "workspace leave theirs --yes",
  api: "api accounts.whoami",
  "config list": "config list",
  "config docs": "config docs",
  completions: "completions bash",
  "daemon stop": "daemon stop",
  "auth logout": "auth logout",
};

/** These start other parts, whose requests their own tests record, or ask a local socket only. */
const elsewhere = [
  "up",
  "tui",
  "server init",
  "server start",
  "server reindex",
  "server events",
  "server rotate-secret-key",
  "server maintenance on",
  "server maintenance off",
  "server maintenance status",
  "server workspace list",
  "server workspace restore",
  "server workspace quarantine",
  "server workspace release",
  "server user list",
  "server user suspend",
  "server user reinstate",
  "track",
  "daemon start",
  "daemon status",
  "daemon run",
  "daemon logs",
];

/** Those whose line is refused: there is nothing to do it to, or nobody else who could do it. */
const refused: ReadonlySet<string> = new Set([
  "session revoke",
  "run cancel",
  "collective invitation accept",
  "collective invitation reject",
  "invitation accept",
  "collective member remove",
  "collective leave",
]);

/** What `<name>` in a line stands for: a file with this text. */
const files: Readonly<Record<string, string>> = {
  schema: "function main() { return new AssetBuilder().build(); }",
  ok: "async function main() { console.log('here'); return { status: 'ok' }; }",
  wait: "async function main() { await new Promise((done) => setTimeout(done, 60000)); return { status: 'ok' }; }",
  package: JSON.stringify(minimalSpec("Least")),
};

/** A workspace of somebody else that Ada is a member of. */
async function shareWorkspace({ server, email, url }: ServerWithAda, displayName: string): Promise<void> {
  const { workspaces } = server.client((await server.person("eve")).key);
  const { id } = await workspaces.create({ body: { displayName, description: "", instanceUrl: url } });
  await workspaces.inviteMember({ workspaceId: id, body: { email } });
}

describe("requests", () => {
  it("of every command go to the one server, and carry the device's id on /api/* and nowhere else", async () => {
    expect([...Object.keys(lines), ...elsewhere].sort()).toEqual(commands.map(({ path }) => path).sort());
    const server = await serverWithAda(sampleSchemas);
    const ada = await person({ SVC_CLUB_URL: server.url });
    await shareWorkspace(server, "theirs");
    for (const [name, text] of Object.entries(files)) await writeConfigFile(ada, name, text);
    const printed = new Map<string, string>();
    const sent: SentRequest[] = [];
    const all = Object.entries(lines).flatMap(([path, line]) =>
      [line].flat().map((one) => [path, one] as const),
    );
    for (const [path, line] of all) {
      const recorded = recordRequests();
      const filled = line
        .replace(/<(\w+)>/g, (_all, name: string) => ada.file(name))
        .replace(/\{([\w ]+)\}/g, (_all, before: string) => printed.get(before) ?? "");
      const words = filled.split(" ").map((word) => (word === "@" ? server.password : word));
      const ended = await ada.svc(words);
      expect(ended, line).toMatchObject({ code: refused.has(path) ? 1 : 0 });
      printed.set(words.slice(0, 2).join(" "), ended.out.split(/\s/)[0] ?? "");
      sent.push(...recorded.splice(0));
    }
    // The daemon's socket is no network: its address is a name that no resolver is asked for.
    const network = sent.filter(({ origin }) => origin !== "http://daemon");
    expect(new Set(network.map(({ origin }) => origin))).toEqual(new Set([server.url]));
    const { userId } = JSON.parse((await configText(ada, "identity.json")) ?? "");
    expect(userId).toMatch(canonical);
    for (const { path, header } of network)
      expect(header("svc-distinct-id"), path).toBe(path.startsWith("/api/") ? userId : undefined);
    expect(network.filter(({ path }) => path.startsWith("/api/")).length).toBeGreaterThan(5);
    for (const { header } of network) expect(header("user-agent")).toMatch(/^svc-cli\/\d+\.\d+\.\d+$/);
  });

  it("carry the key on each request of a command that needs one, and nothing when there is none", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKey } = JSON.parse((await configText(ada, "auth.json")) ?? "");
    const sent = recordRequests();
    await ada.svc("change-set list");
    expect(sent.map(({ header }) => header("authorization"))).toEqual(sent.map(() => `Bearer ${apiKey}`));
    const anonymous = recordRequests();
    await (await person({ SVC_CLUB_URL: server.url })).svc("api accounts.getSession");
    expect(anonymous.map(({ header }) => header("authorization"))).toEqual([undefined]);
    expect(anonymous[0]?.header("svc-distinct-id")).toMatch(canonical);
  });

  it("go out without the device's id, and succeed, when identity.json is damaged", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await writeConfigFile(ada, "identity.json", "{ damaged");
    const sent = recordRequests();
    expect((await ada.svc("auth whoami")).code).toBe(0);
    expect(sent.map(({ header }) => header("svc-distinct-id"))).toEqual([undefined]);
    expect(await configText(ada, "identity.json")).toBe("{ damaged");
  });
});
