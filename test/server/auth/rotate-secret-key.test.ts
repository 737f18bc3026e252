import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rotateSecretKey, rotationToDo } from "../../../server/auth/rotate-secret-key.ts";
import { keepSecretValues, unsealContent } from "../../../server/auth/secrets.ts";
import { noteServerKey } from "../../../server/auth/server-key.ts";
import { keyForOf, loadServerKeys, type ServerKeys, serverKeys } from "../../../server/auth/server-keys.ts";
import type { Store } from "../../../server/store/open.ts";
import { findSecretContents, listKeysInUse } from "../../../server/store/secret-contents.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const hex = (): string => randomBytes(32).toString("hex");
const newFile = async (): Promise<string> => join(await temporaryDirectory(), "secret.key");
const inFile = (secretKeyFile: string): Promise<ServerKeys> =>
  loadServerKeys({ secretKey: undefined, secretKeyFile });
const given = (secretKey: string): Promise<ServerKeys> =>
  loadServerKeys({ secretKey, secretKeyFile: "/nowhere" });
const linesOf = (path: string): string[] => readFileSync(path, "utf8").trim().split("\n");

describe("the list of a server's keys", () => {
  it("begins with one, which is both what all is derived from and what seals", async () => {
    const path = await newFile();
    const [first, second] = [await inFile(path), await inFile(path)];
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(linesOf(path)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(first.newest()).toEqual(second.newest());
  });

  it("keeps its first and what is derived from it whatever is added and taken away", async () => {
    const path = await newFile();
    const keys = await inFile(path);
    const [derived, sealing] = [keyForOf(keys)("device id"), keys.newest().id];
    await keys.file?.add();
    await keys.file?.add();
    expect(linesOf(path)).toHaveLength(3);
    expect(await keys.file?.retire(() => false)).toBe(1);
    const [first, ...rest] = linesOf(path);
    expect([first, rest.length]).toEqual([keys.base.toString("hex"), 1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await inFile(path);
    expect(keyForOf(again)("device id")).toEqual(derived);
    expect(again.newest().id).not.toBe(sealing);
    expect(again.newest()).toEqual(keys.newest());
  });

  it("looks into the file again for a key that another process added, and keeps what one took away", async () => {
    const path = await newFile();
    const [mine, other] = [await inFile(path), await inFile(path)];
    await other.file?.add();
    const middle = other.newest();
    expect(await mine.find(middle.id)).toEqual(middle);
    await other.file?.add();
    await other.file?.retire(() => false);
    await mine.reload();
    expect(mine.newest()).toEqual(other.newest());
    expect(await mine.find(middle.id)).toEqual(middle);
  });

  it("is taken from the environment too, with commas, and cannot be changed there", async () => {
    const [first, second] = [hex(), hex()];
    const keys = await given(`${first}, ${second.toUpperCase()}\n`);
    expect(keys.base.toString("hex")).toBe(first);
    expect(keys.newest()).toEqual(serverKeys([Buffer.from(second, "hex")]).newest());
    expect(keys.file).toBeUndefined();
  });

  it.each(["", "  ", hex().slice(1), `${hex()},`.repeat(17), `${hex()},nothing`])(
    "refuses %j, and repeats none of it",
    async (text) => {
      await expect(given(text)).rejects.toThrow(
        /^the server's secret key \(from the settings\): expected 64 hexadecimal/,
      );
      const path = await newFile();
      writeFileSync(path, text);
      await expect(inFile(path)).rejects.toThrow(path);
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  it("is not taken for another one when its first is replaced while the server runs", async () => {
    const path = await newFile();
    const keys = await inFile(path);
    writeFileSync(path, `${hex()}\n`);
    await expect(keys.reload()).rejects.toThrow("the first of the server's secret keys is another one");
    expect((await given(keys.base.toString("hex"))).newest()).toEqual(keys.newest());
  });

  it("is not made by who only looks for it", async () => {
    const secretKeyFile = await newFile();
    const looking = loadServerKeys({ secretKey: undefined, secretKeyFile, missing: "refuse" });
    await expect(looking).rejects.toMatchObject({ code: "no_secret_key" });
    expect(() => statSync(secretKeyFile)).toThrow();
  });
});

/** Contents with a number each. */
const keep = async (store: Store, keys: ServerKeys, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const owner = { workspaceId: store.id(), secretId: store.id() };
    ids.push(await store.write((tx) => keepSecretValues(tx, keys, owner, { Token: `number ${n}` })));
  }
  return ids;
};
const opened = async (store: Store, keys: ServerKeys, ids: readonly string[]): Promise<unknown[]> => {
  const contents = await findSecretContents(store, ids);
  return Promise.all(
    ids.map(async (id) => {
      const content = contents.get(id);
      return content && (await unsealContent(keys, content))["Token"];
    }),
  );
};
const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => `number ${n}`);
const clear = async (store: Store): Promise<void> => {
  await store.write(async (tx) => {
    await tx.db.deleteFrom("secret_content").execute();
    await tx.db.deleteFrom("switch").execute();
  });
};

/** Lets a rotation do so many writes and then dies. */
const dyingAfter = (store: Store, writes: number): Store => {
  let left = writes;
  return {
    ...store,
    write: (work) => (left-- > 0 ? store.write(work) : Promise.reject(new Error("the power went"))),
  };
};

describeEngines("rotating the secret key", (engine) => {
  const suite = suiteStore(engine);

  it("seals everything anew, in batches, and takes the old key away", async () => {
    const { store } = suite;
    await clear(store);
    const path = await newFile();
    const keys = await inFile(path);
    const ids = await keep(store, keys, 250);
    const before = await findSecretContents(store, ids);
    const done = await rotateSecretKey(store, keys);
    expect(done).toEqual({ resealed: 250, resumed: false, unreadable: 0, retired: 0 });
    expect(await listKeysInUse(store)).toEqual([keys.newest().id]);
    expect(await opened(store, keys, ids)).toEqual(numbers(250));
    for (const content of before.values()) {
      await expect(unsealContent(serverKeys([hexBytes(linesOf(path)[1])]), content)).rejects.toThrow();
    }
    expect(await rotateSecretKey(store, keys)).toMatchObject({ resealed: 250, retired: 1 });
    expect(linesOf(path)).toHaveLength(2);
    expect(await opened(store, await inFile(path), ids)).toEqual(numbers(250));
  });

  it.each([0, 1, 2, 3, 4, 5])(
    "loses nothing when it dies after %i writes, and is finished by the next one",
    async (writes) => {
      const { store } = suite;
      await clear(store);
      const path = await newFile();
      const ids = await keep(store, await inFile(path), 250);
      const dying = rotateSecretKey(dyingAfter(store, writes), await inFile(path));
      await dying.catch(() => undefined);
      // Another process, started since or before, opens everything and goes on.
      const keys = await inFile(path);
      expect(await opened(store, keys, ids)).toEqual(numbers(250));
      expect(typeof (await rotationToDo(store, keys))).toBe(
        writes === 0 || writes > 3 ? "undefined" : "string",
      );
      const more = await keep(store, keys, 1);
      const done = await rotateSecretKey(store, keys);
      expect(done.unreadable).toBe(0);
      expect(await rotationToDo(store, keys)).toBeUndefined();
      expect(await listKeysInUse(store)).toEqual([keys.newest().id]);
      expect(linesOf(path).length).toBeLessThanOrEqual(3);
      expect(await opened(store, await inFile(path), [...ids, ...more])).toEqual([
        ...numbers(250),
        "number 0",
      ]);
    },
  );

  it("goes on with the key that it had written when it died before the database knew of it", async () => {
    const { store } = suite;
    await clear(store);
    const path = await newFile();
    const ids = await keep(store, await inFile(path), 2);
    const dying: Store = {
      ...store,
      write: (work) =>
        store.write(async (tx) => {
          await work(tx);
          throw new Error("the power went");
        }),
    };
    await expect(rotateSecretKey(dying, await inFile(path))).rejects.toThrow("the power went");
    const written = linesOf(path);
    expect(written).toHaveLength(2);
    const keys = await inFile(path);
    expect(await rotationToDo(store, keys)).toContain("svc server rotate-secret-key");
    expect(await opened(store, keys, await keep(store, keys, 1))).toEqual(["number 0"]);
    expect(await rotateSecretKey(store, keys)).toMatchObject({ resealed: 3, resumed: true });
    expect(linesOf(path)).toEqual(written);
    expect(await opened(store, keys, ids)).toEqual(numbers(2));
  });

  it("lets a process go on sealing that has not heard of it", async () => {
    const { store } = suite;
    await clear(store);
    const path = await newFile();
    const [mine, other] = [await inFile(path), await inFile(path)];
    const first = await keep(store, other, 3);
    const writing: Promise<string[]>[] = [];
    for (let n = 0; n < 20; n++) writing.push(keep(store, other, 2));
    await rotateSecretKey(store, mine);
    const ids = (await Promise.all(writing)).flat();
    await rotateSecretKey(store, mine);
    expect(await listKeysInUse(store)).toEqual([mine.newest().id]);
    expect(await opened(store, other, [...first, ...ids])).not.toContain(undefined);
    expect((await opened(store, await inFile(path), ids)).length).toBe(40);
  });

  it("is done once by two who begin together", async () => {
    const { store } = suite;
    await clear(store);
    const path = await newFile();
    const [one, two] = [await inFile(path), await inFile(path)];
    const ids = await keep(store, one, 150);
    await Promise.all([rotateSecretKey(store, one), rotateSecretKey(store, two)]);
    await rotateSecretKey(store, two);
    expect(await opened(store, await inFile(path), ids)).toEqual(numbers(150));
    expect(await listKeysInUse(store)).toHaveLength(1);
  });

  it("says what to do where the environment gives the key, and does it with two", async () => {
    const { store } = suite;
    await clear(store);
    const [old, fresh] = [hex(), hex()];
    const ids = await keep(store, await given(old), 3);
    await expect(rotateSecretKey(store, await given(old))).rejects.toMatchObject({
      error: "secretKeyNotHere",
      message: expect.stringContaining("SVC_SECRET_KEY=<old>,<new>"),
    });
    const both = await given(`${old},${fresh}`);
    // Until it is asked for nothing changes, so that processes may be restarted one after the other.
    const more = await keep(store, both, 1);
    expect(await opened(store, await given(old), more)).toEqual(["number 0"]);
    expect(await rotateSecretKey(store, both)).toEqual({
      resealed: 4,
      resumed: true,
      unreadable: 0,
      retired: 0,
    });
    expect(await opened(store, await given(`${hex()},${fresh}`), ids)).toEqual(numbers(3));
    await expect(keep(store, await given(old), 1)).rejects.toThrow("which this process was not given");
    await expect(rotateSecretKey(store, both)).rejects.toMatchObject({ error: "secretKeyNotHere" });
  });

  it("refuses to work with other keys than the servers of the database have", async () => {
    const { store } = suite;
    await clear(store);
    const path = await newFile();
    await noteServerKey(store, (await inFile(await newFile())).base);
    await expect(rotateSecretKey(store, await inFile(path))).rejects.toMatchObject({
      error: "secretKeyNotHere",
      message: expect.stringContaining("another secret key"),
    });
    expect(linesOf(path)).toHaveLength(1);
  });

  it("leaves what no key opens as it is, and counts it", async () => {
    const { store } = suite;
    await clear(store);
    await keep(store, await given(hex()), 2);
    const keys = await inFile(await newFile());
    expect(await rotateSecretKey(store, keys)).toMatchObject({ resealed: 0, resumed: true, unreadable: 2 });
    await keep(store, keys, 1);
    expect(await rotateSecretKey(store, keys)).toMatchObject({ resealed: 1, unreadable: 2 });
  });

  it("opens nothing that was moved to another secret, or changed by one bit", async () => {
    const { store } = suite;
    const keys = serverKeys([randomBytes(32)]);
    await clear(store);
    const [id = ""] = await keep(store, keys, 1);
    const content = (await findSecretContents(store, [id])).get(id);
    if (content === undefined) throw new Error("expected the content");
    expect(await unsealContent(keys, content)).toEqual({ Token: "number 0" });
    const bytes = Buffer.from(content.sealed, "base64url");
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    for (const wrong of [
      { ...content, secretId: store.id() },
      { ...content, workspaceId: store.id() },
      { ...content, id: store.id() },
      { ...content, sealed: bytes.toString("base64url") },
      { ...content, sealed: "" },
    ])
      await expect(unsealContent(keys, wrong)).rejects.toThrow();
  });
});

const hexBytes = (text: string | undefined): Buffer => Buffer.from(text ?? "", "hex");
