import { createHash } from "node:crypto";
import type { ServerKeys } from "../auth/server-keys.ts";
import type { Binding } from "../domain/functions.ts";
import { secretIdOf } from "../domain/secrets.ts";
import type { BeforeFunction } from "../sandbox/sandbox.ts";
import { findComponents, listNames } from "../store/components.ts";
import { edgesTo, holdersAmong } from "../store/edges.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { bindingsFor, bindingsOfSchemas } from "./functions.ts";
import { rulesFor } from "./rules.ts";
import { type OpenedSecret, openSecrets } from "./secrets.ts";
import { findVariants, listSchemas, type VariantCache } from "./variants.ts";

/** What functions of a component are preceded by. */
export interface Authentication {
  /** In the order in which they run; the same object for all components that are given the same. */
  readonly before: readonly BeforeFunction[];
  /** Stands for them in a fingerprint: another one whenever code or contents differ. Tells nothing of a secret. */
  readonly fingerprint: string;
}

/** What finding them takes beside the layer. */
export interface AuthenticationSources {
  readonly keys: ServerKeys;
  readonly variants: VariantCache;
}

/** What components without secrets have. */
export const noAuthentication: Authentication = { before: [], fingerprint: "" };

/**
 * The authentication functions of these components, by component; those that have none are left out. Secrets are
 * followed along subscriptions below `/secrets`, in one statement for each step, to the components that hold one;
 * what is farthest away runs first. A secret that cannot be opened, and one whose definition has no function, counts
 * as none.
 */
export async function beforeFunctions(
  reads: Reads,
  { keys, variants }: AuthenticationSources,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, Authentication>> {
  const { sources, reached } = await followSecrets(reads, layer, componentIds);
  const candidates = await holdersAmong(reads, layer, reached);
  if (candidates.length === 0) return new Map();
  const rules = rulesFor(reads, variants);
  const holders = await heldSecrets(reads, variants, layer, candidates);
  const functions = await functionsByDefinition(reads, variants, layer);
  const opened = await openSecrets(reads, keys, layer, [...new Set(holders.values())]);
  // A chain ends at a component that the layer does not show: who read from it is given nothing.
  const shown = await listNames(reads, rules, layer, [...sources.keys(), ...[...sources.values()].flat()]);
  const made = new Map<string, Authentication>();
  const found = new Map<string, Authentication>();
  for (const id of new Set(componentIds)) {
    const secretIds = [
      ...new Set(
        reachedFrom(id, sources, (source) => shown.has(source)).flatMap((one) => holders.get(one) ?? []),
      ),
    ].reverse();
    const key = secretIds.join(" ");
    const one = made.get(key) ?? authenticationWith(secretIds, opened, functions);
    made.set(key, one);
    if (one.before.length > 0) found.set(id, one);
  }
  return found;
}

/** The authentication functions of one component, in the order in which they run. */
export async function authenticationOf(
  { store, ...sources }: AuthenticationSources & { readonly store: Reads },
  layer: Layer,
  componentId: string,
): Promise<readonly BeforeFunction[]> {
  const found = await beforeFunctions(store, sources, layer, [componentId]);
  return found.get(componentId)?.before ?? [];
}

const below = "/secrets/";

/** From whom components are given secrets, step by step, and everybody who was met on the way. */
async function followSecrets(
  reads: Reads,
  layer: Layer,
  componentIds: readonly string[],
): Promise<{
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly reached: readonly string[];
}> {
  const sources = new Map<string, string[]>();
  const reached = new Set(componentIds);
  for (let frontier = [...reached]; frontier.length > 0; ) {
    const next = new Set<string>();
    const edges = await edgesTo(reads, layer, frontier);
    for (const { subscriber, source, from_path, to_path } of edges.sort(byPlace)) {
      if (!from_path.startsWith(below) || !to_path.startsWith(below)) continue;
      const known = sources.get(subscriber);
      if (known === undefined) sources.set(subscriber, [source]);
      else known.push(source);
      if (!reached.has(source)) next.add(source);
    }
    for (const id of next) reached.add(id);
    frontier = [...next];
  }
  return { sources, reached: [...reached] };
}

const byPlace = (one: { readonly to_path: string }, other: { readonly to_path: string }): number =>
  one.to_path < other.to_path ? -1 : one.to_path > other.to_path ? 1 : 0;

/** A component and everybody it is given secrets by, the nearest first. */
function reachedFrom(
  id: string,
  sources: ReadonlyMap<string, readonly string[]>,
  isShown: (id: string) => boolean,
): string[] {
  const met = new Set([id]);
  // A set goes on to what is added to it meanwhile.
  for (const one of met) for (const source of sources.get(one) ?? []) if (isShown(source)) met.add(source);
  return [...met];
}

/** Which secret each of these components holds; those that the layer does not show hold none. */
async function heldSecrets(
  reads: Reads,
  variants: VariantCache,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, string>> {
  const components = await findComponents(reads, rulesFor(reads, variants), layer, componentIds);
  const variantIds = [...components.values()].map(({ variantId }) => variantId);
  const found = await findVariants(reads, variants, layer, [...new Set(variantIds)]);
  const held = new Map<string, string>();
  for (const { id, variantId, settings } of components.values()) {
    const variant = found.get(variantId);
    const secretId = variant && secretIdOf(variant, settings);
    if (secretId !== undefined) held.set(id, secretId);
  }
  return held;
}

/** The authentication functions of each secret definition; of two definitions of one name the first schema's counts. */
async function functionsByDefinition(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
): Promise<Map<string, readonly Binding[]>> {
  const schemas = await listSchemas(reads, layer);
  const variantIds = schemas.map(({ defaultVariantId }) => defaultVariantId);
  const variants = await findVariants(reads, cache, layer, variantIds);
  const defining = new Map<string, { readonly id: string; readonly schemaId: string }>();
  for (const id of variantIds) {
    const variant = variants.get(id);
    const name = variant?.secretDefinition?.name;
    if (variant !== undefined && name !== undefined && !defining.has(name)) defining.set(name, variant);
  }
  const schemaIds = [...defining.values()].map(({ schemaId }) => schemaId);
  const bindings = await bindingsOfSchemas(reads, layer, schemaIds);
  return new Map(
    [...defining].map(([name, variant]) => [
      name,
      bindingsFor(bindings, variant).filter(({ kind }) => kind === "authentication"),
    ]),
  );
}

function authenticationWith(
  secretIds: readonly string[],
  opened: ReadonlyMap<string, OpenedSecret>,
  functions: ReadonlyMap<string, readonly Binding[]>,
): Authentication {
  const before: BeforeFunction[] = [];
  const stands = createHash("sha256");
  for (const id of secretIds) {
    const secret = opened.get(id);
    for (const { func } of (secret && functions.get(secret.definition)) ?? []) {
      before.push({ code: func.code, handler: func.handler, argument: secret?.values ?? {} });
      stands.update(JSON.stringify([secret?.contentId, func.handler, func.code]));
    }
  }
  return before.length === 0 ? noAuthentication : { before, fingerprint: stands.digest("base64url") };
}
