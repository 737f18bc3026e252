import { hkdfSync } from "node:crypto";
import type { Store } from "../store/open.ts";
import { findSwitch, setSwitch } from "../store/switches.ts";

/** One key for one purpose, so that what one of them gives away says nothing about the others. */
export const deriveKey = (serverKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", serverKey, "svc", purpose, 32));

/** Stands for a key in the database and says nothing about it. */
export const fingerprintOf = (serverKey: Buffer): string =>
  deriveKey(serverKey, "fingerprint").toString("base64url");

/**
 * Notes which key a database is served with; gives one line to warn with when it was another one last time, since what
 * that one signed and sealed is lost to this process.
 */
export async function noteServerKey(store: Store, serverKey: Buffer): Promise<string | undefined> {
  const fingerprint = fingerprintOf(serverKey);
  return store.write(async (tx) => {
    const before = await findSwitch(tx, "server-key");
    if (before?.value.fingerprint === fingerprint) return undefined;
    await setSwitch(tx, "server-key", { fingerprint });
    return before === undefined ? undefined : otherKey;
  });
}

const otherKey =
  "this database was served with another secret key before: workspace tokens and secrets made with that one are refused here; give all processes of a database the same key (SVC_SECRET_KEY, or the same file)";
