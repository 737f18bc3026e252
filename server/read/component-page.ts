import { clampLimit } from "../../src/contract/page.ts";
import { finishItem, type ItemOptions } from "../domain/component.ts";
import { type RelatedKind, relatedKinds } from "../domain/function-relationships.ts";
import { pointerOf } from "../domain/places.ts";
import { latestVariantId } from "../domain/variants.ts";
import { pageComponents } from "../store/component-pages.ts";
import { findComponents, listSubscribers } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { functionMembers } from "./function-members.ts";
import { managesMembers } from "./management.ts";
import { type Rules, rulesFor } from "./rules.ts";
import { listSchemas, type VariantCache } from "./variants.ts";

/** Which members a list item carries; `all` stands for every other one. */
export interface Include {
  readonly includeAll?: boolean | undefined;
  readonly includeCodegen?: boolean | undefined;
  readonly includeSubscriptions?: boolean | undefined;
  readonly includeManages?: boolean | undefined;
  readonly includeResourceInfo?: boolean | undefined;
  readonly includeDiffStatus?: boolean | undefined;
  /** The three kinds of functions at once. */
  readonly includeFunctions?: boolean | undefined;
  readonly includeActionFunctions?: boolean | undefined;
  readonly includeManagementFunctions?: boolean | undefined;
  readonly includeQualificationFunctions?: boolean | undefined;
  /** Of the kinds of functions that are asked for. */
  readonly includeExecutionHistory?: boolean | undefined;
  /** Additions, so not part of `includeAll`. */
  readonly includeRevision?: boolean | undefined;
  readonly includeMarks?: boolean | undefined;
}

/** A page of components as the answer's JSON text: put together from what lies beside each row, nothing serialised twice. */
export async function componentPage(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  query: Include & { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<string> {
  const rules = rulesFor(reads, cache);
  const wanted = (name: Exclude<keyof Include, "includeAll" | "includeRevision" | "includeMarks">): boolean =>
    query.includeAll === true || query[name] === true;
  const page = await pageComponents(reads, rules, layer, {
    after: query.cursor?.toUpperCase() ?? "",
    limit: clampLimit(query.limit),
  });
  const ids = page.components.map(({ id }) => id);
  const kinds = wantedKinds(query);
  const history = wanted("includeExecutionHistory");
  const about = [
    wanted("includeSubscriptions") ? await subscriptionMembers(reads, rules, layer, ids) : none,
    wanted("includeManages") ? await managesMembers(reads, rules, layer, ids) : none,
    kinds.size > 0 ? await functionMembers(reads, cache, layer, page.components, { kinds, history }) : none,
  ];
  const latest = query.includeMarks === true ? await latestVariantIds(reads, layer) : undefined;
  const items = page.components.map(({ id, item, diff, hash, toDelete, variantId }) => {
    const more = about.flatMap((members) => members.get(id) ?? []);
    const options: ItemOptions = {
      codegen: wanted("includeCodegen"),
      resourceInfo: wanted("includeResourceInfo"),
      ...(wanted("includeDiffStatus") ? { diff: layer.id === layer.headId ? "None" : diff } : {}),
      ...(query.includeRevision === true ? { revision: hash } : {}),
      ...(latest === undefined ? {} : { marks: { toDelete, canBeUpgraded: !latest.has(variantId) } }),
      more,
    };
    return finishItem(item, options);
  });
  return `{"componentDetails":[${items.join(",")}],"nextCursor":${JSON.stringify(page.next ?? null)}}`;
}

const includeKind = {
  action: "includeActionFunctions",
  management: "includeManagementFunctions",
  qualification: "includeQualificationFunctions",
} as const satisfies Record<RelatedKind, keyof Include>;

const wantedKinds = (query: Include): ReadonlySet<RelatedKind> =>
  new Set(
    relatedKinds.filter(
      (kind) =>
        query.includeAll === true || query.includeFunctions === true || query[includeKind[kind]] === true,
    ),
  );

/** The variants that no component of theirs can be upgraded from. */
const latestVariantIds = async (reads: Reads, layer: Layer): Promise<ReadonlySet<string>> =>
  new Set((await listSchemas(reads, layer)).map(latestVariantId));

const none: ReadonlyMap<string, string> = new Map();

/** The member `subscriptions` of each component that others read from, as JSON text; in two statements for all. */
async function subscriptionMembers(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, string>> {
  const subscribers = await listSubscribers(reads, rules, layer, componentIds);
  const inArrays = subscribers.filter(({ toKey }) => !isPointer(toKey)).map(({ componentId }) => componentId);
  const owners = await findComponents(reads, rules, layer, [...new Set(inArrays)]);
  const bySource = new Map<string, object[]>();
  for (const { source, fromPath, componentId, componentName, toKey, currentValue } of subscribers) {
    const owner = owners.get(componentId);
    const toPath = owner === undefined ? toKey : pointerOf(owner.settings, toKey);
    if (toPath === undefined) continue;
    const entry = { toComponentId: componentId, toComponentName: componentName, fromPath, toPath };
    const list = bySource.get(source) ?? [];
    list.push(currentValue === undefined ? entry : { ...entry, currentValue });
    bySource.set(source, list);
  }
  return new Map([...bySource].map(([source, list]) => [source, `"subscriptions":${JSON.stringify(list)}`]));
}

/** Whether a stored key reads the same as a pointer: in an array it names an element, whose position must be looked up. */
const isPointer = (key: string): boolean => !/\/#|~2/.test(key);
