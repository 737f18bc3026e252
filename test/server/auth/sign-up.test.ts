import { expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
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

  it("is for who is invited only where it is by invitation, and says the same of all others", async () => {
    const clock = fakeClock();
    const server = await startTestServer(engine, { clock, settings: { signUp: "invite" } });
    try {
      const signUp = (email: string, invitationCode?: string) =>
        server.request("POST", "/api/auth/sign-up/email", {
          body: { name: "A", email, password: "long enough", invitationCode },
        });
      const first = await signUp("first@example.org");
      expect(first.status).toBe(200);
      const ada = await server.person("ada");
      const { workspaces } = server.client(ada.key);
      const invite = async (workspaceId: string, email: string) =>
        (await workspaces.inviteMember({ workspaceId, body: { email } })).at(-1)?.invitationCode ?? "";
      const code = await invite(ada.workspaceId, "grace@example.org");
      const goneCode = await invite(ada.workspaceId, "gone@example.org");
      await workspaces.removeMember({ workspaceId: ada.workspaceId, body: { email: "gone@example.org" } });
      const texts = { displayName: "short lived", description: "", instanceUrl: "https://svc.example.org" };
      const { id: workspaceId } = await workspaces.create({ body: texts });
      const deletedCode = await invite(workspaceId, "deleted@example.org");
      await workspaces.delete({ workspaceId });
      const refused = [];
      for (const [email, shown] of [
        ["nobody@example.org"],
        ["nobody@example.org", code],
        [ada.email, code],
        ["gone@example.org", goneCode],
        ["deleted@example.org", deletedCode],
        // Knowing who was invited is not enough.
        ["grace@example.org"],
        ["grace@example.org", goneCode],
        ["grace@example.org", `svc_inv_${"0".repeat(32)}`],
        ["grace@example.org", ""],
      ] as const)
        refused.push(await signUp(email, shown));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
      expect(refused[0]?.at("message")).toContain("by invitation only");
      // One address may try so often in a minute.
      await clock.advance(60_000);
      expect((await signUp("no address")).at("code")).toBe("INVALID_EMAIL");
      expect((await signUp("Grace@Example.org", ` ${code}`)).status).toBe(200);
      const { collectives, collectiveInvitations } = server.client(ada.key);
      await collectives.create({ body: { slug: "platform-team" } });
      const invitation = { email: "joan@example.org" };
      expect((await signUp(invitation.email)).status).toBe(403);
      const sent = await collectiveInvitations.create({ slug: "platform-team", body: invitation });
      expect((await signUp(invitation.email)).status).toBe(403);
      const joan = await signUp(invitation.email, sent.code);
      expect(joan.status).toBe(200);
      const received = await server.client(joan.at("token")).collectiveInvitations.received({});
      expect(received.invitations).toMatchObject([{ id: sent.id, collective: { slug: "platform-team" } }]);
      expect((await signUp("grace@example.org", code)).status).toBe(403);
    } finally {
      await server.stop();
    }
  });

  it.each(["closed", "invite"] as const)(
    "makes one first account of many at once where it is %s",
    async (signUp) => {
      const server = await startTestServer(engine, { settings: { signUp } });
      try {
        const names = ["ada", "bob", "eve", "tom", "uma"];
        const answers = await Promise.all(
          names.map((name) => {
            const body = { name, email: `${name}@example.org`, password: "long enough" };
            return server.request("POST", "/api/auth/sign-up/email", { body });
          }),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
      } finally {
        await server.stop();
      }
    },
  );

  it("makes no account with an invitation that is taken back meanwhile", async () => {
    const server = await startTestServer(engine, { settings: { signUp: "invite" } });
    try {
      const ada = await server.person("ada");
      const { workspaces, collectives, collectiveInvitations } = server.client(ada.key);
      const { workspaceId } = ada;
      const slug = "platform-team";
      await collectives.create({ body: { slug } });
      const signUp = (email: string, invitationCode: string) =>
        server.request("POST", "/api/auth/sign-up/email", {
          body: { name: "Grace", email, password: "long enough", invitationCode },
        });
      for (let round = 0; round < 3; round++) {
        const email = `grace${round}@example.org`;
        const members = await workspaces.inviteMember({ workspaceId, body: { email } });
        const code = members.find((one) => one.email === email)?.invitationCode ?? "";
        const [answer] = await Promise.all([
          signUp(email, code),
          workspaces.removeMember({ workspaceId, body: { email } }),
        ]);
        // Taken back before or after, never in between.
        const audit = await server.client(ada.key).audit.workspace({ workspaceId, query: {} });
        const joined = audit.entries.some(
          ({ kind, data }) => kind === "member.joined" && data["email"] === email,
        );
        expect([answer.status, joined]).toEqual(answer.status === 200 ? [200, true] : [403, false]);
        const other = `joan${round}@example.org`;
        const sent = await collectiveInvitations.create({ slug, body: { email: other } });
        const [second] = await Promise.all([
          signUp(other, sent.code),
          collectiveInvitations.withdraw({ slug, invitationId: sent.id }),
        ]);
        // Withdrawing takes no time beside hashing a password.
        expect(second.status).toBe(403);
      }
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
