import { basename } from "node:path";
import { watch } from "chokidar";
import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { makeDirectory } from "../src/lib/make-directory.ts";
import { debounce } from "./debounce.ts";
import { messageOf } from "./failure.ts";

/** Editors and atomic writers touch a file several times; what is seen within this is one change. */
const limits = { quietMs: 100, longestMs: 1_000 };

/** Watches files of one folder until it is closed. */
export interface Watching {
  close(): Promise<void>;
}

/**
 * Calls the function of a file of `folder` whenever the file was written, replaced, made or removed. The folder is made
 * when it is missing. A system that cannot watch any more files is logged; the calendar's checks then find the change.
 */
export async function watchFiles(
  folder: string,
  files: Readonly<Record<string, () => Promise<void>>>,
  clock: Clock,
  log: Log,
): Promise<Watching> {
  await makeDirectory(folder);
  const pending = new Map(
    Object.entries(files).map(([name, changed]) => [name, debounce(clock, limits, changed)]),
  );
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (path) => path.endsWith(".tmp"),
  });
  watcher.on("all", (_event, path) => pending.get(basename(path))?.request());
  watcher.on("error", (error) => log.warn("not watching", { path: folder, reason: messageOf(error) }));
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    close: async () => {
      await watcher.close();
      for (const each of pending.values()) each.cancel();
    },
  };
}
