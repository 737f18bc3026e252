import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { type ApiKey, serverOnlyKeyProperties } from "../../src/contract/keys.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { audited } from "../auth/audit.ts";
import { hashToken, newPersonalKey } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import { actorOf, type Context, userOf } from "../context.ts";
import { checkExpiresIn, checkKeyCount, checkKeyName, checkKeyPrefix, keyStart } from "../domain/keys.ts";
import type { AuditEntry } from "../store/audit.ts";
import { createKey, deleteKey, getKey, type Key, listKeys, updateKey } from "../store/keys.ts";

/** Handlers of the rows in `src/contract/keys.ts`. */
export const keyHandlers: GroupHandlers<typeof api.keys, Context> = {
  create: async ({ body }, context) => {
    refuseServerOnly(body);
    const name = checkKeyName(body.name);
    const prefix = checkKeyPrefix(body.prefix);
    const expiresAt = expiry(context, checkExpiresIn(body.expiresIn));
    const raw = newPersonalKey();
    const kept = {
      userId: userOf(context).id,
      actor: actorOf(context),
      start: keyStart(raw),
      prefix,
      keyHash: hashToken(raw),
      ...(name === null ? {} : { name }),
      ...(expiresAt === null ? {} : { expiresAt }),
    };
    const key = await audited(
      context,
      (store) => createKey(store, kept, checkKeyCount),
      (made) => entryOf("key.created", made),
    );
    return { ...keyView(key), key: raw };
  },
  list: async ({ query }, context) => {
    const { limit = 100, offset = 0, sortBy = "createdAt" } = query;
    const descending = (query.sortDirection ?? (query.sortBy === undefined ? "desc" : "asc")) === "desc";
    const page = { limit, offset, sortBy, descending };
    const { keys, total } = await listKeys(context.server.store, userOf(context).id, page);
    return { apiKeys: keys.map(keyView), total, limit, offset };
  },
  get: async ({ query }, context) =>
    keyView(await getKey(context.server.store, userOf(context).id, idOf(query.id))),
  update: async ({ body }, context) => {
    refuseServerOnly(body);
    const { name, enabled, expiresIn } = body;
    if ((name ?? enabled) === undefined && expiresIn === undefined) fail("noValuesToUpdate");
    const changes = {
      ...(name === undefined || name === null ? {} : { name: checkKeyName(name) }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(expiresIn === undefined ? {} : { expiresAt: expiry(context, checkExpiresIn(expiresIn)) }),
    };
    const key = await audited(
      context,
      (store) => updateKey(store, targetOf(context, body.keyId), changes),
      ({ revokedNow, ...changed }) => entryOf(revokedNow ? "key.revoked" : "key.changed", changed),
    );
    return keyView(key);
  },
  delete: async ({ body }, context) => {
    const { principal } = context;
    if (principal?.kind === "personal" && principal.key.id !== idOf(body.keyId)) {
      fail("sessionRequired", "a key may delete only itself; sign in to manage the others");
    }
    const target = targetOf(context, body.keyId);
    await audited(
      context,
      (store) => deleteKey(store, target),
      ({ name }) => ({
        kind: "key.deleted",
        subject: target.keyId,
        userId: target.userId,
        data: { name: name ?? null, states: ["Deleted"] },
      }),
    );
    return { success: true };
  },
};

const entryOf = (kind: AuditEntry["kind"], { id, userId, name }: Key): AuditEntry => ({
  kind,
  subject: id,
  userId,
  data: { name: name ?? null, ...(states[kind] === undefined ? {} : { states: states[kind] }) },
});

/** Through which states a key goes with what is done to it. */
const states: Partial<Record<AuditEntry["kind"], readonly string[]>> = {
  "key.created": ["Created", "Enabled"],
  "key.revoked": ["Revoked"],
};

const targetOf = (context: Context, keyId: string) => ({
  userId: userOf(context).id,
  keyId: idOf(keyId),
  actor: actorOf(context),
});

/** Refuses members that only the server may set, even when they are null: ignoring them would look like consent. */
function refuseServerOnly(body: Readonly<Record<string, unknown>>): void {
  for (const name of serverOnlyKeyProperties) {
    if (body[name] !== undefined)
      fail("serverOnlyProperty", `body.${name}: expected nothing; only the server sets it`);
  }
  if ((body["metadata"] ?? undefined) !== undefined) fail("metadataDisabled");
}

const expiry = (context: Context, seconds: number | null): number | null =>
  seconds === null ? null : context.server.clock.now() + Math.round(seconds * 1000);

/** A key as the wire shows it: everything but the hash. Keys have no quota here, so nothing of one is ever counted. */
const keyView = (key: Key): ApiKey => ({
  id: key.id,
  configId: "default",
  name: key.name ?? null,
  start: key.start,
  prefix: key.prefix,
  referenceId: key.userId,
  enabled: key.state === "Enabled",
  rateLimitEnabled: false,
  rateLimitTimeWindow: null,
  rateLimitMax: null,
  requestCount: key.requestCount,
  remaining: null,
  refillInterval: null,
  refillAmount: null,
  lastRefillAt: null,
  lastRequest: key.lastUsedAt === undefined ? null : toTimestamp(key.lastUsedAt),
  expiresAt: key.expiresAt === undefined ? null : toTimestamp(key.expiresAt),
  createdAt: toTimestamp(key.createdAt),
  updatedAt: toTimestamp(key.updatedAt),
  permissions: null,
  metadata: null,
});
