import type { Store } from "../../server/store/open.ts";

/** Collectives that a user made, without asking: `count` of them, deleted at a time where one is named. */
export const fillCollectives = (
  store: Store,
  creatorId: string,
  count: number,
  deletedAt: number | null = null,
): Promise<void> =>
  store.write(async ({ db, now }) => {
    for (let n = 0; n < count; n++) {
      const id = store.id();
      const texts = { slug: `f-${id.toLowerCase()}`, name: "filled" };
      const row = { id, ...texts, personal_of: null, created_by: creatorId, created_at: now };
      await db
        .insertInto("collective")
        .values({ ...row, deleted_at: deletedAt })
        .execute();
    }
  });

/** Members of a collective whom nobody knows. */
export const fillMembers = (store: Store, slug: string, count: number): Promise<void> =>
  store.write(async ({ db, now }) => {
    const collective = db.selectFrom("collective").select("id").where("slug", "=", slug);
    const { id: collectiveId } = await collective.executeTakeFirstOrThrow();
    for (let n = 0; n < count; n++) {
      const id = store.id();
      const names = { email: `${id.toLowerCase()}@example.org`, username: id.toLowerCase(), name: "filled" };
      const times = { created_at: now, updated_at: now, suspended_at: null };
      await db
        .insertInto("user")
        .values({ id, ...names, password_hash: "", ...times })
        .execute();
      const member = { user_id: id, role: "member", created_at: now } as const;
      await db
        .insertInto("collective_member")
        .values({ collective_id: collectiveId, ...member })
        .execute();
    }
  });

/** Open invitations into a collective, to addresses that nobody has. */
export const fillInvitations = (
  store: Store,
  slug: string,
  count: number,
  expiresAt: number = store.clock.now() + 86_400_000,
): Promise<void> =>
  store.write(async ({ db, now }) => {
    const collective = db.selectFrom("collective").select("id").where("slug", "=", slug);
    const { id: collectiveId } = await collective.executeTakeFirstOrThrow();
    for (let n = 0; n < count; n++) {
      const id = store.id();
      const who = { email: `${id.toLowerCase()}@example.org`, role: "member", invited_by: "x" } as const;
      const code = { code_hash: null, code_needed: 0 };
      const row = {
        id,
        collective_id: collectiveId,
        ...who,
        ...code,
        created_at: now,
        expires_at: expiresAt,
      };
      await db.insertInto("collective_invitation").values(row).execute();
    }
  });

/** Revoked keys of a user. */
export const fillKeys = (store: Store, userId: string, count: number): Promise<void> =>
  store.write(async ({ db, now }) => {
    for (let n = 0; n < count; n++) {
      const id = store.id();
      const texts = { name: null, start: "svc_", prefix: "svc_", key_hash: id, metadata: null };
      const times = { expires_at: null, created_at: now, updated_at: now, last_used_at: null };
      const row = { id, user_id: userId, ...texts, state: "Revoked", request_count: 0, ...times } as const;
      await db.insertInto("api_key").values(row).execute();
    }
  });
