import { describe, expect, it } from "vitest";
import { loggedIn, serverWithAda } from "../support/cli.ts";

describe("svc workspace token", () => {
  it("prints a token that works until it is revoked, and shows it never again", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const made = await ada.svc("workspace token create ci --expires 1h");
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("is not shown again") });
    const token = made.out.trim();
    const asked = () => ada.svc("change-set list", { environment: { SVC_API_KEY: token } });
    expect(await asked()).toMatchObject({ code: 0, out: expect.stringContaining("\tHEAD\t") });
    const listed = await ada.svc("workspace token list");
    const [id = "", name, email] = listed.out.split("\t");
    expect([name, email]).toEqual(["ci", server.email]);
    expect(listed.out).not.toContain(token.slice(-20));
    expect(await ada.svc(`workspace token revoke ${id}`)).toMatchObject({ code: 2 });
    expect(await ada.svc(`workspace token revoke ${id} --yes`)).toMatchObject({
      code: 0,
      err: `revoked token ${id}\n`,
    });
    expect(await asked()).toMatchObject({ code: 1 });
    const [again] = JSON.parse((await ada.svc("workspace token ls --json")).out).authTokens;
    expect(again).toMatchObject({ id, revokedAt: expect.any(String) });
  });

  it("says what it expected of a time and of an id", async () => {
    const ada = await loggedIn(await serverWithAda());
    expect(await ada.svc("workspace token create --expires soon")).toMatchObject({
      code: 1,
      err: expect.stringContaining("expiration: expected a time such as 12h"),
    });
    expect(await ada.svc("workspace token revoke x --yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no such token in this workspace"),
    });
  });
});
