import { hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { errorCode, readFileIfThere } from "../../src/lib/atomic-file.ts";
import { Problem } from "../../src/lib/problem.ts";
import type { Store } from "../store/open.ts";
import { findSwitch, setSwitch } from "../store/switches.ts";

const pattern = /^[0-9a-f]{64}$/i;

/**
 * The key that everything secret of this server is derived from: given, or kept in a 0600 file made at first use.
 * Throws a {@link Problem} when what is there is not a key: making a new one would lose what the old one sealed.
 */
export async function loadServerKey(
  settings: Pick<ServerSettings, "secretKeyFile" | "secretKey">,
): Promise<Buffer> {
  const { secretKey, secretKeyFile } = settings;
  if (secretKey !== undefined) return keyOf(secretKey, "the server's secret key (from the settings)");
  const text = (await readFileIfThere(secretKeyFile)) ?? makeFile(secretKeyFile);
  return keyOf(text.trim(), `the server's secret key in ${secretKeyFile}`);
}

/** One key for one purpose, so that what one of them gives away says nothing about the others. */
export const deriveKey = (serverKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", serverKey, "svc", purpose, 32));

/**
 * Notes which key a database is served with; gives one line to warn with when it was another one last time, since what
 * that one signed and sealed is lost to this process.
 */
export async function noteServerKey(store: Store, serverKey: Buffer): Promise<string | undefined> {
  const fingerprint = deriveKey(serverKey, "fingerprint").toString("base64url");
  return store.write(async (tx) => {
    const before = await findSwitch(tx, "server-key");
    if (before?.value.fingerprint === fingerprint) return undefined;
    await setSwitch(tx, "server-key", { fingerprint });
    return before === undefined ? undefined : otherKey;
  });
}

const otherKey =
  "this database was served with another secret key before: workspace tokens and secrets made with that one are refused here; give all processes of a database the same key (SVC_SECRET_KEY, or the same file)";

/** Two processes may start at once: the file appears complete, and whoever comes second reads the first one's. */
function makeFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  writeFileSync(temporary, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(path, "utf8");
}

function keyOf(text: string, where: string): Buffer {
  if (pattern.test(text)) return Buffer.from(text, "hex");
  throw new Problem(`${where}: expected 64 hexadecimal characters, found something else`, {
    code: "validation_failed",
    hint: "restore it from a backup: without it what the server sealed is lost",
  });
}
