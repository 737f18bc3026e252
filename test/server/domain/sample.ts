import { type AttributeWrite, writeAttributes } from "../../../server/domain/attributes.ts";
import type { Json } from "../../../server/domain/json.ts";
import { mergeKeys, type Patch, type Settings } from "../../../server/domain/overlay.ts";
import {
  type Prop,
  type PropDefinition,
  propTree,
  type VariantDefinition,
} from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Ids in ascending order, 26 characters like a ULID. */
export function idMaker(prefix = "01J"): () => string {
  let made = 0;
  return () => {
    made += 1;
    let digits = "";
    for (let rest = made; digits.length < 26 - prefix.length; rest = Math.floor(rest / 32)) {
      digits = `${alphabet[rest % 32] ?? ""}${digits}`;
    }
    return prefix + digits;
  };
}

const tag: PropDefinition = {
  name: "Tag",
  kind: "object",
  children: [
    { name: "Key", kind: "string" },
    { name: "Value", kind: "string", defaultValue: "none" },
    { name: "Parts", kind: "array", entry: { name: "Part", kind: "integer" } },
  ],
};

/** A variant with properties of all kinds. */
export const sampleVariant: VariantDefinition = {
  schemaId: "01J0000000000000000000SCHE",
  displayName: "Machine",
  category: "Compute",
  color: "#336699",
  description: null,
  link: null,
  isLocked: true,
  domain: [
    { name: "region", kind: "string", defaultValue: "eu-1" },
    { name: "size", kind: "integer" },
    { name: "ratio", kind: "float" },
    { name: "public", kind: "boolean", defaultValue: false },
    { name: "policy", kind: "json" },
    { name: "image", kind: "string", createOnly: true },
    { name: "internal", kind: "string", hidden: true, defaultValue: "x" },
    { name: "password", kind: "string", widget: { kind: "password" } },
    { name: "labels", kind: "map", entry: { name: "label", kind: "string" } },
    { name: "ports", kind: "array", entry: { name: "port", kind: "integer" } },
    { name: "tags", kind: "array", entry: tag },
    { name: "tagsByName", kind: "map", entry: tag },
    {
      name: "network",
      kind: "object",
      children: [
        { name: "cidr", kind: "string" },
        { name: "a/b ~c", kind: "string" },
        { name: "mtu", kind: "integer", defaultValue: 1500 },
      ],
    },
    {
      name: "grid",
      kind: "array",
      entry: { name: "row", kind: "array", entry: { name: "cell", kind: "string" } },
    },
  ],
  secrets: [{ name: "Cloud Credential", kind: "string", secret: "Cloud Credential" }],
  resourceValue: [{ name: "Arn", kind: "string", hidden: true }],
};

/** Its property tree. */
export const props: Prop = propTree(sampleVariant, (path) => `prop ${path}`);

/** What a write needs besides the settings and the changes; `web` and `twin` (twice) can be subscribed to. */
export function writing(settings: Settings, changes: Readonly<Record<string, Json>>): AttributeWrite {
  return {
    props,
    settings,
    changes: Object.entries(changes),
    // Other ids than those of what is there already.
    newId: idMaker("01N"),
    now: "2026-01-02T03:04:05.000Z",
    hasResource: false,
    componentId: "SELF",
    findComponent: (reference) => {
      if (reference === "web" || reference === "WEB") return { id: "WEB", props };
      if (reference === "self" || reference === "SELF") return { id: "SELF", props };
      return reference === "twin" ? "ambiguous" : undefined;
    },
    findFunction: (reference) => (reference === "upper" ? { func: "FUNC" } : undefined),
  };
}

/** The patch of some attributes. */
export const patchOf = (
  settings: Settings,
  changes: Readonly<Record<string, Json>>,
  more: Partial<AttributeWrite> = {},
): Patch => writeAttributes({ ...writing(settings, changes), ...more });

/** The settings after some attributes were written, one request after the other. */
export function written(...requests: readonly Readonly<Record<string, Json>>[]): Settings {
  const newId = idMaker();
  return requests.reduce<Settings>(
    (settings, changes) => mergeKeys(settings, patchOf(settings, changes, { newId })),
    {},
  );
}

/** The refusal that `act` ends in; fails when there is none or when it is another error. */
export function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("expected a refusal, but the rule said yes");
}

/** The members of one request's `attributes`. */
export type Changes = Readonly<Record<string, Json>>;

/** The value of an attribute that says where it comes from. */
export const source = (value: Json): Json => ({ $source: value });

/** A subscription to a pointer on the component `web`. */
export const web = (path: string): Json => source({ component: "web", path });

/** The value that unsets an attribute. */
export const unset = source(null);
