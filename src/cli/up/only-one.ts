import { profileOf } from "../../config/paths.ts";
import { sleep } from "../../lib/clock.ts";
import { takePidFile } from "../../lib/pid-file.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { findDaemon } from "../daemon-process.ts";
import { shellWord, shortest } from "./launcher.ts";
import type { Layout } from "./layout.ts";
import { isFree } from "./port.ts";
import { lastServer } from "./server-process.ts";

/**
 * Makes this process the only `svc up` of its state before it touches anything else there; gives what ends that. Throws
 * a Problem with the way out while another one runs. After one that was killed it waits for what that left behind, which
 * ends by itself.
 */
export async function beTheOnlyOne(context: Context, layout: Layout): Promise<() => Promise<void>> {
  const file = await takePidFile({
    path: layout.pidFile,
    clock: context.clock,
    // No proof that it is this state's: the lock of the database is the second line.
    isHolder: async () => false,
  });
  if (!file.taken)
    throw new Problem(
      `svc up runs here already${file.pid === undefined ? "" : `: process ${file.pid}`}, on the state in ${shortest(layout.directory)}`,
      {
        code: "already_running",
        hint: `${shellWord(shortest(layout.launcher))} tui opens another dashboard`,
      },
    );
  if (file.replaced !== undefined) await untilOrphansEnded(context, layout);
  return file.release;
}

/** Orphans look for their parent every second, and then finish what they do. */
const patienceMs = 3_000;
const askMs = 50;

/** A daemon that is about to end must not be taken for one that was kept. */
async function untilOrphansEnded({ clock }: Context, layout: Layout): Promise<void> {
  const { port, url } = await lastServer(layout);
  const profile = profileOf(layout.config.directories, url);
  const deadline = clock.now() + patienceMs;
  while (clock.now() < deadline && (!(await isFree(port)) || (await findDaemon(profile)) !== undefined))
    await sleep(clock, askMs);
}
