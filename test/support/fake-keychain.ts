import type { Keychain, KeychainReply } from "../../src/config/keychain.ts";

/** A keychain in memory; with a reason it is one that cannot be used. */
export function fakeKeychain(
  unavailable?: string,
): Keychain & { readonly items: ReadonlyMap<string, string> } {
  const items = new Map<string, string>();
  const reply = async (value: string | null = null): Promise<KeychainReply> =>
    unavailable === undefined ? { state: "ok", value } : { state: "unavailable", reason: unavailable };
  return {
    items,
    probe: () => reply(),
    get: (account) => reply(items.get(account) ?? null),
    set: (account, value) => {
      if (unavailable === undefined) items.set(account, value);
      return reply();
    },
    delete: (account) => {
      items.delete(account);
      return reply();
    },
  };
}
