import { chmod, stat } from "node:fs/promises";
import { makeDirectory } from "./make-directory.ts";
import { Problem } from "./problem.ts";

/** Makes a folder for sockets that is this user's alone (0700); throws a {@link Problem} when another user has it. */
export async function ownSocketFolder(folder: string): Promise<void> {
  await makeDirectory(folder);
  const { mode, uid } = await stat(folder);
  const me = process.getuid?.();
  if (me !== undefined && uid !== me)
    throw new Problem(`expected a directory of one's own for the socket, ${folder} belongs to another user`, {
      hint: "set XDG_RUNTIME_DIR to a directory of your own",
    });
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}
