// Lint, format and dead code, side by side; types are checked by the build that comes before.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
const withRules = process.argv.includes("--rules");

const checks = [
  {
    name: "lint and format",
    command: [bin("biome"), "ci", "--config-path=.biome.json", "--error-on-warnings", "--colors=off", "."],
  },
  { name: "dead code", command: [bin("knip"), "--config", "test/knip.json", "--no-progress"] },
  ...(withRules
    ? [
        {
          name: "import rules and goldens",
          command: [
            bin("vitest"),
            "run",
            "--config",
            "test/vitest.config.ts",
            "test/architecture.test.ts",
            "test/contract",
          ],
        },
      ]
    : []),
];

const run = ({ name, command: [file, ...args] }) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    child.on("close", (code) => resolve({ name, code, output }));
  });

const results = await Promise.all(checks.map(run));
for (const { name, code, output } of results) {
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name}`);
  if (code !== 0) console.log(output.trim());
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
