import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { cloneTo } from "../support/clone.ts";
import { type Ratio, sideBySide, timed } from "./measure.ts";

/** `npm start` without a terminal until it has printed the overview; then it is told to stop. */
const untilOverview = (directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn("npm", ["start"], { cwd: directory, stdio: ["ignore", "pipe", "ignore"] });
    let shown = false;
    child.stdout.on("data", (data: Buffer) => {
      if (shown || !data.toString().includes("HEAD")) return;
      shown = true;
      child.kill("SIGTERM");
      resolve();
    });
    child.on("exit", () => (shown ? undefined : reject(new Error("npm start ended without an overview"))));
  });

/** The first and the second `npm start` of a clone against a bare `npm ci` of the same lock file; npm's cache is warm. */
export async function benchStart(directory: string): Promise<Ratio[]> {
  const bare = await cloneTo(join(directory, "bare"));
  const ours = await cloneTo(join(directory, "ours"));
  const install = (): Promise<number> =>
    timed(() => execFileSync("npm", ["ci", "--include=dev"], { cwd: bare, stdio: "ignore" }));
  await install();
  const start = (): Promise<number> => timed(() => untilOverview(ours));
  const compared = { unit: "ms", rounds: 1, ours: start, bare: install } as const;
  return [
    await sideBySide({ ...compared, name: "first npm start to the overview against npm ci", wanted: "<= 3" }),
    await sideBySide({
      ...compared,
      name: "second npm start to the overview against npm ci",
      wanted: "seconds",
    }),
  ];
}
