const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** A ULID starts with its time: 48 bits of milliseconds in 10 characters of 5 bits. */
const timeCharacters = 10;

/** When a ULID was made, in milliseconds since 1970; undefined for anything else. */
export function ulidTime(id: string): number | undefined {
  if (id.length !== 26) return undefined;
  let time = 0;
  for (let index = 0; index < timeCharacters; index++) {
    const digit = alphabet.indexOf(id.charAt(index));
    if (digit < 0) return undefined;
    time = time * 32 + digit;
  }
  return time;
}

/** A short age for a column: `8s`, `12m`, `3h`, `23d`, `2y`. */
export function ageText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minute) return `${Math.floor(age / second)}s`;
  if (age < hour) return `${Math.floor(age / minute)}m`;
  if (age < day) return `${Math.floor(age / hour)}h`;
  if (age < 730 * day) return `${Math.floor(age / day)}d`;
  return `${Math.floor(age / (365 * day))}y`;
}

/** A duration for a sentence: `48 s`, `2 m 10 s`, `3 h 4 m`, `2 d 5 h`. */
export function durationText(ms: number): string {
  const span = Math.max(0, ms);
  const pair = (big: number, bigName: string, small: number, smallName: string): string => {
    const rest = Math.floor((span % big) / small);
    return `${Math.floor(span / big)} ${bigName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
  };
  if (span < minute) return `${Math.floor(span / second)} s`;
  if (span < hour) return pair(minute, "m", second, "s");
  if (span < day) return pair(hour, "h", minute, "m");
  return pair(day, "d", hour, "h");
}

/** A length of time as a person types it in a filter: `90s`, `10m`, `4h`, `2d`, `1w`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(s|m|h|d|w)$/.exec(text);
  if (match === null) return undefined;
  const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day };
  const unit = units[match[2] ?? ""];
  return unit === undefined ? undefined : Number(match[1]) * unit;
}

/** Wall clock `14:07:31`, in a zone `zoneMinutes` ahead of UTC. */
export const clockText = (time: number, zoneMinutes: number): string =>
  new Date(time + zoneMinutes * minute).toISOString().slice(11, 19);

/** The time an RFC 3339 text stands for; undefined for null and for text that is none. */
export function timeOf(timestamp: string | null | undefined): number | undefined {
  if (timestamp === null || timestamp === undefined) return undefined;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}
