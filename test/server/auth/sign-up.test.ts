import { expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { startTestServer } from "../../support/server.ts";

describeEngines("sign-up", (engine) => {
  it("is for the first user only once it is closed", async () => {
    const server = await startTestServer(engine, { settings: { signUp: "closed" } });
    try {
      const signUp = (email: string) =>
        server.request("POST", "/api/auth/sign-up/email", {
          body: { name: "A", email, password: "long enough" },
        });
      expect((await signUp("first@example.org")).status).toBe(200);
      const answer = await signUp("second@example.org");
      expect([answer.status, answer.at("code")]).toEqual([403, "SIGN_UP_CLOSED"]);
    } finally {
      await server.stop();
    }
  });

  it("makes usernames of addresses, and no two the same, whoever comes at once", async () => {
    const server = await startTestServer(engine);
    try {
      const emails = ["grace@a.example", "grace@b.example", "GRACE+x@c.example", "g@d.example"];
      const answers = [];
      for (const email of emails) {
        const body = { name: "G", email, password: "long enough" };
        answers.push(await server.request("POST", "/api/auth/sign-up/email", { body }));
      }
      expect(answers.map((answer) => answer.at("user.username"))).toEqual([
        "grace",
        "grace.2",
        "gracex",
        "g__",
      ]);
      const body = { name: "T", email: "twin@example.org", username: "twin", password: "long enough" };
      const twins = await Promise.all(
        [1, 2, 3].map(() => server.request("POST", "/api/auth/sign-up/email", { body })),
      );
      expect(twins.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    } finally {
      await server.stop();
    }
  });
});
