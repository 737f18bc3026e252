import { hash } from "node:crypto";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id in the form of a ULID made of a text, the same at every call: for things that have no row of their own. */
export function idOf(text: string): string {
  const bytes = hash("sha256", text, "buffer");
  // 26 digits of 5 bits are 130 bits, a ULID has 128: the first digit is at most 7.
  let id = alphabet[(bytes[0] ?? 0) % 8] ?? "";
  for (let digit = 1; digit < 26; digit++) id += alphabet[(bytes[digit] ?? 0) % 32] ?? "";
  return id;
}
