import { isArray, isObject, type Json } from "./json.ts";
import { formatPointer, nameSegment, parseIndex, parsePointer } from "./pointers.ts";

/** Every kind of property, in the words of the API's `propType`. */
export const propKinds = ["string", "integer", "float", "boolean", "json", "map", "array", "object"] as const;
export type PropKind = (typeof propKinds)[number];

/** How a property is best edited. */
export interface Widget {
  readonly kind: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

/** A property of another schema that may feed this one, or be fed by it. */
export interface SuggestedSource {
  readonly schema: string;
  /** Pointer of the property, such as `/resource_value/VpcId`. */
  readonly prop: string;
}

/** One property as a schema declares it. */
export interface PropDefinition {
  readonly name: string;
  readonly kind: PropKind;
  /** The members of an object, in order. */
  readonly children?: readonly PropDefinition[];
  /** The element of an array or a map. */
  readonly entry?: PropDefinition;
  /** Scalars only. */
  readonly defaultValue?: Json;
  readonly description?: string;
  readonly docLink?: string;
  /** Neither it nor anything below it is listed among a component's properties. */
  readonly hidden?: boolean;
  /** It cannot change while the component has a resource. */
  readonly createOnly?: boolean;
  /** The name of the secret definition whose secrets it takes. */
  readonly secret?: string;
  readonly widget?: Widget;
  /** JSON text of a Joi description. */
  readonly validationFormat?: string;
  /** What it is best subscribed to. */
  readonly suggestSources?: readonly SuggestedSource[];
  /** What is best subscribed to it. */
  readonly suggestAsSourceFor?: readonly SuggestedSource[];
}

/** Body of an entity of kind `schema`. */
export interface SchemaDefinition {
  readonly name: string;
  readonly category: string;
  readonly description: string | null;
  readonly defaultVariantId: string;
  /** The variant that is being worked on, the only one that is not locked; null or absent when there is none. */
  readonly unlockedVariantId?: string | null;
  /** Which variant took the place of which one, by the id of the one that is gone; the latest of them only. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Hash of the package of the catalogue that it was installed from; absent when it was made here. */
  readonly upstream?: string;
}

/** The kind of secret that a schema defines: its components hold one each under `/secrets/<name>`. */
export interface SecretDefinition {
  readonly name: string;
  /** What a secret of this kind consists of. */
  readonly fields: readonly PropDefinition[];
}

/** Body of an entity of kind `variant`: the part of the property tree that a schema declares, and what describes it. */
export interface VariantDefinition {
  readonly schemaId: string;
  readonly displayName: string;
  readonly category: string;
  readonly color: string;
  readonly description: string | null;
  readonly link: string | null;
  readonly isLocked: boolean;
  /** Ascends with the versions of a schema: UTC time of its making in digits. */
  readonly version?: string;
  /** The function whose code defines it. */
  readonly assetFuncId?: string;
  readonly domain: readonly PropDefinition[];
  readonly secrets: readonly PropDefinition[];
  /** Only a variant that defines a kind of secret has it. */
  readonly secretDefinition?: SecretDefinition;
  readonly resourceValue: readonly PropDefinition[];
}

/** One property in the whole tree of a variant. */
export interface Prop {
  readonly id: string;
  readonly name: string;
  readonly kind: PropKind;
  /** `root/domain/Tags/TagItem`: names joined by slashes, an element by its own name. */
  readonly path: string;
  /** The stored key where no array or map is above, `""` for the root; below one, keys name the element. */
  readonly key: string | undefined;
  /** The segment of a stored key that leads to it from the object it is a member of. */
  readonly segment: string;
  /** The members of an object by name, in declared order; empty for every other kind. */
  readonly children: ReadonlyMap<string, Prop>;
  /** The element of an array or a map. */
  readonly entry: Prop | undefined;
  readonly definition: PropDefinition;
}

/** Component types that `/si/type` takes. */
export const componentTypes = [
  "component",
  "configurationFrameDown",
  "configurationFrameUp",
  "aggregationFrame",
] as const;

const text = (name: string, more: Partial<PropDefinition> = {}): PropDefinition => ({
  name,
  kind: "string",
  ...more,
});

const mapOfObjects = (name: string, entry: string, members: readonly string[]): PropDefinition => ({
  name,
  kind: "map",
  hidden: true,
  entry: { name: entry, kind: "object", children: members.map((member) => text(member)) },
});

/** The definition of a component's whole tree: the same for every component but for what its variant declares. */
const rootDefinition = (variant: VariantDefinition): PropDefinition => ({
  name: "root",
  kind: "object",
  children: [
    {
      name: "si",
      kind: "object",
      children: [
        text("name"),
        { name: "protected", kind: "boolean" },
        text("type", {
          defaultValue: "component",
          widget: { kind: "select", options: componentTypes.map((value) => ({ label: value, value })) },
        }),
        text("color", { defaultValue: variant.color, widget: { kind: "color" } }),
        text("resourceId"),
        { name: "tags", kind: "map", entry: text("tag") },
      ],
    },
    { name: "domain", kind: "object", children: variant.domain },
    { name: "secrets", kind: "object", children: variant.secrets },
    {
      name: "resource",
      kind: "object",
      hidden: true,
      children: [text("status"), text("message"), { name: "payload", kind: "json" }, text("last_synced")],
    },
    { name: "resource_value", kind: "object", hidden: true, children: variant.resourceValue },
    mapOfObjects("code", "codeItem", ["code", "format"]),
    mapOfObjects("qualification", "qualificationItem", ["result", "message"]),
    text("deleted_at", { hidden: true }),
  ],
});

/**
 * The property tree of a variant's components; `idOf` makes a property's id of its path, the same at every call, with
 * `~1` for a slash in a name, so that no two properties have one.
 */
export function propTree(variant: VariantDefinition, idOf: (path: string) => string): Prop {
  const plantProp = (
    definition: PropDefinition,
    parent: { readonly path: string; readonly place: string } | undefined,
    key: string | undefined,
  ): Prop => {
    const { name } = definition;
    const path = parent === undefined ? name : `${parent.path}/${name}`;
    const place = `${parent?.place ?? ""}${formatPointer([name])}`;
    const children = (definition.children ?? []).map((child) => {
      const below = key === undefined ? undefined : `${key}/${nameSegment(child.name)}`;
      return [child.name, plantProp(child, { path, place }, below)] as const;
    });
    return {
      id: idOf(place.slice(1)),
      name,
      kind: definition.kind,
      path,
      key,
      segment: nameSegment(definition.name),
      children: new Map(children),
      entry: definition.entry && plantProp(definition.entry, { path, place }, undefined),
      definition,
    };
  };
  return plantProp(rootDefinition(variant), undefined, "");
}

/** Whether properties of that kind hold others. */
export const isContainer = (kind: PropKind): kind is "map" | "array" | "object" =>
  kind === "map" || kind === "array" || kind === "object";

/** Whether a stored literal is of its property's kind: one that the head got may not be where a change set upgraded. */
export function fits({ kind }: Prop, value: Json): boolean {
  switch (kind) {
    case "array":
      return isArray(value);
    case "map":
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "float":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "string":
    case "json":
      return typeof value === "string";
  }
}

/** The property that a segment of a pointer leads to; undefined when the schema has none there. */
export function stepTo(prop: Prop, segment: string): Prop | undefined {
  if (prop.kind === "object") return prop.children.get(segment);
  if (prop.kind === "map") return prop.entry;
  return prop.kind === "array" && parseIndex(segment) !== undefined ? prop.entry : undefined;
}

/** The property at a pointer (`/domain/Tags/0/Key`), whatever values there are; undefined when the schema has none. */
export function findProp(root: Prop, pointer: string): Prop | undefined {
  let prop: Prop | undefined = root;
  for (const segment of parsePointer(pointer) ?? ["\u0000"]) prop = prop && stepTo(prop, segment);
  return prop;
}

/** The stored key of a member of the object at `key`. */
export const memberKey = (key: string, member: Prop): string => member.key ?? `${key}/${member.segment}`;

/** What may be written below a property, in words for a message. */
export function expectedBelow(prop: Prop, to: "read" | "write" = "write"): string {
  if (prop.kind === "array")
    return to === "read" ? "a position such as 0" : 'a position such as 0, or "-" to append';
  if (prop.kind === "map") return "a key";
  if (prop.kind !== "object")
    return `nothing below ${formatPointer(prop.path.split("/").slice(1))}, which is of kind ${prop.kind}`;
  const names = [...prop.children.keys()];
  return names.length === 0 ? "nothing: the object has no members" : `one of ${names.join(", ")}`;
}
