import { fail } from "../../src/contract/errors.ts";
import type { Reads, Store } from "../store/open.ts";
import {
  countSealedOtherwise,
  findSealingKey,
  holdKeyList,
  listKeysInUse,
  nameSealingKey,
  resealBatch,
} from "../store/secret-contents.ts";
import { findSwitch } from "../store/switches.ts";
import type { SealingKey } from "./sealing-key.ts";
import { resealContent } from "./secrets.ts";
import { fingerprintOf } from "./server-key.ts";
import type { ServerKeys } from "./server-keys.ts";

/** What a rotation did. */
export interface Rotation {
  /** Contents sealed anew. */
  readonly resealed: number;
  /** The key was there already: given by the environment, or left by a rotation that was interrupted. */
  readonly resumed: boolean;
  /** Contents left as they are, because no key that is here opens them. */
  readonly unreadable: number;
  /** Old keys taken out of the file. */
  readonly retired: number;
}

/**
 * Seals everything with another key: makes one where the keys lie in a file, names it in the database so that every
 * process seals with it from then on, seals in batches what is there, and only then takes the old one away. Whatever
 * interrupts it, everything can be opened, and the next call finishes it. Throws `secretKeyNotHere`.
 */
export async function rotateSecretKey(store: Store, keys: ServerKeys): Promise<Rotation> {
  const { key, resumed } = await nameKey(store, keys);
  let resealed = 0;
  for (;;) {
    const done = await resealAll(store, keys, key);
    resealed += done;
    // Another process may have been at some of them, and may have given up.
    if (done === 0) break;
  }
  const unreadable = await countSealedOtherwise(store, key.id);
  return { resealed, resumed, unreadable, retired: await retireKeys(store, keys) };
}

/** The key that is to count from now on. */
interface Named {
  readonly key: SealingKey;
  readonly resumed: boolean;
}

/** Decides which key is to count, and names it in the database. */
function nameKey(store: Store, keys: ServerKeys): Promise<Named> {
  return store.write(async (tx) => {
    await holdKeyList(tx);
    const served = await findSwitch(tx, "server-key");
    if (served !== undefined && served.value.fingerprint !== fingerprintOf(keys.base)) {
      fail("secretKeyNotHere", otherServer);
    }
    await keys.reload();
    const resumed = await isUnfinished(tx, keys);
    if (!resumed) await (keys.file ?? fail("secretKeyNotHere", givenOnly)).add();
    const key = keys.newest();
    await nameSealingKey(tx, key.id);
    return { key, resumed };
  });
}

/** Whether the newest key is not yet the one that seals everything. */
async function isUnfinished(reads: Reads, keys: ServerKeys): Promise<boolean> {
  const newest = keys.newest().id;
  const named = await findSealingKey(reads);
  if (named !== undefined && named !== newest) return true;
  const used = new Set(await listKeysInUse(reads));
  return keys.sealing().some(({ id }) => id !== newest && used.has(id));
}

/** One line to warn with while secrets are still sealed with another key than the newest; undefined else. */
export const rotationToDo = async (store: Store, keys: ServerKeys): Promise<string | undefined> =>
  (await isUnfinished(store, keys))
    ? "secrets are not all sealed with the newest secret key yet: run svc server rotate-secret-key to finish it"
    : undefined;

const otherServer =
  "this database is served with another secret key than the one that is here: run this where the servers' key is, or with their SVC_SECRET_KEY";

const givenOnly =
  "the secret key comes from SVC_SECRET_KEY: append a new one to it (SVC_SECRET_KEY=<old>,<new>, the new one from `openssl rand -hex 32`), restart every process of the server with both, and run this again; afterwards keep the first and the last";

/** Seals everything that can be opened with `key`, batch after batch; says how much that was. */
async function resealAll(store: Store, keys: ServerKeys, key: SealingKey): Promise<number> {
  let count = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    // A rotation that began since goes on with a key of its own.
    if ((await findSealingKey(store)) !== key.id) break;
    const batch = await resealBatch(store, key.id, after, (content) => resealContent(keys, key, content));
    count += batch.count;
    after = batch.next;
    // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count;
}

/** Takes the keys out of the file that nothing is sealed with any more. */
const retireKeys = (store: Store, { file }: ServerKeys): Promise<number> =>
  store.write(async (tx) => {
    await holdKeyList(tx);
    const used = new Set(await listKeysInUse(tx));
    return (await file?.retire((id) => used.has(id))) ?? 0;
  });
