import { beforeAll, expect, it } from "vitest";
import { updateKey } from "../../../server/store/keys.ts";
import { revokeSession } from "../../../server/store/sessions.ts";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Person, suiteServer } from "../../support/server.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describeEngines("the headers that carry a key", (engine) => {
  const clock = fakeClock();
  const suite = suiteServer(engine, { clock });
  let ada: Person;
  let eve: Person;
  beforeAll(async () => {
    [ada, eve] = [await suite.server.person("ada"), await suite.server.person("eve")];
  });
  const whoami = async (headers: Record<string, string>): Promise<string | number> => {
    const answer = await suite.server.request("GET", "/api/whoami", { headers });
    return answer.status === 200 ? answer.at("username") : answer.status;
  };

  it("takes a key in Authorization", async () => {
    expect(await whoami({ authorization: `Bearer ${ada.key}` })).toBe("ada");
  });
  it("takes a key in x-api-key", async () => {
    expect(await whoami({ "x-api-key": ada.key })).toBe("ada");
  });
  it("takes the scheme in any letter case, and blanks around the key", async () => {
    expect(await whoami({ authorization: `bEARER   ${ada.key} ` })).toBe("ada");
    expect(await whoami({ "x-api-key": ` ${ada.key} ` })).toBe("ada");
  });
  it("lets Authorization win when both are there", async () => {
    expect(await whoami({ authorization: `Bearer ${ada.key}`, "x-api-key": eve.key })).toBe("ada");
  });
  it.each([
    ["an unknown key", `Bearer svc_${"0".repeat(32)}`],
    ["no key", "Bearer"],
    ["two words", "Bearer a b"],
    ["another scheme", "Basic YWRhOmFkYQ=="],
  ])("does not fall back to a good x-api-key from an Authorization with %s", async (_what, authorization) => {
    expect(await whoami({ authorization, "x-api-key": eve.key })).toBe(401);
  });
  it("takes no session token in x-api-key, and no key in the cookie", async () => {
    expect(await whoami({ "x-api-key": ada.session })).toBe(401);
    expect(await whoami({ cookie: `svc.session_token=${ada.key}` })).toBe(401);
  });
  it("does not fall back from a bad key to a good cookie", async () => {
    expect(await whoami({ "x-api-key": "svc_1", cookie: `svc.session_token=${ada.session}` })).toBe(401);
    expect(await whoami({ cookie: `a=b; svc.session_token=${ada.session}; c=d` })).toBe("ada");
  });
  it.each([
    ["upper case", (key: string) => key.toUpperCase().replace("SVC_", "svc_")],
    ["a digit less", (key: string) => key.slice(0, -1)],
    ["a digit more", (key: string) => `${key}0`],
    ["the other prefix", (key: string) => key.replace("svc_", "svc_org_")],
    ["no prefix", (key: string) => key.slice(4)],
  ])("does not know a key with %s", async (_what, change) => {
    expect(await whoami({ authorization: `Bearer ${change(ada.key)}` })).toBe(401);
  });
  it("never lets a device id in", async () => {
    const id = "6F9619FF-8B86-D011-B42D-00CF4FC964FF";
    expect(await whoami({ "svc-distinct-id": id })).toBe(401);
    expect(await whoami({ "svc-distinct-id": id, "x-api-key": ada.key })).toBe("ada");
  });

  it("lets a key in until the moment it expires, and not again", async () => {
    const person = await suite.server.person("short");
    const target = { userId: person.id, keyId: person.keyId, actor: person.id };
    await updateKey(suite.server.store, target, { expiresAt: clock.now() + minute });
    expect(await whoami({ "x-api-key": person.key })).toBe("short");
    await clock.advance(minute - 1);
    expect(await whoami({ "x-api-key": person.key })).toBe("short");
    await clock.advance(1);
    expect(await whoami({ "x-api-key": person.key })).toBe(401);
  });

  it("keeps a revoked key and a signed-out session out at once", async () => {
    const person = await suite.server.person("out");
    await updateKey(
      suite.server.store,
      { userId: person.id, keyId: person.keyId, actor: person.id },
      { enabled: false },
    );
    expect(await whoami({ "x-api-key": person.key })).toBe(401);
    const { server } = suite;
    const session = await server.request("GET", "/api/auth/get-session", { as: person.session });
    await revokeSession(server.store, session.at("session.id"));
    expect(await whoami({ authorization: `Bearer ${person.session}` })).toBe(401);
  });

  it("lets a session live on from its use, 7 days at a time, and end when it is not used", async () => {
    const person = await suite.server.person("regular");
    const cookie = `svc.session_token=${person.session}`;
    const visit = () => suite.server.request("GET", "/api/auth/get-session", { headers: { cookie } });
    expect((await visit()).headers.get("set-cookie")).toBeNull();
    for (let week = 0; week < 3; week++) {
      await clock.advance(6 * day);
      const answer = await visit();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("set-cookie")).toContain(person.session);
      await expect
        .poll(async () => Date.parse((await visit()).at("session.expiresAt")))
        .toBe(clock.now() + 7 * day);
    }
    await clock.advance(7 * day);
    expect((await visit()).body).toBeNull();
  });

  it("notes when a key was used at most once a minute", async () => {
    const person = await suite.server.person("busy");
    const used = async (): Promise<unknown> => {
      const answer = await suite.server.request("GET", "/api/auth/api-key/list", { as: person.session });
      return [
        answer.at("apiKeys.0.lastRequest"),
        Reflect.get(Object(answer.body).apiKeys[0], "requestCount"),
      ];
    };
    const first = new Date(clock.now()).toISOString();
    for (let n = 0; n < 5; n++) expect(await whoami({ "x-api-key": person.key })).toBe("busy");
    await expect.poll(used).toEqual([first, 1]);
    await clock.advance(minute);
    expect(await whoami({ "x-api-key": person.key })).toBe("busy");
    await expect.poll(used).toEqual([new Date(clock.now()).toISOString(), 2]);
  });
});
