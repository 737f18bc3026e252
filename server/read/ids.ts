import { hash } from "node:crypto";

const alphabet = Buffer.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
/** 26 digits of 5 bits are 130 bits, a ULID has 128: the first digit is at most 7. */
const id = Buffer.alloc(26);

/** Numbers of the alphabet's digits by their character codes. */
const digits = new Uint8Array(128);
for (const [number, code] of alphabet.entries()) digits[code] = number;

/** Digits of the ids that stand for keys. */
const keyDigits = new Map<string, Uint8Array>();
const maximumKeys = 10_000;

/**
 * The id of the value that a component has under a stored key, the same at every call: the component's own id, mixed
 * with one that stands for the key, which many components share.
 */
export function valueIdOf(componentId: string, key: string): string {
  const others = keyDigits.get(key) ?? digitsOfKey(key);
  for (let digit = 0; digit < id.length; digit++) {
    const own = digits[componentId.charCodeAt(digit)] ?? 0;
    id[digit] = alphabet[own ^ (others[digit] ?? 0)] ?? 0;
  }
  return id.toString("latin1");
}

function digitsOfKey(key: string): Uint8Array {
  if (keyDigits.size >= maximumKeys) keyDigits.clear();
  const made = Uint8Array.from(Buffer.from(idOf(key), "latin1"), (code) => digits[code] ?? 0);
  keyDigits.set(key, made);
  return made;
}

/** An id in the form of a ULID made of a text, the same at every call: for things that have no row of their own. */
export function idOf(text: string): string {
  // One character for each byte: as a buffer the hash takes three times as long.
  const bytes = hash("sha256", text, "binary");
  for (let digit = 0; digit < id.length; digit++) {
    id[digit] = alphabet[bytes.charCodeAt(digit) % (digit === 0 ? 8 : 32)] ?? 0;
  }
  return id.toString("latin1");
}
