import { source } from "./source.ts";

/** TypeScript that functions about address ranges share: it stands at the end of their code. */
export const cidrCode = source`
// Reads an IPv4 range such as 10.0.0.0/16; throws a sentence for anything else.
function readCidr(text: unknown): { base: number; prefix: number; size: number } {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(String(text ?? ""));
  if (parts === null) throw new Error("expected an address range such as 10.0.0.0/16, found " + JSON.stringify(text ?? null));
  const [, ...numbers] = parts.map(Number);
  const prefix = numbers.pop();
  if (numbers.some((number) => number > 255)) throw new Error("each number of an address is at most 255, found " + text);
  if (prefix > 32) throw new Error("the length of a prefix is at most 32, found " + prefix);
  const address = numbers.reduce((sum, number) => sum * 256 + number, 0);
  const size = 2 ** (32 - prefix);
  if (address % size !== 0) throw new Error(text + " does not begin where a range of that size can: use " + write(address - (address % size)) + "/" + prefix);
  return { base: address, prefix, size };
}

function write(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join(".");
}
`;

/** The Joi description of a text that looks like an IPv4 range. */
export const cidrFormat = JSON.stringify({
  type: "string",
  rules: [{ name: "pattern", args: { regex: "/^\\d{1,3}(\\.\\d{1,3}){3}\\/\\d{1,2}$/" } }],
});
