/** A value and whose it is, as one text: the value first, since that is what a person looks for. */
export const sideOf = (value: string | null, link: string | null): string | null =>
  value === null ? link : link === null ? value : `${value}${between}${link}`;

const between = "  ";

/** The parts of a side for drawing: the value, and `← component path` where it is subscribed. */
export function partsOfSide(text: string): { readonly value: string; readonly link: string } {
  if (text.startsWith("← ")) return { value: "", link: text };
  const at = text.lastIndexOf(`${between}← `);
  return at < 0 ? { value: text, link: "" } : { value: text.slice(0, at), link: text.slice(at + 2) };
}
