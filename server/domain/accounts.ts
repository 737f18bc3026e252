import { unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/**
 * A username as it is stored: lower case. Letters, digits, underscores and dots, 3 to 30 of them. The message repeats
 * one character at most: people type their password here.
 */
export function checkUsername(username: string): string {
  const other = /[^a-zA-Z0-9_.]/u.exec(username)?.[0];
  if (other === undefined && username.length >= 3 && username.length <= 30) return username.toLowerCase();
  const found = other === undefined ? `${username.length} characters` : `${JSON.stringify(other)} in it`;
  return refuse(
    "invalidUsername",
    `username: expected 3 to 30 letters, digits, underscores or dots, found ${found}`,
  );
}

/** Longest e-mail address that mail can be sent to, in characters. */
const maximumEmail = 254;

/**
 * An e-mail address as it is stored: lower case. Something, `@`, and a domain with a dot, without spaces. The message does
 * not repeat what is none: people type their password here.
 */
export function checkEmail(email: string): string {
  const looksRight = /^[^\s@"<>()]+@[^\s@"<>().]+(\.[^\s@"<>().]+)+$/.test(email);
  if (looksRight && email.length <= maximumEmail && unstorable(email) === undefined)
    return email.toLowerCase();
  return refuse(
    "invalidEmail",
    `email: expected an address such as ada@example.org, found ${email.length} characters that are none`,
  );
}

/** Fewest and most characters of a password; the upper bound limits what hashing one costs. */
const passwordLength = { minimum: 8, maximum: 128 } as const;

/** A password to be, checked; a message names the member that had it, never what it was. */
export function checkPassword(password: string, member = "password"): string {
  const { minimum, maximum } = passwordLength;
  const found = `found ${password.length}`;
  if (password.length < minimum) {
    refuse("passwordTooShort", `${member}: expected at least ${minimum} characters, ${found}`);
  }
  if (password.length > maximum)
    refuse("passwordTooLong", `${member}: expected at most ${maximum} characters, ${found}`);
  const bad = unstorable(password);
  if (bad !== undefined) refuse("badRequest", `${member}: expected text, found ${bad} in it`);
  return password;
}

/** Longest display name of a person, in UTF-16 units. */
const maximumDisplayName = 200;

/** The display name of a person, without blanks around it. */
export function checkDisplayName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= maximumDisplayName && unstorable(trimmed) === undefined)
    return trimmed;
  return refuse(
    "badRequest",
    `name: expected 1 to ${maximumDisplayName} characters of text, found ${trimmed.length}`,
  );
}
