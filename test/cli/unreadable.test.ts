import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { svc } from "../support/built-cli.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Nobody, on every system that has the user: root may read whatever the mode says. */
const nobody = 65_534;
const isRoot = userInfo().uid === 0;

/** The credentials of somebody who is not root. */
async function credentials() {
  const home = await temporaryDirectory();
  const auth = join(home, ".config/svc/auth.json");
  await mkdir(dirname(auth), { recursive: true });
  await writeFile(auth, "{}");
  if (isRoot)
    for (const path of [home, join(home, ".config"), dirname(auth), auth]) await chown(path, nobody, nobody);
  const login = async () => {
    const run = svc(["auth", "login", "--username", "ada"], {
      home,
      input: "a password\n",
      ...(isRoot ? { user: nobody } : {}),
    });
    return { code: await run.ended, err: run.err() };
  };
  return { auth, login };
}

describe("credentials that cannot be read", { timeout: 60_000 }, () => {
  it("because of their mode are told with the command that mends it", async () => {
    const { auth, login } = await credentials();
    await chmod(auth, 0o000);
    expect(await login()).toEqual({
      code: 1,
      err: `error: could not read the credentials: ${auth} is not readable (mode 0000)\nhint: make it readable: chmod 600 '${auth}'\n`,
    });
  });

  it.runIf(isRoot)("because they are another user's are told so", async () => {
    const { auth, login } = await credentials();
    await chown(auth, 0, 0);
    await chmod(auth, 0o600);
    expect((await login()).err).toContain(
      `${auth} belongs to another user\nhint: make it yours: sudo chown `,
    );
  });
});
