import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfigFile } from "../../src/config/load.ts";
import { svc } from "../support/built-cli.ts";
import { person } from "../support/cli.ts";
import { engines } from "../support/engines.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const ada = "--email ada@example.org --username ada";
const input = "correct horse battery\n";

describe("svc server init", () => {
  it("makes everything of a server in one directory, private to its owner, and says what comes next", async () => {
    const host = await person();
    const data = join(host.home, "d");
    const run = await host.svc(`server init --data ${data} --name Lovelace ${ada}`, { input });
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toBe(
      [
        "ready     ada (Lovelace, ada@example.org) is the first owner",
        `database  sqlite:${data}/svc.sqlite`,
        `keys      ${data}/secret.key; keep a copy: without it secrets and workspace tokens are lost`,
        `settings  ${data}/config.json`,
        "sign-up   invite: whoever a member invites may create an account",
        "",
        "next",
        `  svc server start --data ${data}`,
        "  svc auth login",
        "",
      ].join("\n"),
    );
    const made = (await readdir(data)).filter((name) => !name.startsWith("svc.sqlite"));
    expect(made.sort()).toEqual(["config.json", "secret.key"]);
    for (const name of ["svc.sqlite", "secret.key", "config.json"])
      expect((await stat(join(data, name))).mode & 0o777, name).toBe(0o600);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect(await readdir(host.home)).toEqual(["d"]);
    expect(readConfigFile(join(data, "config.json"))).toEqual({ "server.signUp": "invite" });
    expect((await host.svc(`server user list --data ${data}`)).out).toContain(
      "\tada\tada@example.org\tactive",
    );
  });

  it("asks for what is left out, shows no password, and takes the mode and the address that are given", async () => {
    const host = await person();
    const data = join(host.home, "a b");
    const words = [
      "server",
      "init",
      "--data",
      data,
      "--sign-up",
      "closed",
      "--port",
      "7001",
      "--host",
      "0.0.0.0",
    ];
    const typed = "ada@example.org\nada\ncorrect horse battery\rcorrect horse battery\r";
    const run = await host.svc(words, { terminal: true, input: typed });
    expect(run.code).toBe(0);
    expect(run.err).toBe("E-mail of the first owner: Username: Password: \nThe same again: \n");
    expect(run.out).toContain("closed: nobody else gets an account");
    expect(run.out).toContain(`  svc server start --data '${data}'\n`);
    expect(run.out).toContain("  svc auth login --server http://127.0.0.1:7001\n");
    expect(readConfigFile(join(data, "config.json"))).toEqual({
      "server.signUp": "closed",
      "server.host": "0.0.0.0",
      "server.port": 7001,
    });
  });

  it("without --data uses the state directory and one's own settings, which it keeps", async () => {
    const host = await person();
    await mkdir(join(host.home, ".config", "svc"), { recursive: true });
    await writeFile(host.file("config.json"), '{"logLevel":"warn","server.signUp":"open"}');
    expect(await host.svc(`server init ${ada}`, { input })).toMatchObject({ code: 0, err: "" });
    expect(readConfigFile(host.file("config.json"))).toEqual({ logLevel: "warn", "server.signUp": "open" });
    const made = await readdir(join(host.home, ".local", "state", "svc", "server"));
    expect(made).toEqual(expect.arrayContaining(["svc.sqlite", "secret.key"]));
    expect((await host.svc("server user list")).out).toContain("ada@example.org");
  });

  it("makes nothing twice, says what is there, and asks nobody before", async () => {
    const host = await person();
    const data = join(host.home, "d");
    await host.svc(`server init --data ${data} ${ada}`, { input });
    const config = await readFile(join(data, "config.json"), "utf8");
    const again = await host.svc(`server init --data ${data} --sign-up open --json`, { terminal: true });
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(again.err)).toEqual({
      error: `there is a server already: sqlite:${data}/svc.sqlite has 1 account, ada (ada@example.org) the first`,
      code: "already_initialised",
      hint: `start it with: svc server start --data ${data}`,
    });
    expect(await readFile(join(data, "config.json"), "utf8")).toBe(config);
  });

  it("makes nothing at all when nobody answers or an answer is refused", async () => {
    const host = await person();
    const data = join(host.home, "d");
    for (const words of ["", "--email ada@example.org", ada])
      expect((await host.svc(`server init --data ${data} ${words}`.trim(), { input: "" })).code).toBe(2);
    const refused = [
      [ada, "short\n", "at least 8 characters"],
      ["--email ada --username ada", input, "email: expected an address"],
      ["--email ada@example.org --username a!", input, "username: expected"],
    ] as const;
    for (const [words, typed, message] of refused) {
      const run = await host.svc(`server init --data ${data} ${words}`, { input: typed });
      expect(run).toMatchObject({ code: 1, out: "", err: expect.stringContaining(message) });
    }
    expect(await readdir(host.home)).toEqual([]);
    expect((await host.svc(`server init --data ${data} ${ada}`, { input })).code).toBe(0);
  });

  it.each(["server init", "server start"])(
    "%s says when the directory cannot be written to",
    async (words) => {
      const host = await person();
      const file = join(host.home, "file");
      await writeFile(file, "");
      for (const data of [file, join(file, "below")]) {
        const run = await host.svc(`${words} --data ${data}${words.endsWith("init") ? ` ${ada}` : ""}`, {
          input,
        });
        expect(run).toMatchObject({ code: 1, out: "" });
        expect(run.err).toMatch(
          /^error: cannot keep a server in .+: there is a file where a directory should be\nhint: .+--data/,
        );
      }
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    "says so of a directory of somebody else, too (skipped but for root, who can be another user)",
    async () => {
      const data = await temporaryDirectory();
      for (const verb of ["init", "start"]) {
        const words = ["server", verb, "--data", join(data, "d"), ...(verb === "init" ? ada.split(" ") : [])];
        const run = svc(words, { home: "/nonexistent", cwd: "/", user: 65_534, input });
        expect(await run.ended, run.err()).toBe(1);
        expect(run.err()).toMatch(
          /^error: cannot keep a server in \S+: this user may not write there\nhint: /,
        );
      }
    },
  );

  it.each([
    "start",
    "user list",
    "workspace list",
    "maintenance on",
    "reindex",
    "rotate-secret-key",
    "events",
  ])("is what makes a directory: server %s refuses where it was not run, and makes none", async (verb) => {
    const host = await person();
    await mkdir(join(host.home, "empty"));
    for (const name of ["empty", "missing"]) {
      const data = join(host.home, name);
      const run = await host.svc(`server ${verb} --data ${data}`);
      expect(run).toMatchObject({ code: 1, out: "", err: expect.stringContaining("svc server init") });
      if (verb === "start")
        expect(run.err).toBe(
          `error: there is no server in ${data} yet; make it with: svc server init --data ${data}\n`,
        );
    }
    expect(await readdir(host.home)).toEqual(["empty"]);
    expect(await readdir(join(host.home, "empty"))).toEqual([]);
    expect((await host.svc(`server init --data ${join(host.home, "empty")} ${ada}`, { input })).code).toBe(0);
  });

  it("from an empty home: what it prints starts the server and logs in", async () => {
    const home = await temporaryDirectory();
    const init = svc(["server", "init", "--data", "./d", "--port", "0", ...ada.split(" ")], { home, input });
    expect(await init.ended).toBe(2);
    const made = svc(["server", "init", "--data", "./d", ...ada.split(" "), "--json"], { home, input });
    expect(await made.ended, made.err()).toBe(0);
    expect(JSON.parse(made.out()).next).toEqual(["svc server start --data ./d", "svc auth login"]);
    // Any free port: the usual one may be taken on the machine of this test.
    const server = svc(["server", "start", "--data", "./d", "--port", "0", "--json"], { home });
    await server.says("listening");
    const { listening } = JSON.parse(server.out());
    const login = svc(["auth", "login", "--server", listening, "--username", "ada"], { home, input });
    expect(await login.ended, login.err()).toBe(0);
    const users = svc(["server", "user", "list", "--data", "./d"], { home });
    expect(await users.ended, users.err()).toBe(0);
    expect(users.out()).toContain("ada@example.org");
    const response = await fetch(`${listening}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Eve", email: "eve@example.org", password: "long enough" }),
    });
    expect(response.status).toBe(403);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  }, 60_000);
});

describe.each(engines)("svc server init with --database on $name", (engine) => {
  it.skipIf(engine.missing !== undefined)(
    `keeps the address for later starts (${engine.missing ?? "present"})`,
    async () => {
      const database = await engine.create();
      onTestFinished(() => database.remove());
      const host = await person();
      const data = join(host.home, "d");
      const run = await host.svc(`server init --data ${data} --database ${database.url} ${ada}`, { input });
      expect(run).toMatchObject({ code: 0, err: "" });
      expect(readConfigFile(join(data, "config.json"))).toMatchObject({ "server.database": database.url });
      // Named by the directory alone from now on.
      expect((await host.svc(`server user list --data ${data}`)).out).toContain("ada@example.org");
      expect(await host.svc(`server init --data ${data}`, { input })).toMatchObject({
        code: 1,
        err: expect.stringContaining("there is a server already"),
      });
    },
  );

  it.skipIf(engine.missing !== undefined)(
    `is needed before a start in a directory of its own (${engine.missing ?? "present"})`,
    async () => {
      const database = await engine.create();
      onTestFinished(() => database.remove());
      const host = await person();
      const place = `--data ${join(host.home, "d")} --database ${database.url}`;
      const run = await host.svc(`server start ${place} --port 0`);
      expect(run).toMatchObject({
        code: 1,
        err: expect.stringContaining("; make it with: svc server init --data "),
      });
      expect(await readdir(host.home)).toEqual([]);
      expect((await host.svc(`server init ${place} ${ada}`, { input })).code).toBe(0);
      const signal = AbortSignal.abort();
      expect(await host.svc(`server start ${place} --port 0`, { signal })).toMatchObject({ code: 0 });
    },
  );

  it.skipIf(engine.missing !== undefined)(
    `of two at once makes one (${engine.missing ?? "present"})`,
    async () => {
      const database = await engine.create();
      onTestFinished(() => database.remove());
      const host = await person({ SVC_DATABASE_URL: database.url });
      const runs = await Promise.all(
        ["ada", "eve"].map((name) =>
          host.svc(`server init --email ${name}@example.org --username ${name}`, { input }),
        ),
      );
      expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
      expect((await host.svc("server user list")).out.trim().split("\n")).toHaveLength(1);
    },
  );
});
