/** The file of `sqlite:<path>` or `sqlite://<path>`; undefined for every other address. */
export const sqliteFile = (url: string): string | undefined => /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];

/**
 * A database's address as it may be printed: without the password and without the query, which may hold one too. Of what
 * cannot be read for sure only the scheme.
 */
export function shownDatabase(url: string): string {
  if (sqliteFile(url) !== undefined) return url;
  const schemeOnly = `${/^[a-z]+:/i.exec(url)?.[0] ?? ""}…`;
  if (!URL.canParse(url)) return schemeOnly;
  const { protocol, username, host, pathname, search, hash } = new URL(url);
  // A password with a slash, a question mark or a number sign that is not encoded ends the host before it: `svc:1/2@host`.
  if (host === "" || `${pathname}${search}${hash}`.includes("@")) return schemeOnly;
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}
