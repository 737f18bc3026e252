import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkServerKeys, loadServerKeys } from "../../../server/auth/server-keys.ts";
import { Problem } from "../../../src/lib/problem.ts";
import { denied } from "../../support/denied.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A place for a key, in a folder that everybody may look into. */
async function place(): Promise<{ readonly secretKey: undefined; readonly secretKeyFile: string }> {
  const folder = await temporaryDirectory();
  chmodSync(folder, 0o755);
  return { secretKey: undefined, secretKeyFile: join(folder, "secret.key") };
}

const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof Problem)) throw new Error("expected a problem", { cause: error });
  expect(`${error.message}${error.hint}`).not.toContain("\n");
  return error;
};

describe("a key file that cannot be used", () => {
  it("because of its mode: says what was expected and who may read it", async () => {
    const kept = await place();
    writeFileSync(kept.secretKeyFile, "ab".repeat(32));
    chmodSync(kept.secretKeyFile, 0);
    for (const read of [loadServerKeys, checkServerKeys]) {
      const problem = await denied(() => problemOf(read(kept)));
      expect(problem).toMatchObject({
        code: "secret_key_unreadable",
        message: expect.stringMatching(/secret\.key: expected a file that this user may read, .*EACCES/),
        hint: expect.stringMatching(/run this as the user .*chmod u\+rw/),
      });
    }
  });

  it("because it is none: is refused in the same words", async () => {
    const kept = await place();
    mkdirSync(kept.secretKeyFile);
    expect((await problemOf(loadServerKeys(kept))).message).toMatch(/expected a file .*EISDIR/);
  });

  it("because none can be made: says so, and leaves nothing", async () => {
    const kept = await place();
    const folder = dirname(kept.secretKeyFile);
    chmodSync(folder, 0o555);
    expect(await denied(() => problemOf(loadServerKeys(kept)))).toMatchObject({
      code: "secret_key_unwritable",
      message: expect.stringMatching(/secret\.key cannot be made \(EACCES/),
      hint: expect.stringContaining("SVC_SECRET_KEY_FILE"),
    });
    chmodSync(folder, 0o755);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("looking whether keys are sound makes none", async () => {
  const kept = await place();
  await checkServerKeys(kept);
  expect(readdirSync(dirname(kept.secretKeyFile))).toEqual([]);
  await expect(checkServerKeys({ ...kept, secretKey: "half" })).rejects.toThrow(/64 hexadecimal/);
});
