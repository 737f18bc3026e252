import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 128 × 16,384 × 16 = 32 MB and about 0.1 s each: dear to guess, cheap to use. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
const keyBytes = 64;
const saltBytes = 16;

/** What is kept of a password: `salthex:keyhex` of scrypt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes).toString("hex");
  return `${salt}:${(await derive(password, salt)).toString("hex")}`;
}

/** Of no password: what an unknown user's is compared with, so that it costs the same time as a known one's. */
const nobody = `${"0".repeat(saltBytes * 2)}:${"0".repeat(keyBytes * 2)}`;

/** Whether `password` is the one that `hash` was made of; takes as long when there is no hash, and is then false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = "", key = ""] = (hash ?? nobody).split(":");
  const derived = await derive(password, salt);
  const kept = Buffer.from(key, "hex");
  return kept.length === keyBytes && timingSafeEqual(kept, derived) && hash !== undefined;
}

const derive = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Two keyboards may compose one letter differently; NFKC makes them the same password.
    scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
