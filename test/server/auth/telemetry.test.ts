import { beforeAll, describe, expect, it } from "vitest";
import { deviceId } from "../../../server/auth/device.ts";
import { listTelemetry } from "../../../server/store/telemetry.ts";
import { describeEngines } from "../../support/engines.ts";
import { type Person, startTestServer, suiteServer } from "../../support/server.ts";

const uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF";

describe("the device id", () => {
  const key = Buffer.alloc(32, 1);
  const caller = { ip: "10.0.0.1", userAgent: "svc-cli/1" };
  it("is the header where that is a canonical UUID, of any version, in lower case", () => {
    expect(deviceId(uuid, caller, key)).toBe(uuid.toLowerCase());
  });
  it.each([
    ["no hyphens", uuid.replaceAll("-", "")],
    ["braces", `{${uuid}}`],
    ["a letter that is no digit", uuid.replace("6", "g")],
    ["nothing in it", ""],
    ["more than one", `${uuid}, ${uuid}`],
  ])("is one hash of address and agent where the header has %s", (_what, header) => {
    const id = deviceId(header, caller, key);
    expect(id).toMatch(/^anon_[0-9a-f]{32}$/);
    expect(deviceId("something else", caller, key)).toBe(id);
    expect(deviceId(header, { ...caller, ip: "10.0.0.2" }, key)).not.toBe(id);
    expect(deviceId(header, { ...caller, userAgent: undefined }, key)).not.toBe(id);
    expect(deviceId(header, caller, Buffer.alloc(32, 2))).not.toBe(id);
  });
  it("is a new one every time where there is no header", () => {
    const ids = Array.from({ length: 50 }, () => deviceId(undefined, caller, key));
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => /^anon_[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});

describeEngines("telemetry", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });
  const noted = async (headers: Record<string, string>, path = "/api/auth/get-session") => {
    const before = await listTelemetry(suite.server.store, 1000);
    await suite.server.request("GET", path, { headers });
    const after = () => listTelemetry(suite.server.store, 1000);
    await expect.poll(async () => (await after()).length).toBe(before.length + 1);
    const [entry] = await after();
    return { distinctId: entry?.distinct_id, actor: entry?.actor, operation: entry?.operation };
  };

  it("attributes what nobody in particular does to the device", async () => {
    expect(await noted({ "svc-distinct-id": uuid })).toEqual({
      distinctId: uuid.toLowerCase(),
      actor: null,
      operation: "accounts.getSession",
    });
  });
  it("attributes what a key does to its user, whatever the device", async () => {
    const headers = { "svc-distinct-id": uuid, "x-api-key": ada.key };
    expect(await noted(headers, "/api/whoami")).toEqual({
      distinctId: ada.id,
      actor: ada.id,
      operation: "accounts.whoami",
    });
  });
  it("attributes what a session does to its user, whatever the device", async () => {
    const headers = { "svc-distinct-id": uuid, authorization: `Bearer ${ada.session}` };
    expect(await noted(headers)).toMatchObject({ distinctId: ada.id });
  });
  it("notes a refused request for the device", async () => {
    const headers = { "svc-distinct-id": uuid, "x-api-key": "nonsense" };
    expect(await noted(headers, "/api/whoami")).toMatchObject({
      distinctId: uuid.toLowerCase(),
      actor: null,
    });
  });
  it("notes nothing where it is switched off", async () => {
    const server = await startTestServer(engine, { settings: { telemetry: false } });
    try {
      for (let n = 0; n < 3; n++) await server.request("GET", "/api/auth/get-session");
      expect(await listTelemetry(server.store, 10)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
  it("gives the same device to a header that is no UUID and a new one to none", async () => {
    const [bad, again] = [
      await noted({ "svc-distinct-id": "me" }),
      await noted({ "svc-distinct-id": "you" }),
    ];
    const [none, other] = [await noted({}), await noted({})];
    expect(bad.distinctId).toBe(again.distinctId);
    expect(new Set([bad.distinctId, none.distinctId, other.distinctId]).size).toBe(3);
  });
});
