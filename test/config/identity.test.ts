import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDistinctId } from "../../src/config/identity.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const place = async () => join(await temporaryDirectory(), "svc", "identity.json");

describe("the id of a device", () => {
  it("is made at first need and the same ever after", async () => {
    const path = await place();
    const id = await loadDistinctId(path, fakeClock());
    expect(id).toMatch(canonical);
    expect(await loadDistinctId(path, fakeClock())).toBe(id);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
      userId: id,
      createdAt: "2026-01-01T00:00:00.000Z",
    });
    expect(await readdir(join(path, ".."))).toEqual(["identity.json"]);
  });

  it("is one for many processes that make it at once", async () => {
    const path = await place();
    const ids = await Promise.all(Array.from({ length: 20 }, () => loadDistinctId(path, fakeClock())));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(canonical);
    expect(await readdir(join(path, ".."))).toEqual(["identity.json"]);
  });

  it.each(["", "{", "null", "[]", "{}", '{"userId":7}', '{"userId":"not-a-uuid"}'])(
    "is absent, and the file untouched, when identity.json holds %j",
    async (text) => {
      const path = await place();
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, text);
      expect(await loadDistinctId(path, fakeClock())).toBeUndefined();
      expect(await readFile(path, "utf8")).toBe(text);
    },
  );

  it("is taken in any letter case", async () => {
    const path = await place();
    await mkdir(join(path, ".."), { recursive: true });
    const userId = "0A1B2C3D-0000-1111-2222-ABCDEFABCDEF";
    await writeFile(path, JSON.stringify({ userId }));
    expect(await loadDistinctId(path, fakeClock())).toBe(userId);
  });

  it("is absent where nothing can be written, and nothing fails", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    expect(await loadDistinctId(join(file, "svc", "identity.json"), fakeClock())).toBeUndefined();
    expect((await stat(file)).size).toBe(0);
  });
});
