import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SecretKeeper } from "../../support/secret-keeper.ts";
import { type Stage, startStage } from "./secret-stage.ts";
import {
  lookAround,
  makeTokens,
  mistakeAddresses,
  mistypePasswords,
  type Someone,
  sealSecrets,
  sendNonsense,
  signUp,
} from "./secret-story.ts";

/** The command line: logged in, with keys made and ended, with errors of every kind, and its daemon. */
async function useCommandLine(stage: Stage, ada: Someone, slug: string) {
  const { keeper } = stage;
  const login = ["auth", "login", "--username", ada.username, "--no-browser"];
  await stage.svc(login, { input: `${ada.password} wrong\n` });
  await stage.svc(["auth", "login", "--username", ada.password, "--no-browser", "--debug"], { input: "x\n" });
  expect(await stage.svc(login, { input: `${ada.password}\n` })).toMatchObject({ code: 0 });
  const stored = JSON.parse(readFileSync(join(stage.home, ".config/svc/auth.json"), "utf8"));
  keeper.keep("the key of the command line", stored.apiKey);
  for (const more of [[], ["--json"], ["--debug"]])
    for (const line of [
      "auth whoami",
      "status",
      "key list",
      "config list",
      "audit account",
      "change-set list",
      "session list",
    ])
      await stage.svc([...line.split(" "), ...more]);
  const input = `${ada.password}\n`;
  const made = await stage.svc(["key", "create", "--name", "laptop", "--json"], { input, makes: true });
  keeper.keep("a key made by the command line", /svc_[0-9a-f]{32}/.exec(made.out)?.[0] ?? "");
  const token = await stage.svc(["collective", "token", "create", slug, "--name", "deploys", "--json"], {
    makes: true,
  });
  keeper.keep(
    "a collective token made by the command line",
    /svc_org_[0-9a-f]{32}/.exec(token.out)?.[0] ?? "",
  );
  const jwt = await stage.svc(["workspace", "token", "create", "--name", "ci", "--json"], { makes: true });
  keeper.keep("a workspace token made by the command line", /eyJ[\w.-]+/.exec(jwt.out)?.[0] ?? "");
  for (const line of [
    `collective token list ${slug}`,
    "workspace token list",
    "workspace list",
    "key revoke none",
  ])
    await stage.svc(line.split(" "), { input });
  const bad = [
    `${ada.key} `,
    `${ada.key}0`,
    ada.key.toUpperCase(),
    `${ada.key}\nx-injected: yes`,
    `${ada.key}é`,
  ];
  for (const SVC_API_KEY of bad)
    for (const line of ["auth whoami", "status --json", "change-set list --debug"])
      await stage.svc(line.split(" "), { environment: { SVC_API_KEY } });
  await stage.svc(["auth", "whoami", "--server", "http://127.0.0.1:1", "--debug"]);
  await stage.svc(["auth", "whoami", "--server", `http://x:${ada.key}@127.0.0.1:1`]);
  await stage.svc(["auth", "whoami", ada.key]);
  await stage.svc(["daemon", "start"]);
  for (const line of ["daemon status --json", "status", "daemon logs --lines 1000"])
    await stage.svc(line.split(" "));
  await stage.svc(["daemon", "stop"]);
}

/** Every file below a directory: its path in there, and what it holds. */
const filesIn = (directory: string): { readonly path: string; readonly text: string }[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(directory.length), text: readFileSync(path, "latin1") }));

describe("the search for secrets", () => {
  it("finds them however they are written", () => {
    const keeper = new SecretKeeper();
    const secret = keeper.keep("a key", `svc_${"0123456789abcdef".repeat(2)}`);
    const sha = createHash("sha256").update(secret);
    keeper.hear("one", `key=${secret}`);
    keeper.hear("two", `…${secret.slice(20)}`);
    keeper.hear("three", sha.copy().digest("base64url"));
    keeper.hear("four", `{"hash":"${sha.copy().digest("hex")}"}`);
    keeper.hear("five", Buffer.from(secret).toString("base64"));
    keeper.hear("six", "svc_01234567");
    const found = keeper.found();
    for (const where of ["one", "two", "three", "four", "five"])
      expect(found.some((line) => line.includes(`in ${where}: `))).toBe(true);
    expect(found.some((line) => line.includes("in six: ") || line.includes(secret))).toBe(false);
  });
});

describe("nothing secret", () => {
  it("stands in any log, answer, page, error, audit entry, output or file", {
    timeout: 240_000,
  }, async () => {
    const stage = await startStage();
    const { keeper, home, data } = stage;
    const [ada, eve] = [await signUp(stage, "ada"), await signUp(stage, "eve")];
    const { slug, token, jwt } = await makeTokens(stage, ada, eve);
    await mistypePasswords(stage, eve);
    await sealSecrets(stage, ada);
    await sendNonsense(stage, ada, [ada.password, ada.key, token, jwt, ada.session]);
    await mistakeAddresses(stage, ada, [ada.key, token, jwt, ada.session]);
    await useCommandLine(stage, ada, slug);
    await lookAround(stage, ada, slug);
    for (const line of ["server events --json", "server user list --json", "server workspace list --json"])
      expect(await stage.operate(line)).toBe(0);
    await stage.stop();
    // What is there to keep credentials, or the keys of the server.
    for (const { path, text } of filesIn(home)) if (!path.endsWith("/auth.json")) keeper.hear(path, text);
    expect(keeper.size.secrets).toBeGreaterThan(15);
    expect(keeper.size.characters).toBeGreaterThan(100_000);
    expect(keeper.found()).toEqual([]);
    // The database holds hashes of keys, and what secrets hold sealed: nothing that could be used.
    const files = filesIn(data);
    expect(files.some(({ text }) => text.includes("ada@example.org"))).toBe(true);
    expect(files.flatMap(({ path, text }) => keeper.foundRaw(path, text))).toEqual([]);
  });
});
