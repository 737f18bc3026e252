import { describe, expect, it } from "vitest";
import { configText, loggedIn, type Person, person, serverWithAda } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

const works = async (ada: Person, key: string): Promise<boolean> =>
  (await ada.svc("auth whoami", { environment: { SVC_API_KEY: key } })).code === 0;

describe("svc key", () => {
  it("creates, lists, revokes and deletes with the password that is piped", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const svc = (line: string) => ada.svc(line, { input: `${server.password}\n` });
    const made = await svc("key create laptop");
    const key = made.out.trim();
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^svc_[0-9a-f]{32}\n$/) });
    expect(await works(ada, key)).toBe(true);
    const listed = await svc("key list");
    const [id, name, start, state] = listed.out.split("\n")[0]?.split("\t") ?? [];
    expect([name, start, state]).toEqual(["laptop", `${key.slice(0, 12)}…`, "enabled"]);
    expect(listed.out).toMatch(/\tcli-.+\ton this machine\n/);
    expect(`${listed.out}${listed.err}`).not.toContain(key);
    expect(await svc("key revoke laptop --yes")).toMatchObject({ code: 0, err: 'revoked key "laptop"\n' });
    expect(await works(ada, key)).toBe(false);
    expect((await svc("key list")).out).toContain(`${id}\tlaptop\t${key.slice(0, 12)}…\trevoked\t`);
    expect(await svc(`key delete ${id?.toLowerCase()} --yes`)).toMatchObject({ code: 0 });
    expect((await svc("key list --json")).out).not.toContain(String(id));
  });

  it("leaves no session behind, also when it fails", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const open = async () =>
      (
        await server.server.store.db
          .selectFrom("session")
          .select("id")
          .where("revoked_at", "is", null)
          .execute()
      ).length;
    const before = await open();
    expect(await ada.svc("key list", { input: `${server.password}\n` })).toMatchObject({ code: 0 });
    expect(await ada.svc("key delete nothing --yes", { input: `${server.password}\n` })).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such key: "nothing"'),
    });
    expect(await open()).toBe(before);
  });

  it("asks for the password on a terminal, without showing it, and then whether it is meant", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await ada.svc("key create phone", { input: `${server.password}\n` });
    const kept = await ada.svc("key revoke phone", { terminal: true, input: `${server.password}\rn\n` });
    expect(kept.err).toContain("Password: ");
    expect(kept.err).toContain('revoke the key "phone" for good? [y/N]');
    expect(kept.err).not.toContain(server.password);
    expect((await ada.svc("key list", { input: `${server.password}\n` })).out).toContain("\tenabled\t");
  });

  it("says what to do after this machine's own key is gone", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKeyId } = JSON.parse((await configText(ada, "auth.json")) ?? "");
    const gone = await ada.svc(`key delete ${apiKeyId} --yes`, { input: `${server.password}\n` });
    expect(gone.err).toContain("svc auth login makes another");
  });

  it("works for who is not logged in, with a username, and refuses a wrong password", async () => {
    const server = await serverWithAda();
    const guest = await person({ SVC_CLUB_URL: server.url });
    const listed = await guest.svc("key list", { input: `ada\n${server.password}\n` });
    expect(listed).toMatchObject({ code: 0 });
    expect(await guest.svc("key list --username ada", { input: "wrong\n" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("wrong username, e-mail or password"),
    });
    const sent = recordRequests();
    expect(await guest.svc("key list --username ada", { input: "" })).toMatchObject({ code: 2 });
    expect(sent).toEqual([]);
  });

  it("names the near miss, and refuses a name that two have", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const svc = (line: string) => ada.svc(line, { input: `${server.password}\n` });
    for (let n = 0; n < 2; n++) await svc("key create laptop");
    expect((await svc("key revoke laptpo --yes")).err).toContain('did you mean "laptop"?');
    expect((await svc("key revoke laptop --yes")).err).toContain("more than one key");
  });
});
