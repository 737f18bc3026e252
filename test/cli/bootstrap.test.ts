import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageDirectory } from "../../src/lib/version.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A checkout in small: the real bootstrap, the real npm and compiler, two sources. */
async function checkout() {
  const root = await temporaryDirectory();
  const at = (path: string) => join(root, path);
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const compiler = join(packageDirectory, "node_modules/typescript/bin/tsc");
  const dependency = { typescript: "file:tools/typescript" };
  await write("package.json", JSON.stringify({ name: "small", type: "module", dependencies: dependency }));
  await write("tools/typescript/package.json", '{"name":"typescript","version":"1.0.0"}');
  await write("tools/typescript/bin/tsc", `import(${JSON.stringify(compiler)})`);
  await write(
    "package-lock.json",
    JSON.stringify({
      name: "small",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "small", dependencies: dependency },
        "node_modules/typescript": { resolved: "tools/typescript", link: true },
        "tools/typescript": { name: "typescript", version: "1.0.0" },
      },
    }),
  );
  const options = { module: "NodeNext", types: [], rootDir: ".", outDir: "dist", incremental: true };
  const compilerOptions = { ...options, tsBuildInfoFile: "dist/.tsbuildinfo" };
  await write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src/**/*.ts"] }));
  await write("src/bundle.ts", "export {};\n");
  await write("src/one.ts", "export const one: number = 1;\n");
  await write("src/two.ts", "export const two: number = 2;\n");
  await copyFile(join(packageDirectory, "src/bootstrap.mjs"), at("src/bootstrap.mjs"));
  const run = () => runNode([at("src/bootstrap.mjs")]);
  const built = (path: string) => readFile(at(join("dist", path)), "utf8").catch(() => undefined);
  return { at, write, run, built };
}

function runNode(args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => {
        said += data.toString();
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said }));
  });
}

describe("the bootstrap", () => {
  it("installs and builds a fresh checkout, and does nothing the second time", async () => {
    const { run, built } = await checkout();
    const first = await run();
    expect(first.code).toBe(0);
    expect(first.said).toMatch(
      /^installing dependencies \(npm ci\) …\n.+ in .+ s\nbuilding …\nbuilt in .+ s\n$/,
    );
    expect(await built("src/one.js")).toContain("one = 1");
    expect(await run()).toEqual({ code: 0, said: "" });
  });

  it("builds again when a source changes, comes or goes, and leaves nothing of what is gone", async () => {
    const { at, write, run, built } = await checkout();
    await run();
    await write("src/one.ts", "export const one: number = 11;\n");
    await write("src/three.ts", "export const three: number = 3;\n");
    await rm(at("src/two.ts"));
    expect((await run()).said).toMatch(/^building …\nbuilt in .+\n$/);
    expect(await built("src/one.js")).toContain("one = 11");
    expect(await built("src/three.js")).toContain("three = 3");
    expect(await built("src/two.js")).toBeUndefined();
    expect(await run()).toEqual({ code: 0, said: "" });
  });

  it("writes anew what was removed from dist", async () => {
    const { at, write, run, built } = await checkout();
    await run();
    await rm(at("dist/src/two.js"));
    await utimes(at("src/one.ts"), 1, 1);
    expect((await run()).code).toBe(0);
    expect(await built("src/two.js")).toContain("two = 2");
    await rm(at("dist"), { recursive: true });
    await write("src/one.ts", "export const one: number = 12;\n");
    expect((await run()).code).toBe(0);
    expect(await built("src/one.js")).toContain("one = 12");
  });

  it("shows the compiler's messages and fails, and builds once they are mended", async () => {
    const { write, run } = await checkout();
    await write("src/one.ts", "export const one: number = 'text';\n");
    const broken = await run();
    expect(broken.code).toBe(1);
    expect(broken.said).toContain("src/one.ts");
    expect(broken.said).toContain("error: the build failed");
    expect(broken.said).not.toContain("at ");
    await write("src/one.ts", "export const one: number = 1;\n");
    expect((await run()).code).toBe(0);
  });

  it("installs again when the lock file changes, and not when npm ci was run by hand", async () => {
    const { at, write, run } = await checkout();
    await run();
    await rm(at("node_modules/.svc-stamp"));
    expect((await run()).said).not.toContain("installing");
    const lock = JSON.parse(await readFile(at("package-lock.json"), "utf8"));
    lock.packages["node_modules/absent"] = { version: "1.0.0", integrity: "sha512-x" };
    await writeFile(at("package-lock.json"), JSON.stringify(lock));
    await write("package.json", '{"name":"small","dependencies":{"absent":"1.0.0"}}');
    const again = await run();
    expect(again.said).toContain("installing dependencies");
    expect(again.code).toBe(1);
    expect(again.said).toContain(
      "error: the dependencies could not be installed\nhint: npm ci --include=dev",
    );
  });

  it("lets one of two runs at once do the work, and survives a lock whose holder died", async () => {
    const { at, write, run } = await checkout();
    // No process has this number: the system's own limit is lower.
    await write(".svc/bootstrap.lock", "99999999");
    const runs = await Promise.all([run(), run()]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(runs.filter(({ said }) => said.includes("npm ci")).length).toBe(1);
    await expect(stat(at(".svc/bootstrap.lock"))).rejects.toThrow();
  });
});
