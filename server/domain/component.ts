import type { ComponentView } from "../../src/contract/components.ts";
import { showAttributes } from "./attribute-view.ts";
import type { Json } from "./json.ts";
import { isMarked, type OwnRow, type Settings, viewKey } from "./overlay.ts";
import type { DiffStatus } from "./pages.ts";
import { listProps } from "./prop-list.ts";
import type { Prop } from "./props.ts";
import { type Vals, valueAt } from "./values.ts";

/** The settings of a component that was just created in a view, before its attributes are written. */
export const firstSettings = (name: string, viewId: string): Settings => ({
  "/si/name": { v: name },
  "/si/type": { v: "component" },
  [viewKey(viewId)]: { v: true },
});

/** A text among a component's values, `""` when it is unset. */
const textAt = (vals: Vals, key: string): string => {
  const value = vals[key];
  return typeof value === "string" ? value : "";
};

/** The component's name, `""` when it has none. */
export const nameOf = (vals: Vals): string => textAt(vals, "/si/name");

/** Whether the name among a component's settings is text that the head gives, not what a change set says itself. */
export function takesName(settings: Settings, own: OwnRow["settings"]): boolean {
  const setting = settings["/si/name"];
  return setting !== undefined && "v" in setting && !Object.hasOwn(own ?? {}, "/si/name");
}

/** Whether a resource's payload says that there is something: the text of an empty object says that it is gone. */
export const isPayload = (payload: Json | undefined): boolean =>
  payload !== undefined && payload !== null && payload !== "{}";

/** Whether the component stands for something that exists: its resource has a payload. */
export const hasResource = (vals: Vals): boolean => isPayload(vals["/resource/payload"]);

/** The parts of a list item that a request can leave out. */
export interface ItemOptions {
  readonly resourceInfo?: boolean;
  readonly codegen?: boolean;
  readonly diff?: DiffStatus;
  /** What stands for the component's values, so that a reader of lists sees when any of them changed. */
  readonly revision?: string;
  /** Of these a member is there, and true, exactly where it holds. */
  readonly marks?: { readonly toDelete: boolean; readonly canBeUpgraded: boolean };
  /** Members made elsewhere, each `"name":value`: what speaks about other components or about runs. */
  readonly more?: readonly string[];
}

/**
 * A component's own part of its list item, to be kept with the row: three fragments of JSON text, one a line (the item
 * without closing brace, the resource's members, the generated code), so that a page is put together by cutting.
 */
export function renderItem(component: {
  readonly id: string;
  readonly schemaName: string;
  readonly props: Prop;
  readonly vals: Vals;
}): string {
  const { id, schemaName, props, vals } = component;
  // Put together by hand, in a third of the time: every computation renders its item again.
  const base = `{"componentId":${JSON.stringify(id)},"name":${JSON.stringify(nameOf(vals))},"schemaName":${JSON.stringify(schemaName)}`;
  return [base, resourceMembers(vals), JSON.stringify(codeOf(props, vals) ?? null)].join("\n");
}

/** The generated code; looked for only where there is any. */
const codeOf = (props: Prop, vals: Vals): Json | undefined =>
  Object.keys(vals).some((key) => key.startsWith("/code")) ? valueAt(props, vals, "/code") : undefined;

function resourceMembers(vals: Vals): string {
  const exists = hasResource(vals);
  const resourceId = textAt(vals, "/si/resourceId");
  const status = textAt(vals, "/resource/status") || "ok";
  const members = [`"hasResource":${exists}`];
  if (resourceId !== "") members.push(`"resourceId":${JSON.stringify(resourceId)}`);
  if (exists) {
    members.push(`"resourceStatus":${JSON.stringify(status.charAt(0).toUpperCase() + status.slice(1))}`);
  }
  return members.join(",");
}

/** The whole list item as JSON text, from what {@link renderItem} made and what the request asks for. */
export function finishItem(item: string, options: ItemOptions): string {
  const [base = "{", resource = "", code = "null"] = item.split("\n");
  const members = [base, `"codegen":${options.codegen === true ? code : "null"}`];
  if (options.resourceInfo === true) members.push(resource);
  if (options.diff !== undefined) {
    members.push(`"hasDiff":${options.diff !== "None"},"diffStatus":"${options.diff}"`);
  }
  if (options.revision !== undefined) members.push(`"revision":${JSON.stringify(options.revision)}`);
  if (options.marks?.toDelete === true) members.push('"toDelete":true');
  if (options.marks?.canBeUpgraded === true) members.push('"canBeUpgraded":true');
  return `${[...members, ...(options.more ?? [])].join(",")}}`;
}

/** What a component's view is made of. */
export interface ViewSource {
  readonly id: string;
  readonly schemaId: string;
  readonly schemaVariantId: string;
  readonly props: Prop;
  readonly settings: Settings;
  readonly vals: Vals;
  readonly canBeUpgraded: boolean;
  readonly connections: ComponentView["connections"];
  readonly views: ComponentView["views"];
  /** The id of the secret a secret-defining component holds. */
  readonly secretId?: string;
  /** Whether the layer shows a component; subscriptions to one it does not show are left out. */
  readonly exists: (componentId: string) => boolean;
  /** The id of the value under a stored key, the same at every call. */
  readonly idOf: (key: string) => string;
}

/** The ComponentViewV1 of a component, from its settings and finished values. */
export function viewOf(source: ViewSource): ComponentView {
  const { id, props, settings, vals, idOf } = source;
  const list = (root: string, hidden: boolean) =>
    listProps({ props, vals, root, hidden, idOf }).map((listed) => ({
      id: listed.id,
      propId: listed.propId,
      path: listed.path,
      value: listed.value,
    }));
  return {
    id,
    name: nameOf(vals),
    schemaId: source.schemaId,
    schemaVariantId: source.schemaVariantId,
    resourceId: textAt(vals, "/si/resourceId"),
    secretId: source.secretId ?? "",
    toDelete: isMarked(settings),
    canBeUpgraded: source.canBeUpgraded,
    attributes: { ...showAttributes(props, settings, source.exists) },
    domainProps: list("domain", false),
    resourceProps: list("resource_value", true),
    connections: source.connections,
    views: source.views,
  };
}

/** The pointer of the value that a view shows under an id; undefined when no property has that id. */
export function pointerOfValueId(
  { props, vals, idOf }: Pick<ViewSource, "props" | "vals" | "idOf">,
  valueId: string,
): string | undefined {
  for (const root of ["domain", "resource_value"]) {
    const found = listProps({ props, vals, root, hidden: true, idOf }).find(
      (listed) => listed.id === valueId.toUpperCase(),
    );
    if (found !== undefined) return found.pointer;
  }
  return undefined;
}
