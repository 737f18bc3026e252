import { createHash } from "node:crypto";

/** Collects every secret that a test makes, and all that is said where none of them may stand. */
export class SecretKeeper {
  readonly #secrets = new Map<string, string>();
  readonly #said: { readonly where: string; readonly text: string }[] = [];

  /** Remembers a secret and gives it back. Longer than any accident: one of fewer than 20 characters is refused. */
  keep(what: string, secret: string): string {
    if (secret.length < 20)
      throw new Error(`${what} is too short to be looked for: ${secret.length} characters`);
    this.#secrets.set(what, secret);
    return secret;
  }

  /** Remembers what was said, from whatever time: a secret that was made later cannot stand in it. */
  hear(where: string, text: string): void {
    this.#said.push({ where, text });
  }

  /** How many secrets there are, and how many characters were heard. */
  get size(): { readonly secrets: number; readonly characters: number } {
    const characters = this.#said.reduce((sum, { text }) => sum + text.length, 0);
    return { secrets: this.#secrets.size, characters };
  }

  /** Where a secret, its larger part, or its SHA-256 stands; one line each, without the secret. */
  found(): string[] {
    return this.#said.flatMap((one) => this.#find(one, formsOf));
  }

  /** The same of a text that may hold hashes, as a database does: where a secret stands that could be used. */
  foundRaw(where: string, text: string): string[] {
    const raw = (secret: string) => formsOf(secret).filter(([form]) => !form.includes("SHA-256"));
    return this.#find({ where, text }, raw);
  }

  #find(one: { readonly where: string; readonly text: string }, forms: typeof formsOf): string[] {
    return [...this.#secrets].flatMap(([what, secret]) =>
      forms(secret)
        .filter(([, text]) => one.text.includes(text))
        .map(([form, text]) => `${what} ${form} in ${one.where}: ${around(one.text, text)}`),
    );
  }
}

/** What stands around a find, so that it can be mended. */
function around(text: string, found: string): string {
  const at = text.indexOf(found);
  const [before, after] = [
    text.slice(Math.max(0, at - 60), at),
    text.slice(at + found.length, at + found.length + 40),
  ];
  return JSON.stringify(`${before}[…]${after}`);
}

/** A secret as careless programs write it. The end of a token is as good as all of it: its beginning is shown on purpose. */
function formsOf(secret: string): readonly (readonly [form: string, text: string])[] {
  const sha = (encoding: "base64url" | "base64" | "hex") =>
    createHash("sha256").update(secret).digest(encoding);
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [
    ["as it is", secret],
    ["without its beginning", secret.slice(-16)],
    ["in upper case", secret.toUpperCase()],
    ["percent-encoded", encodeURIComponent(secret)],
    ["in base64", base64.slice(0, -1)],
    ["in hex", Buffer.from(secret).toString("hex")],
    ["as SHA-256 in base64url", sha("base64url")],
    ["as SHA-256 in base64", sha("base64").replace(/=$/, "")],
    ["as SHA-256 in hex", sha("hex")],
  ];
}
