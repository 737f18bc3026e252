import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFileIfThere, writeFileAtomic } from "../../src/lib/atomic-file.ts";

describe("a file written atomically", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-atomic-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is readable by its owner only, and so are the directories made for it", async () => {
    const path = join(folder, "deep", "er", "auth.json");
    await writeFileAtomic(path, "{}");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "deep"))).mode & 0o777).toBe(0o700);
  });

  it("has the mode that was asked for, whatever the umask", async () => {
    const path = join(folder, "launcher");
    await writeFileAtomic(path, "#!/bin/sh\n", { mode: 0o777 });
    expect((await stat(path)).mode & 0o777).toBe(0o777);
  });

  it("replaces what was there and leaves nothing beside it", async () => {
    const path = join(folder, "a.json");
    await writeFile(path, "old, and longer than the new", { mode: 0o644 });
    await writeFileAtomic(path, "new");
    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  it("keeps the old file and removes its own temporary one when it fails", async () => {
    const path = join(folder, "taken");
    await mkdir(join(path, "not empty"), { recursive: true });
    await expect(writeFileAtomic(path, "new")).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  it("is whole for every reader while many writers replace it", async () => {
    const path = join(folder, "a.json");
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await writeFileAtomic(path, texts[0] ?? "");
    const writers = Promise.all(texts.map((text) => writeFileAtomic(path, text)));
    for (let read = 0; read < 50; read++) expect(texts).toContain(await readFile(path, "utf8"));
    await writers;
    expect(texts).toContain(await readFile(path, "utf8"));
  });

  it("is undefined when it is not there, and an error when it cannot be read", async () => {
    expect(await readFileIfThere(join(folder, "none"))).toBeUndefined();
    await expect(readFileIfThere(folder)).rejects.toThrow("EISDIR");
  });
});
