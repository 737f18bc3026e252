import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Type from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Items } from "../../daemon/delta.ts";
import { ListFile, type ListHead } from "../../daemon/list-file.ts";
import { writeFileAtomic } from "../../src/lib/atomic-file.ts";
import { fakeClock } from "../support/fake-clock.ts";

const shape = {
  item: Type.Object({ id: Type.String(), text: Type.String() }),
  keyOf: (item: { readonly id: string }) => item.id,
};
const headOf = (etag: string): ListHead => ({ list: "list", etag, syncedAt: null, changedAt: null });
/** Items of about `bytes` each: 100 kB make a list that is sharded from eleven on. */
const itemsOf = (plain: Readonly<Record<string, string>>, bytes = 0): Items =>
  new Map(
    Object.entries(plain).map(([id, text]) => [id, JSON.stringify({ id, text: text.padEnd(bytes, ".") })]),
  );
const sorted = (items: Items | undefined): unknown => Object.fromEntries([...(items ?? [])].sort());

describe("a list on disk", () => {
  let folder = "";
  let damaged: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-list-"));
    damaged = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const path = (): string => join(folder, "list.json");
  const open = (write?: (path: string, text: string) => Promise<void>): ListFile =>
    new ListFile({
      path: path(),
      shape,
      clock: fakeClock(),
      onDamaged: (file, reason) => damaged.push(`${file.slice(folder.length + 1)}: ${reason}`),
      ...(write === undefined ? {} : { write }),
    });

  it("comes back as it was saved, whether it is small or large", async () => {
    for (const bytes of [0, 100_000]) {
      const items = itemsOf(
        Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, `${n}`])),
        bytes,
      );
      const file = open();
      await file.load();
      file.touch("all");
      await file.save({ head: headOf("one"), items });
      const loaded = await open().load();
      expect(loaded?.head).toEqual(headOf("one"));
      expect(sorted(loaded?.items)).toEqual(sorted(items));
    }
    expect(damaged).toEqual([]);
  });

  it("is split into files of at most 1 MB, private to their owner, and an edit writes only the one it touches", async () => {
    const plain = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, "x"]));
    const file = open();
    await file.save({ head: headOf("one"), items: itemsOf(plain, 100_000) });
    const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(4);
    for (const name of files) {
      const { size, mode } = await stat(join(folder, name));
      expect(size).toBeLessThanOrEqual(1_000_000);
      expect(mode & 0o777).toBe(0o600);
    }
    const written: string[] = [];
    const again = open(async (path, text) => {
      written.push(path.slice(folder.length + 1));
      await writeFileAtomic(path, text);
    });
    await again.load();
    again.touch(["k7"]);
    await again.save({ head: headOf("two"), items: itemsOf({ ...plain, k7: "edited" }, 100_000) });
    expect(written).toHaveLength(2);
    expect(written.at(-1)).toBe("list.json");
    expect(sorted((await open().load())?.items)).toEqual(
      sorted(itemsOf({ ...plain, k7: "edited" }, 100_000)),
    );
  });

  it("leaves no shards behind when it shrinks", async () => {
    const file = open();
    const plain = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, "x"]));
    await file.save({ head: headOf("one"), items: itemsOf(plain, 100_000) });
    await file.save({ head: headOf("two"), items: itemsOf({ a: "x" }) });
    expect((await readdir(folder)).toSorted()).toEqual(["list.json", "list.json.bak"]);
    await file.remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is one whole snapshot, the last one or the one before, at whatever write a crash comes", async () => {
    const steps = fc.array(
      fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("1", "2", "3")),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 30 }), fc.boolean(), async (snapshots, crashAt, keepsTrying) => {
        await rm(folder, { recursive: true, force: true });
        let writes = 0;
        let down = false;
        const write = async (path: string, text: string): Promise<void> => {
          if (writes++ === crashAt) down = true;
          if (down) throw Object.assign(new Error("crash"), { code: "ENOSPC" });
          await writeFileAtomic(path, text);
        };
        const file = open(write);
        await file.load();
        let last: Items | undefined;
        // Each item has 400 kB, so that lists of three or four items are sharded and smaller ones are not.
        for (const snapshot of snapshots) {
          const items = itemsOf(snapshot, 400_000);
          file.touch("all");
          try {
            await file.save({ head: headOf(JSON.stringify(snapshot)), items });
            last = items;
          } catch {
            if (!keepsTrying) break;
          }
        }
        const loaded = await open().load();
        expect(sorted(loaded?.items)).toEqual(sorted(last));
        expect(damaged).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ["is empty", (file: string) => writeFile(file, "")],
    ["was cut off", (file: string) => truncate(file, 40)],
    ["holds no JSON", (file: string) => writeFile(file, "\u0000\u0000\u0000")],
    ["holds JSON of another shape", (file: string) => writeFile(file, '{"format":1,"items":[]}')],
    ["holds an item of another shape", (file: string) => spoil(file, '"text"', '"txt"')],
    ["was written by another version", (file: string) => spoil(file, '"format":1', '"format":99')],
  ])("is kept aside and named when its file %s, and the one before it is used", async (_title, damage) => {
    const file = open();
    await file.save({ head: headOf("one"), items: itemsOf({ a: "before" }) });
    await file.save({ head: headOf("two"), items: itemsOf({ a: "after" }) });
    await damage(path());
    const loaded = await open().load();
    expect(sorted(loaded?.items)).toEqual(sorted(itemsOf({ a: "before" })));
    expect(damaged).toHaveLength(1);
    expect(damaged[0]).toMatch(/^list\.json\.corrupt-2026-01-01T00-00-00-000Z: ./);
    expect((await readdir(folder)).filter((name) => name.includes(".corrupt-"))).toHaveLength(1);
  });

  it("is not there when neither its file nor the one before can be read", async () => {
    const file = open();
    await file.save({ head: headOf("one"), items: itemsOf({ a: "before" }) });
    await file.save({ head: headOf("two"), items: itemsOf({ a: "after" }) });
    await writeFile(path(), "{");
    await writeFile(`${path()}.bak`, "{");
    expect(await open().load()).toBeUndefined();
    expect(damaged).toHaveLength(2);
  });
});

async function spoil(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}
