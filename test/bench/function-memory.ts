import { readFileSync } from "node:fs";
import { createFunctionRuns } from "../../server/runs/create-runs.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { Fixture } from "./fixture.ts";
import { checkedOnce, checks, together } from "./functions.ts";
import type { Ratio } from "./measure.ts";
import { eachOf } from "./sandbox.ts";
import { createBench } from "./seeding.ts";

/** Runs after which everything that is kept for good is there, and after which memory must be as it was. */
const [warmUp, all] = [10_000, 100_000];

/** What a process holds in memory, in MB; 0 where the system does not say. */
function memoryOf(pid: number): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return (Number(pages) * 4096) / 1e6;
  } catch {
    return 0;
  }
}

/** Memory of a process with its sandbox after 100,000 recorded runs, against after 10,000. */
export async function benchFunctionMemory(fixture: Fixture): Promise<Ratio[]> {
  const { workspace, store } = await fixture.open(1_000);
  const bench = createBench(store, workspace.workspaceId, workspace.actor);
  const layer = await bench.changeSet();
  const sandbox = createSandbox({ children: 2 });
  const runs = createFunctionRuns({ store, sandbox, clock: systemClock, log: silentLog });
  const func = checks(store.id());
  const run = (): Promise<void> => checkedOnce(runs, layer, func, workspace.componentIds);
  /** The least of some looks: what has not been collected yet is not held. */
  const held = async (): Promise<number> => {
    const looks: number[] = [];
    for (let look = 0; look < 5; look++) {
      await eachOf(1_000, together, run);
      const pids = [process.pid, ...sandbox.processIds()];
      looks.push(pids.reduce((sum, pid) => sum + memoryOf(pid), 0));
    }
    return Math.min(...looks);
  };
  try {
    await eachOf(warmUp - 5_000, together, run);
    const bare = await held();
    await eachOf(all - warmUp - 5_000, together, run);
    const ours = await held();
    return [
      {
        name: "memory of a server after 100000 runs, against after 10000",
        unit: "MB",
        ours,
        bare,
        ratio: ours / bare,
        wanted: "<= 1.2",
      },
    ];
  } finally {
    await runs.close();
    await sandbox.close();
  }
}
