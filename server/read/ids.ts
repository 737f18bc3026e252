import { hash } from "node:crypto";

const alphabet = Buffer.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
/** 26 digits of 5 bits are 130 bits, a ULID has 128: the first digit is at most 7. */
const id = Buffer.alloc(26);

/** An id in the form of a ULID made of a text, the same at every call: for things that have no row of their own. */
export function idOf(text: string): string {
  // One character for each byte: as a buffer the hash takes three times as long.
  const bytes = hash("sha256", text, "binary");
  for (let digit = 0; digit < id.length; digit++) {
    id[digit] = alphabet[bytes.charCodeAt(digit) % (digit === 0 ? 8 : 32)] ?? 0;
  }
  return id.toString("latin1");
}
