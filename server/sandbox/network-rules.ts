import { BlockList, isIP } from "node:net";

/** Where functions may send requests. */
export interface NetworkRules {
  /** `off`: nowhere; `allow-list`: to `hosts` only; `on`: everywhere but to addresses that are not public. */
  readonly mode: "off" | "allow-list" | "on";
  /** Names (`api.example.com`), names below one (`*.example.com`), addresses and ranges (`10.1.0.0/16`). */
  readonly hosts: readonly string[];
}

/** Decides about names and addresses; each gives a sentence when it says no. */
export interface NetworkJudge {
  /** About the host of an address, before it is looked up. */
  refuseHost(host: string): string | undefined;
  /** About an address that `host` stands for. */
  refuseAddress(host: string, address: string): string | undefined;
}

/** Ranges that are not public: this network, private, loopback, link-local with the metadata service, reserved. */
const closedRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "::1/128",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** Reads the rules; throws a sentence for a host that is neither a name nor an address nor a range. */
export function createJudge({ mode, hosts }: NetworkRules): NetworkJudge {
  const closed = rangesOf(closedRanges);
  const isRange = (host: string): boolean => isIP(host.split("/")[0] ?? "") !== 0;
  const listedRanges = rangesOf(hosts.filter(isRange));
  const names = hosts.filter((host) => !isRange(host)).map((host) => host.toLowerCase());
  const wrong = names.find((name) => !/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name));
  if (wrong !== undefined)
    throw new TypeError(`expected a host name, *.name, an address or a range, got ${JSON.stringify(wrong)}`);
  const exact = new Set(names.filter((name) => !name.startsWith("*.")));
  const below = names.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));

  const isNamed = (host: string): boolean => exact.has(host) || below.some((suffix) => host.endsWith(suffix));
  return {
    refuseHost: (host) => {
      if (mode === "off") return "functions have no network access on this server";
      if (mode === "on" || isIP(host) !== 0 || isNamed(host)) return undefined;
      return `functions may not reach ${host}: it is not among the hosts this server allows`;
    },
    refuseAddress: (host, address) => {
      // Whoever lists a name or a range vouches for it; a `*.name` vouches for no private address.
      if (exact.has(host) || includes(listedRanges, address)) return undefined;
      if (includes(closed, address))
        return `functions may not reach ${host}: ${address} is not a public address`;
      if (mode === "on" || isNamed(host)) return undefined;
      return `functions may not reach ${host}: it is not among the hosts this server allows`;
    },
  };
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", length] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const bits = length === undefined ? (family === "ipv6" ? 128 : 32) : Number(length);
    list.addSubnet(address, bits, family);
  }
  return list;
}

/** Whether an address is inside; one of version 4 that is written as version 6 counts as what it means. */
function includes(list: BlockList, address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? mappedHex(bare);
  if (mapped !== undefined) return list.check(mapped, "ipv4");
  return isIP(bare) === 6 ? list.check(bare, "ipv6") : list.check(bare, "ipv4");
}

function mappedHex(address: string): string | undefined {
  const found = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (found === null) return undefined;
  const [high, low] = [Number.parseInt(found[1] ?? "", 16), Number.parseInt(found[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
