import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary.ts";
import { eventually } from "./until.ts";

/** A browser that opens nothing and tells which address it was given. */
export interface NotedBrowser {
  /** What `BROWSER` is to say. */
  readonly program: string;
  /** The file that it writes the address to. */
  readonly noted: string;
  /** The address, once the program was started with it. */
  opened(): Promise<URL>;
  /** Ends the program where it stays; says whether it was running. */
  end(): Promise<boolean>;
}

/** Makes the program; `stays` has it run on as a browser does that was not running before. */
export async function notedBrowser(stays = false): Promise<NotedBrowser> {
  const folder = await temporaryDirectory();
  const program = join(folder, "browser");
  const note = join(folder, "address");
  const pid = join(folder, "pid");
  const end = stays ? "exec sleep 600" : "exit 0";
  await writeFile(
    program,
    `#!/bin/sh\necho $$ >"${pid}"\nprintf %s "$1" >"${note}.tmp"\nmv "${note}.tmp" "${note}"\n${end}\n`,
  );
  await chmod(program, 0o755);
  return {
    program,
    noted: note,
    opened: () =>
      eventually(
        () =>
          readFile(note, "utf8").then(
            (text) => new URL(text),
            () => undefined,
          ),
        "the browser to be started",
      ),
    end: async () => {
      try {
        return process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
      } catch {
        return false;
      }
    },
  };
}
