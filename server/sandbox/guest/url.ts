import { define } from "./define.ts";
import type { Host } from "./host.ts";

interface Parts {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly origin: string;
}

const settable = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

/** `URL` and `URLSearchParams`; addresses are read outside, where the platform knows how. */
export function installUrl(host: Host): void {
  const { parse, stringify } = JSON;
  const read = (question: object): Parts | null => parse(host.url(stringify(question)));
  class Address {
    #parts: Parts;
    readonly searchParams: SearchParams;
    constructor(address: unknown, base?: unknown) {
      const href = String(address);
      const parts = read(base === undefined ? { href } : { href, base: String(base) });
      if (parts === null) throw new TypeError(`Invalid URL: ${href.slice(0, 100)}`);
      this.#parts = parts;
      this.searchParams = new SearchParams(parts.search, (search) => this.#set("search", search));
    }
    static canParse(address: unknown, base?: unknown): boolean {
      return (
        read(
          base === undefined ? { href: String(address) } : { href: String(address), base: String(base) },
        ) !== null
      );
    }
    #set(part: string, value: string): void {
      this.#parts = read({ href: this.#parts.href, part, value }) ?? this.#parts;
    }
    get origin(): string {
      return this.#parts.origin;
    }
    toString(): string {
      return this.#parts.href;
    }
    toJSON(): string {
      return this.#parts.href;
    }
    static {
      for (const part of settable) {
        Object.defineProperty(Address.prototype, part, {
          configurable: true,
          enumerable: true,
          get(this: Address): string {
            return this.#parts[part];
          },
          set(this: Address, value: unknown) {
            this.#set(part, String(value));
            if (part === "href" || part === "search") this.searchParams.read(this.#parts.search);
          },
        });
      }
    }
  }
  define("URL", Object.defineProperty(Address, "name", { value: "URL" }));
  define("URLSearchParams", Object.defineProperty(SearchParams, "name", { value: "URLSearchParams" }));
}

type Pair = [name: string, value: string];

class SearchParams {
  #pairs: Pair[] = [];
  readonly #changed: (search: string) => void;
  constructor(from: unknown = "", changed: (search: string) => void = () => {}) {
    this.#changed = changed;
    if (typeof from === "object" && from !== null) {
      const pairs = Symbol.iterator in from ? [...(from as Iterable<Pair>)] : Object.entries(from);
      this.#pairs = pairs.map(([name, value]) => [String(name), String(value)]);
    } else this.read(String(from));
  }
  /** Takes over what a query string says. */
  read(search: string): void {
    this.#pairs = search
      .replace(/^\?/, "")
      .split("&")
      .filter((part) => part !== "")
      .map((part) => {
        const at = part.indexOf("=");
        return at < 0 ? [decoded(part), ""] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
      });
  }
  #write(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
  get size(): number {
    return this.#pairs.length;
  }
  append(name: string, value: unknown): void {
    this.#write([...this.#pairs, [String(name), String(value)]]);
  }
  delete(name: string): void {
    this.#write(this.#pairs.filter(([other]) => other !== name));
  }
  get(name: string): string | null {
    return this.#pairs.find(([other]) => other === name)?.[1] ?? null;
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([other]) => other === name).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.#pairs.some(([other]) => other === name);
  }
  set(name: string, value: unknown): void {
    const at = this.#pairs.findIndex(([other]) => other === name);
    const rest = this.#pairs.filter(([other], index) => index === at || other !== name);
    if (at < 0) this.append(name, value);
    else this.#write(rest.map((pair, index) => (index === at ? [pair[0], String(value)] : pair)));
  }
  sort(): void {
    this.#write([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }
  forEach(callback: (value: string, name: string, all: SearchParams) => void): void {
    for (const [name, value] of this.#pairs) callback(value, name, this);
  }
  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name)[Symbol.iterator]();
  }
  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value)[Symbol.iterator]();
  }
  entries(): IterableIterator<Pair> {
    return this.#pairs.map(([name, value]): Pair => [name, value])[Symbol.iterator]();
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  }
}

const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
