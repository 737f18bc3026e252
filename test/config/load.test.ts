import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig, variable } from "../../src/config/load.ts";
import { type OptionKey, optionKeys, optionRow } from "../../src/config/options.ts";
import { serverSettings } from "../../src/config/server-settings.ts";
import { temporaryDirectory } from "../support/temporary.ts";

async function home(config?: unknown) {
  const path = await temporaryDirectory();
  await mkdir(join(path, ".config/svc"), { recursive: true });
  const file = join(path, ".config/svc/config.json");
  if (config !== undefined)
    await writeFile(file, typeof config === "string" ? config : JSON.stringify(config));
  return { HOME: path, file };
}

describe("settings", () => {
  it("have their defaults when there is no file, and nothing is created", async () => {
    const { HOME } = await home();
    const { settings, warnings } = loadConfig({ HOME });
    for (const key of optionKeys) expect(settings[key]).toEqual(optionRow(key).default);
    expect(warnings).toEqual([]);
  });

  it("come from config.json, and from the environment before it", async () => {
    const { HOME } = await home({ "server.port": 6000, "server.host": "0.0.0.0" });
    const { settings } = loadConfig({ HOME, SVC_PORT: "7000" });
    expect(settings["server.port"]).toBe(7000);
    expect(settings["server.host"]).toBe("0.0.0.0");
  });

  it("say what functions may do: nothing beyond computing, unless the operator allows it", async () => {
    const { HOME } = await home();
    const functionsWith = (environment: Record<string, string>) =>
      serverSettings(loadConfig({ HOME, PATH: "/usr/bin", ...environment })).functions;
    const { processes, ...usual } = functionsWith({});
    expect(processes).toBeGreaterThanOrEqual(2);
    expect(usual).toEqual({
      network: { mode: "off", hosts: [] },
      commands: { programs: {}, path: "/usr/bin" },
      seconds: 1800,
      megabytes: 64,
    });
    const allowed = functionsWith({
      SVC_FUNCTION_NETWORK: "list",
      SVC_FUNCTION_HOSTS: "api.example.com, 10.1.0.0/16",
      SVC_FUNCTION_COMMANDS: "aws=/usr/bin/aws, git=/usr/bin/git",
      SVC_FUNCTION_PROCESSES: "3",
    });
    expect(allowed).toMatchObject({
      network: { mode: "allow-list", hosts: ["api.example.com", "10.1.0.0/16"] },
      commands: { programs: { aws: "/usr/bin/aws", git: "/usr/bin/git" } },
      processes: 3,
    });
  });

  it("take an empty variable for an unset one", async () => {
    const { HOME } = await home({ "server.port": 6000 });
    expect(loadConfig({ HOME, SVC_PORT: "  " }).settings["server.port"]).toBe(6000);
  });

  it.each([
    [
      "SVC_PORT",
      "x",
      'server.port: expected a port from 0 to 65535; 0 takes any free one, got "x" (from SVC_PORT)',
    ],
    [
      "SVC_PORT",
      "70000",
      "server.port: expected a port from 0 to 65535; 0 takes any free one, got 70000 (from SVC_PORT)",
    ],
    [
      "SVC_DATABASE_URL",
      "mysql://db",
      'server.database: expected sqlite:<path> or postgres://…, got "mysql://db" (from SVC_DATABASE_URL)',
    ],
    [
      "SVC_TRUST_PROXY",
      "maybe",
      'server.trustProxy: expected true or false, got "maybe" (from SVC_TRUST_PROXY)',
    ],
    [
      "SVC_LOG_LEVEL",
      "loud",
      'logLevel: expected error, warn, info or debug, got "loud" (from SVC_LOG_LEVEL)',
    ],
    [
      "SVC_FUNCTION_COMMANDS",
      "aws",
      'server.functionCommands: expected programs as name=/path, with commas between them, got "aws" (from SVC_FUNCTION_COMMANDS)',
    ],
    [
      "SVC_DAEMON_RESYNC",
      "hourly",
      'daemon.resync: expected a cron expression of 5 fields, or 6 with seconds first, got "hourly" (from SVC_DAEMON_RESYNC)',
    ],
  ])("refuse %s=%s in one line", async (name, value, message) => {
    const { HOME } = await home();
    expect(() => loadConfig({ HOME, [name]: value })).toThrow(expect.objectContaining({ message }));
  });

  it("refuse a value of the wrong kind in config.json, naming the file", async () => {
    const { HOME, file } = await home({ "server.trustProxy": "yes" });
    expect(() => loadConfig({ HOME })).toThrow(
      `server.trustProxy: expected true or false, got "yes" (from ${file})`,
    );
  });

  it("name an unknown key and the near one, and go on", async () => {
    const { HOME, file } = await home({ "server.prot": 1, zzz: 2, "server.port": 6001 });
    const { settings, warnings } = loadConfig({ HOME });
    expect(warnings).toEqual([
      `unknown setting "server.prot" in ${file}; did you mean "server.port"?`,
      `unknown setting "zzz" in ${file}`,
    ]);
    expect(settings["server.port"]).toBe(6001);
  });

  it.each([
    ["not json", "could not read the settings"],
    ["[]", "expected an object, found an array of 0"],
    ["null", "expected an object, found null"],
  ])("say in one line that config.json with %j cannot be read", async (text, message) => {
    const { HOME, file } = await home(text);
    expect(() => loadConfig({ HOME })).toThrow(message);
    expect(() => loadConfig({ HOME })).toThrow(file);
  });

  it("have variables of their own, none used twice, all of them documented", () => {
    const names = optionKeys.flatMap((key: OptionKey) => optionRow(key).environment ?? []);
    expect(new Set(names).size).toBe(names.length);
    for (const key of optionKeys) expect(optionRow(key).doc).toMatch(/^[A-Z].*[^.]$/);
  });
});

describe("a server's settings", () => {
  it("put database and key in the state directory when nothing names another place", async () => {
    const { HOME } = await home();
    const settings = serverSettings(loadConfig({ HOME, XDG_STATE_HOME: "/s" }));
    expect(settings.database).toBe("sqlite:/s/svc/server/svc.sqlite");
    expect(settings.secretKeyFile).toBe("/s/svc/server/secret.key");
  });

  it("let the command line go before the environment", async () => {
    const { HOME } = await home();
    const config = loadConfig({ HOME, SVC_PORT: "7000", SVC_SECRET_KEY: " ab " });
    expect(serverSettings(config, { port: 0 })).toMatchObject({ port: 0, secretKey: "ab" });
    expect(serverSettings(config).port).toBe(7000);
  });
});

describe("a variable", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    [" \n", undefined],
    [" key\n", "key"],
  ])("with the text %j is %j", (given, expected) => {
    expect(variable({ SVC_API_KEY: given }, "SVC_API_KEY")).toBe(expected);
  });
});
