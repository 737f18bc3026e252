import Type from "typebox";

/** A ULID in upper case: 26 characters of Crockford's base 32, the first at most 7. */
export const ulidPattern = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$";
const ulidExpression = new RegExp(ulidPattern);

/** Whether `text` would be read as an id in any letter case. */
export const looksLikeUlid = (text: string): boolean => ulidExpression.test(text.toUpperCase());

/** Milliseconds since the epoch at which the id was made. */
export function ulidTime(id: string): number {
  let time = 0;
  for (const character of id.slice(0, 10))
    time = time * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(character);
  return time;
}

export const Id = Type.String({ description: "A ULID" });
/** RFC 3339 in UTC. */
export const Timestamp = Type.String({ format: "date-time" });
