import { createHmac, randomBytes } from "node:crypto";

const canonical = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whom an unauthenticated request is attributed to: its device where the header is a canonical UUID, the same `anon_`
 * hash of address and agent where it is anything else, a new one every time where it is absent. Never authenticates.
 */
export function deviceId(
  header: string | string[] | undefined,
  caller: { readonly ip: string; readonly userAgent: string | undefined },
  key: Buffer,
): string {
  if (header === undefined) return `anon_${randomBytes(16).toString("hex")}`;
  if (typeof header === "string" && canonical.test(header)) return header.toLowerCase();
  const seen = `${caller.ip}\n${caller.userAgent ?? ""}`;
  // 32 of 64 characters: 128 bits, as many as a UUID has.
  return `anon_${createHmac("sha256", key).update(seen).digest("hex").slice(0, 32)}`;
}
