/**
 * An address of this server to go on to, as somebody's link gave it; `otherwise` where it leads anywhere else, so that
 * no link to the sign-in page ends on another site.
 */
export function localAddress(given: string | undefined, otherwise: string): string {
  if (given === undefined || !given.startsWith("/")) return otherwise;
  const base = "http://local.invalid";
  try {
    const url = new URL(given, base);
    // `/.//host` is read as `//host`, which browsers take for another site.
    const local = url.origin === base && !url.pathname.startsWith("//");
    return local ? `${url.pathname}${url.search}` : otherwise;
  } catch {
    return otherwise;
  }
}
