import { relative } from "node:path";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { foreignVariables, type Layout, xdgFolders } from "./layout.ts";

/** What the launcher runs, and on which port a server started through it listens. */
export interface LauncherTarget {
  readonly node: string;
  readonly program: string;
  readonly port: number;
}

/**
 * Writes the launcher: `svc` bound to this state, whatever the caller's environment says. Its directory is found when
 * it runs, so that the checkout may be moved.
 */
export async function writeLauncher(layout: Layout, target: LauncherTarget): Promise<void> {
  const script = `#!/bin/sh
# svc, bound to the state in the directory above. Written by svc up.
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
unset ${foreignVariables.join(" ")}
${Object.entries(xdgFolders)
  .map(([name, folder]) => `export ${name}="$here/${folder}"`)
  .join("\n")}
export SVC_PORT=${target.port}
exec ${quoted(target.node)} ${quoted(target.program)} "$@"
`;
  await writeFileAtomic(layout.launcher, script, { mode: 0o755 });
}

/** A text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as a person types it to a shell: quoted only where that is needed. */
export const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : quoted(text));

/** A path as a person here would name it: from the current directory when it lies below it. */
export const shortest = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
};
