// Makes a checkout ready to run: dependencies as the lock file has them, and dist as the sources have it.
// Node's own modules only, since nothing else is there yet. Does nothing, quickly, when all is as it should be.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const installStamp = at("node_modules", ".svc-stamp");
const buildStamp = at("dist", ".svc-stamp");
const buildInfo = at("dist", ".tsbuildinfo");
const lockFile = at(".svc", "bootstrap.lock");
const sourceFolders = ["src", "server", "daemon", "tui", "test"];
/** The oldest Node that runs the dependencies; the same as `engines` in package.json. */
const oldestNode = [20, 19];

const hash = (text) => createHash("sha256").update(text).digest("hex");
const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const say = (line) => process.stderr.write(`${line}\n`);
const fail = (line, hint) => {
  say(`error: ${line}${hint === undefined ? "" : `\nhint: ${hint}`}`);
  process.exit(1);
};

checkNode();
if (isReady()) process.exit(0);
takeLock();
if (!isInstalled()) install();
if (!isBuilt()) build();

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Node ${oldestNode.join(".")} or later is needed, this is ${process.versions.node}`,
    "https://nodejs.org has it",
  );
}

function isReady() {
  return isInstalled() && isBuilt();
}

function installHash() {
  return hash([process.platform, process.arch, read(at("package-lock.json"))].join("\n"));
}

/** The stamp says so, or npm's own record of what it installed: someone ran `npm ci` or `npm install` himself. */
function isInstalled() {
  if (read(installStamp) === installHash()) return true;
  const wanted = packagesOf(read(at("package-lock.json")));
  const present = packagesOf(read(at("node_modules", ".package-lock.json")));
  if (wanted === undefined || present === undefined) return false;
  const missing = Object.entries(wanted).some(
    ([path, { integrity, optional, link }]) =>
      path !== "" &&
      optional !== true &&
      link !== true &&
      (!(path in present) || present[path].integrity !== integrity),
  );
  if (!missing) writeFileSync(installStamp, installHash());
  return !missing;
}

function packagesOf(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text).packages;
  } catch {
    return undefined;
  }
}

function install() {
  say("installing dependencies (npm ci) …");
  const started = performance.now();
  const { status, error, output } = run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"]);
  if (error !== undefined)
    fail(`could not run npm: ${error.message}`, "npm comes with Node; is it in the PATH?");
  if (status !== 0) {
    say(lastLines(output, 15));
    fail("the dependencies could not be installed", "npm ci --include=dev says more");
  }
  writeFileSync(installStamp, installHash());
  say(`${/added \d+ packages?/.exec(output)?.[0] ?? "installed"} in ${seconds(started)}`);
}

/** Every source with its size and time of change: a stamp that costs no reading. */
function sourceHash() {
  const entries = sources().map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${relative(root, path)} ${size} ${mtimeMs}`;
  });
  return hash([read(installStamp), read(at("tsconfig.json")), ...entries].join("\n"));
}

function sources() {
  return sourceFolders.flatMap((folder) => filesIn(at(folder))).filter((path) => path.endsWith(".ts"));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

function isBuilt() {
  return read(buildStamp) === sourceHash();
}

function build() {
  const before = sourceHash();
  say("building …");
  const started = performance.now();
  // Without a stamp nobody knows what is in dist: everything is written anew.
  if (!existsSync(buildStamp)) rmSync(buildInfo, { force: true });
  removeStale();
  compile();
  if (missingOutput() !== undefined) {
    rmSync(buildInfo, { force: true });
    compile();
    const missing = missingOutput();
    if (missing !== undefined) fail(`the build did not write ${relative(root, missing)}`);
  }
  bundle();
  // Sources that changed meanwhile make the stamp a wrong one, so the next run builds again.
  writeFileSync(buildStamp, before);
  say(`built in ${seconds(started)}`);
}

function compile() {
  const { status, error, output } = run(process.execPath, [
    at("node_modules", "typescript", "bin", "tsc"),
    "-p",
    at("tsconfig.json"),
  ]);
  if (error !== undefined) fail(`could not run the compiler: ${error.message}`);
  if (status === 0) return;
  say(output.trim());
  fail("the build failed: the compiler's messages are above");
}

/** What the command line starts from: see src/bundle.ts. */
function bundle() {
  const { status, error, output } = run(process.execPath, [at("dist", "src", "bundle.js")]);
  if (error === undefined && status === 0) return;
  say(output.trim());
  fail("the build could not write dist/bin", "npm ci installs what it needs");
}

function outputOf(source) {
  return at("dist", relative(root, source).replace(/\.ts$/, ".js"));
}

/** What the compiler writes; declarations of foreign libraries are sources that give nothing. */
function outputs() {
  return sources()
    .filter((path) => !path.endsWith(".d.ts"))
    .map(outputOf);
}

function missingOutput() {
  return outputs().find((path) => !existsSync(path));
}

/** What was built from sources that are gone would still be found by tests and imports. */
function removeStale() {
  const expected = new Set(outputs());
  for (const path of sourceFolders.flatMap((folder) => filesIn(at("dist", folder)))) {
    if (!expected.has(path.replace(/\.map$/, ""))) rmSync(path);
  }
}

function run(file, args) {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && file === "npm",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, error, output: `${stdout ?? ""}${stderr ?? ""}` };
}

/** Two runs at once would tear each other's files away; the second one waits. */
function takeLock() {
  mkdirSync(dirname(lockFile), { recursive: true });
  let told = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      process.once("exit", () => rmSync(lockFile, { force: true }));
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = Number(read(lockFile) ?? 0);
    if (holder > 0 && !isAlive(holder)) rmSync(lockFile, { force: true });
    else {
      if (!told) say(`waiting for process ${holder}, which is installing or building …`);
      told = true;
      pause(200);
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function lastLines(text, count) {
  return text.trim().split("\n").slice(-count).join("\n");
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
