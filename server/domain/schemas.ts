import { describe, isReadable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** What a person says of a schema or a variant beside its code. */
export interface SchemaWishes {
  readonly name: string;
  readonly category?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly link?: string | null | undefined;
}

/** What counts where the wishes say nothing. */
export interface UsualTexts {
  readonly category: string;
  readonly color: string;
}

/** A schema that nobody said more of. */
export const usualTexts: UsualTexts = { category: "Custom", color: "#000000" };

/** The texts of a schema or variant as they are kept. */
export interface SchemaTexts extends UsualTexts {
  readonly displayName: string;
  readonly description: string | null;
  readonly link: string | null;
}

/** Reads wishes, or refuses the first text that nobody could read, follow or paint with. */
export function readTexts(wishes: SchemaWishes, usual: UsualTexts = usualTexts): SchemaTexts {
  return {
    displayName: readable("name", wishes.name),
    category: readable("category", wishes.category ?? usual.category),
    color: readColor(wishes.color ?? usual.color),
    description: wishes.description ?? null,
    link: wishes.link == null ? null : readLink(wishes.link),
  };
}

function readable(member: string, text: string): string {
  if (isReadable(text)) return text;
  return refuse(
    "invalidRequest",
    `${member}: expected something to read in one line, found ${describe(text)}`,
  );
}

/** Three to eight hexadecimal digits, as style sheets have them. */
const colorPattern = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

function readColor(text: string): string {
  if (colorPattern.test(text)) return text;
  return refuse("invalidRequest", `color: expected a color such as #336699, found ${describe(text)}`);
}

function readLink(text: string): string {
  if (/^https?:\/\/[^\s/]+\S*$/i.test(text)) return text;
  return refuse(
    "invalidRequest",
    `link: expected an address such as https://example.org/docs, found ${describe(text)}`,
  );
}

/** Refuses a name that a schema has already: schemas are found by name in any letter case. */
export function checkNameFree(name: string, schemas: readonly { readonly name: string }[]): void {
  const wanted = name.toLowerCase();
  const known = schemas.find((schema) => schema.name.toLowerCase() === wanted);
  if (known === undefined) return;
  refuse(
    "invalidRequest",
    `name: the change set has a schema ${JSON.stringify(known.name)} already; choose another name, or unlock that schema and change it`,
  );
}
