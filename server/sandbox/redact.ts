import type { Json } from "../domain/json.ts";

/** What stands where a secret stood. */
export const redacted = "[redacted]";

/** Secrets shorter than this are ordinary words: they go only where they stand alone. */
const shortest = 4;
/** Parts of a secret from this length on are recognised alone: lines of a key, its middle in base64. */
const tellingPart = 8;

/** Replaces every value of `secrets`, however it is written, by `[redacted]`; the longest first. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.map(patternOf).join("|"), "gu");
  return (text) => text.replace(pattern, redacted);
}

/** A JSON value with the texts in it redacted, names of members too. */
export function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(String(value)) === String(value) ? value : redacted;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner: Json) => redactJson(inner, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactJson(inner, redact)]),
  );
}

/** Every text and number inside a value: what is secret of a secret. */
export function secretsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

function formsOf(secret: string): string[] {
  const trimmed = secret.trim();
  if (trimmed === "") return [];
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const parts =
    lines.length === 1 ? [] : lines.filter((line) => line.length >= tellingPart && !/^-----/.test(line));
  const quoted = JSON.stringify(secret).slice(1, -1);
  const encoded =
    trimmed.length >= tellingPart
      ? [encodeURIComponent(secret.toWellFormed()), hexOf(secret), ...base64Of(secret)]
      : [];
  return [secret, trimmed, quoted, ...parts, ...encoded];
}

const hexOf = (secret: string): string => Buffer.from(secret).toString("hex");

/**
 * What base64 makes of the secret wherever it begins in the text that is encoded: three bytes become four characters,
 * so there are three ways, and the first and last characters of each depend on the neighbours.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const sure = text.slice(from, to);
    const safe = sure.replaceAll("+", "-").replaceAll("/", "_");
    return sure.length < tellingPart ? [] : safe === sure ? [sure] : [sure, safe];
  });
}

function patternOf(form: string): string {
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return form.length < shortest ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped;
}
