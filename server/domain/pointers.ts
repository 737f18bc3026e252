/**
 * Two spellings of one place. A *pointer* (RFC 6901) is what people write: `/domain/Tags/0/Key`, elements by position.
 * A *stored key* is what is kept: `/domain/Tags/#<element id>/Key`, elements by identity, so that the edits of two
 * change sets merge. In both, `~0` stands for `~` and `~1` for `/`; a stored key also writes `~2` for a `#` that
 * begins a name, so that `#` always means an element of an array.
 */

const unescaped: Readonly<Record<string, string>> = { "~0": "~", "~1": "/", "~2": "#" };

const escapeSegment = (name: string): string =>
  name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;

/** The segments of a pointer, unescaped; undefined when the text is not a pointer. The empty pointer has none. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer with these segments. */
export const formatPointer = (segments: readonly string[]): string =>
  segments.length === 1 ? pointerTo(segments[0] ?? "") : segments.map(pointerTo).join("");

/** The pointer of one segment. */
const pointerTo = (segment: string): string => `/${escapeSegment(segment)}`;

/** The segment of a stored key for a member of an object or an entry of a map. */
export function nameSegment(name: string): string {
  const escaped = escapeSegment(name);
  return escaped.startsWith("#") ? `~2${escaped.slice(1)}` : escaped;
}

/** The name that a segment of a stored key stands for. */
export const segmentName = (segment: string): string =>
  segment.includes("~") ? segment.replaceAll(/~[012]/g, (code) => unescaped[code] ?? code) : segment;

/** The segment of a stored key for an element of an array. */
export const elementSegment = (elementId: string): string => `#${elementId}`;

/** Whether a segment of a stored key names an element of an array. */
export const isElement = (segment: string): boolean => segment.startsWith("#");

const takenApart = new Map<string, readonly string[]>();
const maximumTakenApart = 10_000;

/** The segments of a stored key as they stand in it; the same few keys are asked for again and again. */
export function keySegments(key: string): readonly string[] {
  const known = takenApart.get(key);
  if (known !== undefined) return known;
  if (takenApart.size >= maximumTakenApart) takenApart.clear();
  const segments = key.slice(1).split("/");
  takenApart.set(key, segments);
  return segments;
}

/** The position that a pointer's segment names: a number in canonical form, undefined for anything else. */
export const parseIndex = (segment: string): number | undefined =>
  /^(0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : undefined;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * An id for an element that must come after `last`: `id` itself when it is greater, else the successor of `last`.
 * Two servers' clocks differ, and an element appended must stay the last.
 */
export function elementIdAfter(last: string | undefined, id: string): string {
  if (last === undefined || id > last) return id;
  const digits = [...last];
  for (let place = digits.length - 1; place >= 0; place--) {
    const digit = alphabet.indexOf(digits[place] ?? "");
    if (digit < alphabet.length - 1) {
      digits[place] = alphabet[digit + 1] ?? "";
      return digits.join("");
    }
    digits[place] = "0";
  }
  return `${last}0`;
}
