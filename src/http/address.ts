/** The path with its parameters filled in, each percent-encoded. */
export function fillPath(path: string, input: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
}

/** `?a=1&b=2` of the members that are set, or nothing. */
export function queryString(query: unknown): string {
  if (typeof query !== "object" || query === null) return "";
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** The address without user, password, query or fragment: what a message may show. */
export function harmlessUrl(url: string): string {
  if (url.startsWith("unix:")) return url.slice("unix:".length).replace(":", " ").split("?")[0] ?? url;
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return "an address that cannot be read";
  }
}
