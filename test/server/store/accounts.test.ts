import { expect, it } from "vitest";
import { principalOf } from "../../../server/auth/principals.ts";
import { findAccess } from "../../../server/store/access.ts";
import {
  createKey,
  deleteKey,
  getKey,
  listKeyAudit,
  listKeys,
  touchKey,
  updateKey,
} from "../../../server/store/keys.ts";
import {
  createSession,
  forgetSessions,
  revokeSession,
  touchSession,
} from "../../../server/store/sessions.ts";
import { forgetTelemetry, listTelemetry, recordTelemetry } from "../../../server/store/telemetry.ts";
import {
  createUser,
  findUser,
  findUserByEmail,
  findUserByUsername,
  hasUsers,
  setSuspended,
} from "../../../server/store/users.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";

describeEngines("accounts", (engine) => {
  const suite = suiteStore(engine);
  let count = 0;
  const person = () => {
    const name = `person${count++}`;
    return createUser(suite.store, {
      email: `${name}@Example.org`,
      username: name.toUpperCase(),
      name,
      passwordHash: "hash",
    });
  };

  it("knows whether anybody has an account", async () => {
    expect(await hasUsers(suite.store)).toBe(false);
    await person();
    expect(await hasUsers(suite.store)).toBe(true);
  });

  it("finds a user by id, e-mail and username in any letter case", async () => {
    const user = await person();
    expect(user.email).toBe(`${user.name}@example.org`);
    expect(await findUser(suite.store, user.id)).toEqual(user);
    expect(await findUserByEmail(suite.store, user.email.toUpperCase())).toEqual(user);
    expect(await findUserByUsername(suite.store, user.username.toUpperCase())).toEqual(user);
    expect(await findUserByUsername(suite.store, "nobody")).toBeUndefined();
  });

  it("gives an e-mail and a username to one account only, however many ask at once", async () => {
    const asking = Array.from({ length: 8 }, (_, index) =>
      createUser(suite.store, {
        email: index % 2 === 0 ? "same@example.org" : "SAME@example.org",
        username: `same${index}`,
        name: "",
        passwordHash: "",
      }).then(
        () => "created",
        (error: Error & { error?: string }) => error.error,
      ),
    );
    const answers = await Promise.all(asking);
    expect(answers.filter((answer) => answer === "created")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "userExists")).toHaveLength(7);
  });

  it("finds a session until it expires, is revoked, or its user is suspended", async () => {
    const { store, clock } = suite;
    const user = await person();
    const open = (tokenHash: string) =>
      createSession(store, {
        userId: user.id,
        tokenHash,
        expiresAt: clock.now() + 1_000,
        ip: "::1",
        userAgent: "curl",
      });
    const session = await open(`${user.id} 1`);
    const found = async (token: string) => {
      const access = await findAccess(store, { kind: "session", token, path: undefined });
      return access && principalOf(access, { token: "", claims: undefined }, clock.now());
    };
    const one = `${user.id} 1`;
    expect(await found(one)).toEqual({ kind: "session", token: "", session, user });
    await touchSession(store, session.id, clock.now() + 5_000);
    await clock.advance(1_500);
    expect(await found(one)).toMatchObject({ session: { expiresAt: session.expiresAt + 4_000 } });
    await store.write((tx) => setSuspended(tx, user.id, true));
    expect(await found(one)).toBeUndefined();
    await store.write((tx) => setSuspended(tx, user.id, false));
    await revokeSession(store, session.id);
    await revokeSession(store, session.id);
    expect(await found(one)).toBeUndefined();
    await open(`${user.id} 2`);
    await clock.advance(1_000);
    expect(await found(`${user.id} 2`)).toBeUndefined();
    await forgetSessions(store, clock.now() + 10_000);
    expect(
      await store.db.selectFrom("session").select("id").where("user_id", "=", user.id).execute(),
    ).toEqual([]);
  });

  it("attributes operations and forgets them in time", async () => {
    const { store, clock } = suite;
    await recordTelemetry(store, { distinct_id: "device", actor: null, operation: "whoami" });
    await clock.advance(10);
    await recordTelemetry(store, { distinct_id: "user", actor: "user", operation: "keys.list" });
    expect((await listTelemetry(store, 5)).map((entry) => entry.operation)).toEqual(["keys.list", "whoami"]);
    expect(await forgetTelemetry(store, clock.now(), 10)).toBe(1);
    expect((await listTelemetry(store, 5)).map((entry) => entry.operation)).toEqual(["keys.list"]);
    for (const operation of ["one", "two", "three"])
      await recordTelemetry(store, { distinct_id: "user", actor: "user", operation });
    expect(await forgetTelemetry(store, 0, 2)).toBe(2);
    expect((await listTelemetry(store, 5)).map((entry) => entry.operation)).toEqual(["three", "two"]);
  });
});

describeEngines("personal keys", (engine) => {
  const suite = suiteStore(engine);
  let count = 0;
  const key = (userId = "owner") =>
    createKey(suite.store, {
      userId,
      actor: userId,
      name: "laptop",
      start: "svc_abcd",
      prefix: "svc_",
      keyHash: `hash ${engine.name} ${count++}`,
      metadata: { from: "cli" },
    });
  const moves = async (keyId: string) =>
    (await listKeyAudit(suite.store, keyId)).map(
      (row) => `${row.from_state} → ${row.to_state} by ${row.actor}`,
    );
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error,
    );

  it("are created and enabled in one step, both moves on record, and found by hash with their user", async () => {
    const user = await createUser(suite.store, {
      email: "k@x",
      username: "keyowner",
      name: "",
      passwordHash: "",
    });
    const created = await key(user.id);
    expect(created).toMatchObject({
      state: "Enabled",
      name: "laptop",
      metadata: { from: "cli" },
      requestCount: 0,
    });
    expect(await moves(created.id)).toEqual([
      `null → Created by ${user.id}`,
      `Created → Enabled by ${user.id}`,
    ]);
    const found = (token: string) => findAccess(suite.store, { kind: "personal", token, path: undefined });
    expect(await found(`hash ${engine.name} ${count - 1}`)).toEqual({
      holder: { kind: "personal", key: created, user },
      workspace: undefined,
    });
    expect(await found("unknown")).toBeUndefined();
    expect(JSON.stringify(created)).not.toContain("hash ");
  });

  it("are listed in order of creation by page, each user's own only", async () => {
    const ids = [];
    for (let index = 0; index < 3; index++) ids.push((await key("lister")).id);
    await key("other");
    const page = await listKeys(suite.store, "lister", { limit: 2, offset: 1 });
    expect(page.keys.map((one) => one.id)).toEqual(ids.slice(1));
    expect(page.total).toBe(3);
    expect(await errorOf(getKey(suite.store, "other", ids[0] ?? ""))).toBe("keyNotFound");
    expect((await getKey(suite.store, "lister", ids[0] ?? "")).id).toBe(ids[0]);
  });

  it("once revoked are never enabled again, but can still be renamed and deleted", async () => {
    const { id } = await key();
    const target = { userId: "owner", keyId: id, actor: "boss" };
    expect((await updateKey(suite.store, target, { enabled: true })).state).toBe("Enabled");
    expect((await updateKey(suite.store, target, { enabled: false })).state).toBe("Revoked");
    expect((await updateKey(suite.store, target, { enabled: false, name: "old" })).name).toBe("old");
    expect(await errorOf(updateKey(suite.store, target, { enabled: true, name: "lost" }))).toBe("keyRevoked");
    expect(await getKey(suite.store, "owner", id)).toMatchObject({ state: "Revoked", name: "old" });
    await deleteKey(suite.store, target);
    expect(await errorOf(deleteKey(suite.store, target))).toBe("keyNotFound");
    expect(await errorOf(updateKey(suite.store, target, { name: "x" }))).toBe("keyNotFound");
    expect(await moves(id)).toEqual([
      "null → Created by owner",
      "Created → Enabled by owner",
      "Enabled → Revoked by boss",
      "Revoked → Deleted by boss",
    ]);
  });

  it("change only what is named, and null clears", async () => {
    const { id } = await key();
    const target = { userId: "owner", keyId: id, actor: "owner" };
    const dated = await updateKey(suite.store, target, { expiresAt: 4_102_444_800_000 });
    expect(dated).toMatchObject({ name: "laptop", expiresAt: 4_102_444_800_000, metadata: { from: "cli" } });
    const cleared = await updateKey(suite.store, target, { expiresAt: null, name: null, metadata: null });
    expect(await getKey(suite.store, "owner", id)).toEqual({ ...cleared, revokedNow: undefined });
    expect([cleared.name, cleared.expiresAt, cleared.metadata]).toEqual([undefined, undefined, undefined]);
    expect(await errorOf(updateKey(suite.store, { ...target, userId: "thief" }, { name: "mine" }))).toBe(
      "keyNotFound",
    );
  });

  it("count every use", async () => {
    const { id } = await key();
    await Promise.all(Array.from({ length: 10 }, () => touchKey(suite.store, id)));
    expect(await getKey(suite.store, "owner", id)).toMatchObject({
      requestCount: 10,
      lastUsedAt: suite.clock.now(),
    });
  });

  it("are revoked once when two revoke at the same time", async () => {
    const { id } = await key();
    const target = { userId: "owner", keyId: id, actor: "owner" };
    await Promise.all([1, 2, 3].map(() => updateKey(suite.store, target, { enabled: false })));
    expect(await moves(id)).toHaveLength(3);
  });
});
