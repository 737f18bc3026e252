import { describe, expect, it } from "vitest";
import { createAttempts } from "../../../server/auth/attempts.ts";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { startTestServer } from "../../support/server.ts";

describe("attempts", () => {
  const tries = (count: number, attempt: (n: number) => unknown): number => {
    let refused = 0;
    for (let n = 0; n < count; n++) {
      try {
        attempt(n);
      } catch {
        refused++;
      }
    }
    return refused;
  };

  it("allow an account 5 wrong passwords a minute from one address", async () => {
    const clock = fakeClock();
    const attempts = createAttempts(clock);
    expect(tries(8, () => attempts.signIn("ada", "10.0.0.1"))).toBe(3);
    expect(tries(1, () => attempts.signIn("ada", "10.0.0.2"))).toBe(0);
    await clock.advance(60_000);
    expect(tries(5, () => attempts.signIn("ADA", "10.0.0.1"))).toBe(0);
  });
  it("allow an account 30 wrong passwords a minute from everywhere", () => {
    const attempts = createAttempts(fakeClock());
    expect(tries(40, (n) => attempts.signIn("ada", `10.0.0.${n}`))).toBe(10);
  });
  it("allow an address 30 wrong passwords a minute for everybody", () => {
    const attempts = createAttempts(fakeClock());
    expect(tries(40, (n) => attempts.signIn(`user${n}`, "10.0.0.1"))).toBe(10);
  });
  it("count a network of IPv6 as one address, and an IPv4 address however it is written", () => {
    const attempts = createAttempts(fakeClock());
    expect(tries(40, (n) => attempts.signIn(`user${n}`, `2001:db8::${n.toString(16)}`))).toBe(10);
    expect(tries(1, () => attempts.signIn("ada", "2001:db8:0:1::1"))).toBe(0);
    expect(tries(1, () => attempts.signIn("ada", "fe80::1%eth0"))).toBe(0);
    expect(tries(30, (n) => attempts.signIn(`user${n}`, "10.0.0.1"))).toBe(0);
    expect(tries(1, () => attempts.signIn("ada", "::ffff:10.0.0.1"))).toBe(1);
  });
  it("do not count those that succeed", () => {
    const attempts = createAttempts(fakeClock());
    expect(tries(100, () => attempts.signIn("ada", "10.0.0.1")())).toBe(0);
  });
  it("stay bounded whatever is thrown at them", () => {
    const attempts = createAttempts(fakeClock());
    expect(tries(130_000, (n) => attempts.signUp(`10.${n}`))).toBe(0);
  });
});

describeEngines("guessing passwords", (engine) => {
  it("says 429 and when to come back, to the right password too, and lets in afterwards", async () => {
    const clock = fakeClock();
    const server = await startTestServer(engine, { clock });
    try {
      const ada = await server.person("ada");
      const signIn = (password: string, path = "email", body: object = { email: ada.email }) =>
        server.request("POST", `/api/auth/sign-in/${path}`, { body: { ...body, password } });
      for (let n = 0; n < 5; n++) expect((await signIn("wrong")).status).toBe(401);
      const answer = await signIn(ada.password);
      expect([answer.status, answer.at("code")]).toEqual([429, "RATE_LIMITED"]);
      const wait = Number(answer.headers.get("retry-after"));
      expect([wait > 0 && wait <= 60, answer.headers.get("x-retry-after")]).toEqual([true, String(wait)]);
      await clock.advance(wait * 1000);
      expect((await signIn(ada.password)).status).toBe(200);

      const byName = { username: ada.username };
      for (let n = 0; n < 5; n++) expect((await signIn("wrong", "username", byName)).status).toBe(401);
      expect((await signIn("wrong", "username", byName)).status).toBe(429);
    } finally {
      await server.stop();
    }
  });

  it("counts e-mail and username apart, so that a 429 to one says nothing of the other", async () => {
    const server = await startTestServer(engine, { clock: fakeClock() });
    try {
      const ada = await server.person("ada");
      const statuses = async (email: string, username: string) => {
        const signIn = (path: string, body: object) =>
          server.request("POST", `/api/auth/sign-in/${path}`, { body: { ...body, password: "wrong" } });
        const answers = [];
        for (let n = 0; n < 6; n++) answers.push(await signIn("email", { email }));
        for (let n = 0; n < 6; n++) answers.push(await signIn("username", { username }));
        return answers.map(({ status }) => status);
      };
      const six = [401, 401, 401, 401, 401, 429];
      expect(await statuses(ada.email, ada.username)).toEqual([...six, ...six]);
      expect(await statuses("nobody@example.org", "nobody")).toEqual([...six, ...six]);
    } finally {
      await server.stop();
    }
  });

  it("lets one address make 10 accounts a minute", async () => {
    const server = await startTestServer(engine, { clock: fakeClock() });
    try {
      const signUp = (n: number) =>
        server.request("POST", "/api/auth/sign-up/email", {
          body: { name: "n", email: `n${n}@example.org`, password: "short" },
        });
      for (let n = 0; n < 10; n++) expect((await signUp(n)).status).toBe(400);
      expect((await signUp(11)).status).toBe(429);
    } finally {
      await server.stop();
    }
  });
});
