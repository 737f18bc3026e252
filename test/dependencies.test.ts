import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
const account = read("src/README.md");

/** Where each required package does its job. */
const jobs = [
  ["blessed", "tui/term/blessed.ts", "owns the screen and writes only what differs"],
  ["blessed-contrib", "tui/term/charts.ts", "draws the activity sparkline and line chart"],
  ["chokidar", "daemon/watch.ts", "notices changed credentials and configuration"],
  ["keytar", "src/config/keychain-child.ts", "keeps the key in the operating system's keychain"],
  ["lowdb", "daemon/json-file.ts", "keeps the mirror across restarts"],
  ["got", "src/http/client.ts", "carries every request of the client"],
  ["yargs", "src/cli/parse.ts", "parses the command line"],
  ["node-cron", "daemon/schedule.ts", "drives the resync and the session check"],
  ["vitest", "test/vitest.config.ts", "runs the tests"],
] as const;

describe("the required packages", () => {
  it.each(jobs)("%s: %s %s", (name, file) => {
    expect(read(file)).toMatch(new RegExp(`(from|import\\(|require\\()\\s*["']${name}(/[^"']*)?["']`));
  });
});

describe("every dependency", () => {
  const runtime = { ...manifest["dependencies"], ...manifest["optionalDependencies"] };

  it("is pinned to one version", () => {
    for (const [name, version] of Object.entries({ ...runtime, ...manifest["devDependencies"] })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it("has a line in src/README.md that says why it is there", () => {
    for (const name of Object.keys(runtime)) expect(account, name).toContain(name.replace(/^@fastify\//, ""));
  });

  it("comes from the lock file by name, without an address", () => {
    const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    expect(Object.values(lock.packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
  });
});
