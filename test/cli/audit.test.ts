import { expect, it } from "vitest";
import { loggedIn, serverWithAda } from "../support/cli.ts";

it("svc audit shows what was done, newest first, as many as were asked for", async () => {
  const server = await serverWithAda();
  const ada = await loggedIn(server);
  const { err } = await ada.svc("workspace token create ci");
  const id = /created token (\w+)/.exec(err)?.[1];
  const all = (await ada.svc("audit account")).out.trim().split("\n");
  expect(all.map((line) => line.split("\t").slice(1, 5))).toEqual([
    ["ada", "personal", "127.0.0.1", "workspace_token.created"],
    ["ada", "session", "127.0.0.1", "session.ended"],
    ["ada", "session", "127.0.0.1", "key.created"],
    ["ada", "", "127.0.0.1", "session.opened"],
  ]);
  expect(all[0]).toContain(`\t${id}\tname=ci`);
  expect((await ada.svc("audit account --limit 1")).out).toBe(`${all[0]}\n`);
  expect((await ada.svc("audit workspace")).out).toBe(`${all[0]}\n`);
  expect(JSON.parse((await ada.svc("audit account --limit 2 --json")).out)).toMatchObject({
    entries: [{ kind: "workspace_token.created" }, { kind: "session.ended" }],
    nextCursor: expect.any(String),
  });
  const { collectives } = server.server.client((await server.server.person("eve")).key);
  await collectives.create({ body: { slug: "platform-team" } });
  expect(await ada.svc("audit collective platform-team")).toMatchObject({ code: 1, out: "" });
  expect(await ada.svc("audit account --limit 0")).toMatchObject({ code: 2 });
});
