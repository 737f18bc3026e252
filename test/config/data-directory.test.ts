import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lookAtDirectory, ownDirectory } from "../../src/config/data-directory.ts";
import { makeDirectory, makeDirectorySync } from "../../src/lib/make-directory.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const ways = [
  ["at its own time", makeDirectory],
  ["at once", async (path: string) => makeDirectorySync(path)],
] as const;

describe("a directory", () => {
  it.each(ways)("is made with those above it, for its owner alone, and made again %s", async (_how, make) => {
    const home = await temporaryDirectory();
    const path = join(home, "a", "b", "..", "c", "d");
    await make(path);
    await make(path);
    for (const made of ["a", "a/c", "a/c/d"])
      expect((await stat(join(home, made))).mode & 0o777, made).toBe(0o700);
    expect(await readdir(join(home, "a"))).toEqual(["c"]);
  });

  it.each(ways)("is made by many at once %s", async (_how, make) => {
    const path = join(await temporaryDirectory(), "a", "b", "c");
    await Promise.all(Array.from({ length: 20 }, () => make(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });
});

describe("a data directory that cannot be", () => {
  const places = async (): Promise<[string, RegExp][]> => {
    const home = await temporaryDirectory();
    const at = (name: string): string => join(home, name);
    await writeFile(at("file"), "");
    await symlink(at("nowhere/at/all"), at("dead"));
    await symlink(at("file"), at("linked"));
    await symlink(at("round"), at("round"));
    const aFile = /: there is a file where a directory should be$/;
    const deadLink = /: there is a link that leads nowhere$/;
    const found: [string, RegExp][] = [
      [at("file"), aFile],
      [at("file/below/it"), aFile],
      [at("linked"), aFile],
      [at("dead"), deadLink],
      [at("dead/below/it"), deadLink],
      [at("round"), deadLink],
      [at("n".repeat(300)), /ENAMETOOLONG/],
    ];
    if (process.platform === "linux")
      found.push(
        ["/proc/svc", /: the directory above it takes none$/],
        ["/proc/svc/below/it", /takes none$/],
      );
    return found;
  };

  it("is refused at once with the reason, and nothing is made", async () => {
    for (const [path, message] of await places())
      await expect(ownDirectory(path), path).rejects.toThrow(message);
  });

  it("is refused by looking alone, but for one whose parent only seems to take it", async () => {
    for (const [path, message] of await places())
      if (!path.startsWith("/proc")) await expect(lookAtDirectory(path), path).rejects.toThrow(message);
  });

  it("is told from one that can be, which looking does not make", async () => {
    const home = await temporaryDirectory();
    expect(await lookAtDirectory(join(home, "a", "b"))).toBe(false);
    expect(await readdir(home)).toEqual([]);
    await mkdir(join(home, "a"));
    expect(await lookAtDirectory(join(home, "a"))).toBe(true);
    expect(await lookAtDirectory(home)).toBe(true);
  });
});
