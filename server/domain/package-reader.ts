import { describe, isArray, isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import { refuse } from "./refusal.ts";

/** An object of a document, with the place where it stands: `pkg_spec.schemas[0].variants[1]`. */
export interface Placed {
  readonly object: JsonObject;
  readonly at: string;
}

/** Refuses the shape of a document, naming the place. */
export function unreadable(at: string, expected: string, found: Json | undefined): never {
  const what = found === undefined ? "nothing" : describe(found);
  return refuse("packageUnreadable", `${at}: expected ${expected}, found ${what}`);
}

/** Refuses what a document says, naming the place: its shape is right, its content makes no sense. */
export const senseless = (at: string, problem: string): never =>
  refuse("packageInvalid", `${at}: ${problem}`);

/** A value as an object of a document. */
export const objectAt = (value: Json | undefined, at: string): Placed =>
  isObject(value) ? { object: value, at } : unreadable(at, "an object", value);

const place = ({ at }: Placed, name: string): string => `${at}.${name}`;
const given = ({ object }: Placed, name: string): Json | undefined => {
  const value = memberOf(object, name);
  return value === null ? undefined : value;
};

/** Longest text of a spec but for code, in UTF-16 units: a schema is read as a whole with every component. */
const maximumText = 100_000;

/** A member that has to be a text, of at most so many characters. */
export function textOf(holder: Placed, name: string, maximum = maximumText): string {
  const value = memberOf(holder.object, name);
  if (typeof value !== "string") return unreadable(place(holder, name), "a string", value);
  if (value.length <= maximum) return value;
  return senseless(place(holder, name), `expected at most ${maximum} characters, found ${value.length}`);
}

/** A member that is a text, null or absent. */
export const optionalText = (holder: Placed, name: string): string | undefined =>
  given(holder, name) === undefined ? undefined : textOf(holder, name);

/** A member that is an address such as `https://example.org`, null or absent. */
export function optionalLink(holder: Placed, name: string): string | undefined {
  const text = optionalText(holder, name);
  if (text === undefined || /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i.test(text)) return text;
  return unreadable(place(holder, name), "a URL", text);
}

/** A member that has to be true or false. */
export function flagOf(holder: Placed, name: string): boolean {
  const value = memberOf(holder.object, name);
  return typeof value === "boolean" ? value : unreadable(place(holder, name), "true or false", value);
}

/** A member that is true, false, null or absent, which count as false. */
export const optionalFlag = (holder: Placed, name: string): boolean =>
  given(holder, name) === undefined ? false : flagOf(holder, name);

/** A member that has to be one of some texts. */
export function choiceOf<Choice extends string>(
  holder: Placed,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = memberOf(holder.object, name);
  const found = choices.find((choice) => choice === value);
  return found ?? unreadable(place(holder, name), `one of ${choices.join(", ")}`, value);
}

/** A member that is one of some texts, null or absent. */
export const optionalChoice = <Choice extends string>(
  holder: Placed,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => (given(holder, name) === undefined ? undefined : choiceOf(holder, name, choices));

/** A member that has to be an object. */
export const memberObject = (holder: Placed, name: string): Placed =>
  objectAt(memberOf(holder.object, name), place(holder, name));

/** A member that is an object, null or absent. */
export const optionalObject = (holder: Placed, name: string): Placed | undefined =>
  given(holder, name) === undefined ? undefined : memberObject(holder, name);

/** A member that has to be an array, with the places of what it holds. */
export function listOf(
  holder: Placed,
  name: string,
): readonly { readonly value: Json; readonly at: string }[] {
  const value = memberOf(holder.object, name);
  if (!isArray(value)) return unreadable(place(holder, name), "an array", value);
  return value.map((item, index) => ({ value: item, at: `${place(holder, name)}[${index}]` }));
}

/** A member that has to be an array of objects. */
export const objectsOf = (holder: Placed, name: string): readonly Placed[] =>
  listOf(holder, name).map(({ value, at }) => objectAt(value, at));

/** A member that is an array of objects, null or absent, which counts as empty. */
export const optionalObjects = (holder: Placed, name: string): readonly Placed[] =>
  given(holder, name) === undefined ? [] : objectsOf(holder, name);

/** Objects that are not marked as deleted. */
export const present = (objects: readonly Placed[]): readonly Placed[] =>
  objects.filter((object) => !optionalFlag(object, "deleted"));
