/** What a person may know a credential by: as many characters as lists show of a key. */
const shown = 12;

/**
 * Whatever is formed like a credential of this product, or may be the larger part of one: keys and codes that begin with
 * `svc_`, signed tokens, and sessions, which are 64 hexadecimal characters. Of those a message that repeats a text shows 40
 * or more before the quote where it cuts. What is called a hash or a digest is none, though it looks the same.
 */
const credentials = new RegExp(
  [
    "svc_[a-z]*_?[0-9a-f]{12,}",
    "eyJ[\\w-]{9,}(?:\\.[\\w-]*)*",
    "(?<![0-9a-z])(?<!(?:sha-?(?:1|256|384|512)|hash|digest|checksum|fingerprint)\\W{0,4})(?:[0-9a-f]{64,}|[0-9a-f]{40,63}(?=[\"'…]))",
  ].join("|"),
  "gi",
);

/** The text with the beginning of each credential in it only: what is refused is repeated where somebody else reads it. */
export const concealCredentials = (text: string): string =>
  text.replace(credentials, (credential) => `${credential.slice(0, shown)}…`);
