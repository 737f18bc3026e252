import { hash } from "node:crypto";

const alphabet = Buffer.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
/** 26 digits of 5 bits are 130 bits, a ULID has 128: the first digit is at most 7. */
const digits = 26;

/** An id in the form of a ULID made of a text, the same at every call: for things that have no row of their own. */
export function idOf(text: string): string {
  const bytes = hash("sha256", text, "buffer");
  for (let digit = 0; digit < digits; digit++) {
    const value = bytes[digit] ?? 0;
    bytes[digit] = alphabet[value % (digit === 0 ? 8 : 32)] ?? 0;
  }
  return bytes.toString("latin1", 0, digits);
}
