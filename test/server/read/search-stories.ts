import type { TestServer } from "../../support/server.ts";

/** Numerical Recipes' generator: the same seed gives the same story. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Takes one of several. */
export function choose<const T>(below: (limit: number) => number, all: readonly T[]): T {
  const chosen = all[below(all.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

/** A query of a test: what it must find is said by {@link naive}, in another way than the server's. */
export type Asked =
  | { readonly does: "and" | "or"; readonly parts: readonly Asked[] }
  | { readonly does: "not"; readonly part: Asked }
  | { readonly does: "word"; readonly text: string }
  | { readonly does: "attribute"; readonly name: string; readonly terms: readonly string[] }
  | { readonly does: "diff"; readonly status: string };

/** What the API shows of a component. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly schemaName: string;
  readonly diffStatus: string;
  /** By pointer: everything below `/domain`, unset ones null. */
  readonly domain: ReadonlyMap<string, unknown>;
}

/** The query as text. */
export function textOf(asked: Asked): string {
  switch (asked.does) {
    case "not":
      return `!(${textOf(asked.part)})`;
    case "word":
      return asked.text;
    case "attribute":
      return `${asked.name}:${asked.terms.join("|")}`;
    case "diff":
      return `diff:${asked.status}`;
    default:
      return asked.parts.map((part) => `(${textOf(part)})`).join(asked.does === "and" ? " " : " | ");
  }
}

/** Whether a component fits, judged by what the API shows of it. */
export function naive(asked: Asked, one: Listed): boolean {
  switch (asked.does) {
    case "not":
      return !naive(asked.part, one);
    case "and":
      return asked.parts.every((part) => naive(part, one));
    case "or":
      return asked.parts.some((part) => naive(part, one));
    case "word":
      return [one.name, one.schemaName].some((text) => text.toLowerCase().includes(asked.text.toLowerCase()));
    case "diff":
      return asked.status === "true"
        ? one.diffStatus !== "None"
        : one.diffStatus.toLowerCase() === asked.status;
    case "attribute":
      return [...one.domain].some(
        ([pointer, value]) =>
          pointer.toLowerCase().endsWith(`/${asked.name.toLowerCase()}`) &&
          (asked.terms.length === 0 || asked.terms.some((term) => isMeant(term, value))),
      );
  }
}

function isMeant(term: string, value: unknown): boolean {
  if (typeof value === "string") return term === "*" || value.toLowerCase().includes(term.toLowerCase());
  return typeof value === "object" && value !== null ? false : JSON.stringify(value) === term;
}

/** A query of up to three levels. */
export function randomQuery(below: (limit: number) => number, depth = 0): Asked {
  const dice = below(depth > 2 ? 6 : 10);
  const part = (): Asked => randomQuery(below, depth + 1);
  if (dice < 1) return { does: "word", text: choose(below, ["n1", "N", "mach", "network", "x"]) };
  if (dice < 2) return { does: "diff", status: choose(below, ["true", "added", "modified", "removed"]) };
  if (dice < 6) {
    const name = choose(below, [
      "region",
      "size",
      "labels/a",
      "tags/0/Key",
      "Value",
      "Key",
      "cidr",
      "domain/tags",
      "zones/1",
      "a",
    ]);
    const terms = ["a", "b", "eu", "1", "2", "null", "none", "*"].filter(() => below(5) === 0);
    return { does: "attribute", name, terms };
  }
  if (dice < 7) return { does: "not", part: part() };
  return { does: dice < 9 ? "and" : "or", parts: Array.from({ length: 1 + below(3) }, part) };
}

/** Where and as whom the API is asked. */
export interface Asking {
  readonly server: TestServer;
  readonly key: string;
  /** `/v1/w/…/change-sets/…`. */
  readonly base: string;
}

/** Every component of a change set as list and get show them. */
export async function listAll({ server, key, base }: Asking): Promise<Listed[]> {
  const page = await server.request("GET", `${base}/components?limit=300&includeDiffStatus=true`, {
    as: key,
  });
  const { componentDetails } = page.body as {
    componentDetails: readonly {
      componentId: string;
      name: string;
      schemaName: string;
      diffStatus: string;
    }[];
  };
  return Promise.all(
    componentDetails.map(async ({ componentId, ...details }): Promise<Listed> => {
      const got = await server.request("GET", `${base}/components/${componentId}`, { as: key });
      const { component } = got.body as {
        component: { domainProps: readonly { path: string; value: unknown }[] };
      };
      const domain = component.domainProps.map(({ path, value }) => [pointerOf(path), value] as const);
      return { id: componentId, ...details, domain: new Map(domain) };
    }),
  );
}

/** `root/domain/tags/tag[0]/Key` as `/domain/tags/0/Key`. */
const pointerOf = (path: string): string => path.replace(/^root/, "").replace(/\/[^/[]+\[([^\]]*)\]/g, "/$1");

/** The ids that a search finds. */
export async function search({ server, key, base }: Asking, query: string): Promise<string[]> {
  const answer = await server.request("GET", `${base}/search?q=${encodeURIComponent(query)}`, { as: key });
  if (answer.status !== 200) throw new Error(`${query} was answered with ${answer.status}: ${answer.text}`);
  return (answer.body as { components: readonly { id: string }[] }).components.map(({ id }) => id);
}
