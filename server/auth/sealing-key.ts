import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKey } from "./server-key.ts";

/** A key that contents of secrets are sealed with, and the name by which what it sealed says so. */
export interface SealingKey {
  /** Says nothing about the key. */
  readonly id: string;
  readonly key: Buffer;
}

/** What a sealed text belongs to: opened as anything else it does not open. */
export interface SealedFor {
  readonly workspaceId: string;
  readonly secretId: string;
  readonly contentId: string;
}

const cipher = "aes-256-gcm";
/** What GCM takes without a detour, and the whole tag, in bytes. */
const nonceLength = 12;
const tagLength = 16;
/** Half of SHA-256 in hexadecimal digits: enough for nobody to meet another key of the same name. */
const idLength = 32;

/** The sealing key that belongs to one of the server's keys: the same in every process that was given that one. */
export const sealingKeyOf = (serverKey: Buffer): SealingKey => ({
  id: deriveKey(serverKey, "secrets, name of the key").toString("hex").slice(0, idLength),
  key: deriveKey(serverKey, "secrets"),
});

/** Seals a text: nonce, ciphertext and tag, base64url. The nonce is new each time, so equal texts never look alike. */
export function seal({ key }: SealingKey, owner: SealedFor, text: string): string {
  const nonce = randomBytes(nonceLength);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagLength });
  sealing.setAAD(bindingOf(owner));
  const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([nonce, sealed, sealing.getAuthTag()]).toString("base64url");
}

/** The text again; throws when anything differs: the key, what it belongs to, or one bit of it. */
export function unseal({ key }: SealingKey, owner: SealedFor, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const [start, end] = [nonceLength, bytes.length - tagLength];
  if (end < start) throw new Error("a sealed text is too short");
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, start), { authTagLength: tagLength });
  opening.setAAD(bindingOf(owner));
  opening.setAuthTag(bytes.subarray(end));
  return Buffer.concat([opening.update(bytes.subarray(start, end)), opening.final()]).toString("utf8");
}

/** Ids have no spaces in them, so no two owners are written alike. */
const bindingOf = ({ workspaceId, secretId, contentId }: SealedFor): Buffer =>
  Buffer.from(`svc secret 1 ${workspaceId} ${secretId} ${contentId}`);
