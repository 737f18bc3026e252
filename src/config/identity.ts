import { randomUUID } from "node:crypto";
import { link, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readFileIfThere, writeFileAtomic } from "../lib/atomic-file.ts";
import { type Clock, toTimestamp } from "../lib/clock.ts";
import { makeDirectory } from "../lib/make-directory.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The id of this device, made at first need. Undefined when the file cannot be understood or written: it is never
 * replaced then, and no command fails for it. Of two processes that make it at once both get the same id.
 */
export async function loadDistinctId(path: string, clock: Clock): Promise<string | undefined> {
  try {
    const text = await readFileIfThere(path);
    if (text !== undefined) return parse(text);
    const userId = randomUUID();
    return (await createOnce(path, { userId, createdAt: toTimestamp(clock.now()) }))
      ? userId
      : parse((await readFileIfThere(path)) ?? "");
  } catch {
    return undefined;
  }
}

function parse(text: string): string | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("userId" in value)) return undefined;
  return typeof value.userId === "string" && canonical.test(value.userId) ? value.userId : undefined;
}

/** Puts the whole file in place unless there is one; says whether it did. */
async function createOnce(path: string, identity: Readonly<Record<string, string>>): Promise<boolean> {
  await makeDirectory(dirname(path));
  const temporary = join(dirname(path), `.${randomUUID()}.identity.tmp`);
  try {
    await writeFileAtomic(temporary, `${JSON.stringify(identity, undefined, 2)}\n`);
    // A rename would replace the file of another process that was quicker; a link refuses.
    await link(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
