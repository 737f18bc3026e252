import { edgesFrom, holdersOf } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** Who is given what secrets hold, as a layer sees it; whether the components are still there is not looked at. */
export interface SecretUsers {
  /** Those who hold one of them, and those who pass it on to others: as roots they make everybody be computed again. */
  readonly roots: ReadonlySet<string>;
  /** Everybody, those who only read it too. */
  readonly all: ReadonlySet<string>;
}

/** A value below it is the id of a secret, which stays when another content comes. */
const below = "/secrets/";

/** Follows secrets from those who hold them along subscriptions, in one statement for each step. */
export async function findSecretUsers(
  reads: Reads,
  layer: Layer,
  secretIds: readonly string[],
): Promise<SecretUsers> {
  let frontier = await holdersOf(reads, layer, secretIds);
  const [roots, all] = [new Set(frontier), new Set(frontier)];
  while (frontier.length > 0) {
    const next = new Set<string>();
    for (const { source, subscriber, from_path, to_path } of await edgesFrom(reads, layer, frontier)) {
      if (!from_path.startsWith(below) || !to_path.startsWith(below)) continue;
      roots.add(source);
      if (!all.has(subscriber)) next.add(subscriber);
      all.add(subscriber);
    }
    frontier = [...next];
  }
  return { roots, all };
}
