import { readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { isMissing } from "../src/lib/atomic-file.ts";
import type { Clock } from "../src/lib/clock.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A mirror nobody opened for this long is fetched again when somebody does. */
const unusedMs = 30 * dayMs;
/** Damaged files are kept for whoever wants to know why. */
const damagedMs = 14 * dayMs;

/** What was removed. */
interface Pruned {
  readonly folders: number;
  readonly files: number;
}

/** What the daemon reads and writes at the moment. */
export interface InUse {
  /** The folder of the workspace that is mirrored. */
  readonly folder: string;
  /** Paths of its lists below it, without `.json`. */
  readonly lists: ReadonlySet<string>;
}

/**
 * Removes what nobody will read again under the cache's folder: workspaces not used for 30 days, and of the one in use
 * lists that are not mirrored any more; damaged files after 14 days, and what a crash left half written.
 */
export async function pruneCache(root: string, inUse: InUse | undefined, clock: Clock): Promise<Pruned> {
  const now = clock.now();
  let folders = 0;
  let files = 0;
  for (const server of await foldersIn(root)) {
    for (const workspace of await foldersIn(server)) {
      const found = await filesUnder(workspace);
      const newest = Math.max(0, ...found.map(({ changedAt }) => changedAt));
      const used = workspace === inUse?.folder ? inUse : undefined;
      if (used === undefined && now - newest > unusedMs) {
        await rm(workspace, { recursive: true, force: true });
        folders++;
        continue;
      }
      for (const { path, changedAt } of found) {
        const age = now - changedAt;
        const list = relative(workspace, path).replace(/(\.\d+)?\.json(\.bak)?$/, "");
        const damaged = path.includes(".corrupt-");
        const orphan = damaged || path.endsWith(".tmp") || (used !== undefined && !used.lists.has(list));
        if (!orphan || age <= (damaged ? damagedMs : dayMs)) continue;
        await rm(path, { force: true });
        files++;
      }
    }
  }
  return { folders, files };
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
}

async function filesUnder(path: string): Promise<{ readonly path: string; readonly changedAt: number }[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const changedAt = await stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      return changedAt === undefined ? [] : [{ path: file, changedAt }];
    }),
  );
  return found.flat();
}
