/** The longest that `Prefer: wait` holds an answer, in seconds. */
export const maximumWaitSeconds = 60;

/** Whether `If-None-Match` names `etag`; weak and strong tags compare alike, `*` matches all. */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => plain(tag) === etag);
}

/** Seconds that `Prefer: wait=N` asks for, capped; 0 when it asks for none (RFC 7240). */
export function waitSeconds(header: string | string[] | undefined): number {
  if (header === undefined) return 0;
  const text = Array.isArray(header) ? header.join(",") : header;
  const asked = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(text)?.[1];
  return asked === undefined ? 0 : Math.min(Number(asked), maximumWaitSeconds);
}

/** The `ETag` that stands for a revision. */
export const tagOf = (revision: string): string => `"${revision}"`;
