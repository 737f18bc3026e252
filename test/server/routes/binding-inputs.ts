import { expect } from "vitest";
import type { Binding, BindingKind } from "../../../server/domain/functions.ts";
import { entityRules } from "../../../server/read/entity-rules.ts";
import { bindingsOfSchemas } from "../../../server/read/functions.ts";
import { idOf } from "../../../server/read/ids.ts";
import { installSchema } from "../../../server/routes/install-schema.ts";
import { getChangeSet, getHead } from "../../../server/store/change-sets.ts";
import { patchEntity } from "../../../server/store/entities.ts";
import { type Scenario, sendRow, type World } from "../../support/scenarios.ts";
import { writeIn } from "./component-inputs.ts";

/** Where functions are bound. */
export interface BindingPlace {
  readonly changeSetId: string;
  readonly schemaId: string;
  readonly schemaVariantId: string;
  readonly schemaName: string;
}

/** How a place differs from the usual one. */
export interface SchemaOptions {
  readonly locked?: boolean;
  readonly upstream?: boolean;
  /** Instead of a new one. */
  readonly changeSetId?: string;
}

/** A change set with a schema of its own; its variant is unlocked, and it is of no catalogue, unless asked for. */
export async function withSchema(
  world: World,
  { locked = false, upstream = false, changeSetId: given }: SchemaOptions = {},
): Promise<BindingPlace> {
  const changeSetId = given ?? (await world.changeSet());
  const schemaName = `Bound ${world.fresh()}`;
  return writeIn(world, changeSetId, async (change) => {
    const { schemaId, variantId } = await installSchema(change, {
      name: schemaName,
      category: "Tests",
      color: "#112233",
      domain: [
        { name: "region", kind: "string", defaultValue: "eu-1" },
        { name: "zone", kind: "string" },
        { name: "size", kind: "integer" },
        { name: "ports", kind: "array", entry: { name: "port", kind: "integer" } },
        { name: "labels", kind: "map", entry: { name: "label", kind: "string" } },
        { name: "network", kind: "object", children: [{ name: "zone", kind: "string" }] },
      ],
      secrets: [{ name: "Login", kind: "string", secret: "Login" }],
      resourceValue: [{ name: "Id", kind: "string" }],
    });
    const lock = { isLocked: locked };
    await patchEntity(change, entityRules, { kind: "variant", id: variantId, patch: lock });
    const patch = {
      ...(locked ? {} : { unlockedVariantId: variantId }),
      ...(upstream ? { upstream: "a".repeat(64) } : {}),
    };
    await patchEntity(change, entityRules, { kind: "schema", id: schemaId, patch });
    return { changeSetId, schemaId, schemaVariantId: variantId, schemaName };
  });
}

/** Locks the variant, as an apply would. */
export const lockVariant = (world: World, { changeSetId, schemaId, schemaVariantId }: BindingPlace) =>
  writeIn(world, changeSetId, async (change) => {
    const [isLocked, unlockedVariantId] = [true, null];
    await patchEntity(change, entityRules, { kind: "variant", id: schemaVariantId, patch: { isLocked } });
    await patchEntity(change, entityRules, { kind: "schema", id: schemaId, patch: { unlockedVariantId } });
  });

/** Locks a function, as an apply would. */
export const lockFunction = (world: World, changeSetId: string, funcId: string) =>
  writeIn(world, changeSetId, (change) =>
    patchEntity(change, entityRules, { kind: "func", id: funcId, patch: { isLocked: true } }),
  );

/** The id of a property of the place's variant: `propOf(place, "domain/region")`. */
export const propOf = ({ schemaVariantId }: BindingPlace, path: string): string =>
  idOf(`${schemaVariantId} root${path === "" ? "" : `/${path}`}`);

/** The name of a kind in operations: `Codegen` of `bindings.createCodegen`. */
export const capitalized = (kind: BindingKind): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;

/** What makes a function of that kind. */
export const bodyFor = (place: BindingPlace, kind: BindingKind, more: object = {}): object => ({
  name: `${kind}One`,
  code: "export async function main() { return null; }",
  ...(kind === "action" ? { kind: "Create" } : {}),
  ...(kind === "attribute"
    ? {
        propId: propOf(place, "domain/zone"),
        argumentBindings: [{ name: "region", kind: "String", propId: propOf(place, "domain/region") }],
      }
    : {}),
  ...more,
});

/** Makes and binds a function, and returns its id. */
export async function bound(
  world: World,
  place: BindingPlace,
  kind: BindingKind,
  more: object = {},
): Promise<string> {
  const input = { ...place, body: bodyFor(place, kind, more) };
  const operation = `bindings.create${capitalized(kind)}`;
  const answer = await sendRow(world, operation, input, { token: world.ada.key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.at("funcId");
}

/** What the change set shows to be bound to the schema. */
export async function bindingsIn(
  world: World,
  { changeSetId, schemaId }: Pick<BindingPlace, "changeSetId" | "schemaId">,
): Promise<Binding[]> {
  const { store } = world.server;
  const { workspaceId } = world.ada;
  const layer = await (changeSetId === "HEAD"
    ? getHead(store, workspaceId)
    : getChangeSet(store, workspaceId, changeSetId));
  return bindingsOfSchemas(store, layer, [schemaId]);
}

/** A component of the place's schema. */
export async function componentIn(
  world: World,
  { changeSetId, schemaName }: BindingPlace,
  attributes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { workspaceId, key } = world.ada;
  const body = {
    name: `c ${world.fresh()}`,
    schemaName,
    useWorkingCopy: false,
    attributes: { ...attributes },
  };
  const answer = await world.server.client(key).components.create({ workspaceId, changeSetId, body });
  return answer.component.id;
}

/** The functions of a place by name. */
export const namesIn = async (world: World, place: BindingPlace): Promise<string[]> =>
  (await bindingsIn(world, place)).map(({ func }) => func.name).sort();

/** The place that a scenario's input is. */
export const placeIn = (input: object): BindingPlace & { readonly funcId: string } =>
  // The boundary of a scenario's input: whoever calls made it of a place.
  input as BindingPlace & { readonly funcId: string };

/** What every row of a variant's functions refuses. */
export const variantPlaces = (
  operation: string,
  kind: BindingKind,
  request: (place: BindingPlace) => object,
): Scenario[] => [
  {
    name: "does not know a schema that is not installed",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...request(place), schemaId: world.fresh() };
    },
    expect: "schemaNotFound",
  },
  {
    name: "does not know a schema by its name",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...request(place), schemaId: place.schemaName };
    },
    expect: "schemaNotFound",
  },
  {
    name: "does not know a variant that is not there",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...request(place), schemaVariantId: world.fresh() };
    },
    expect: "variantNotFound",
  },
  {
    name: "does not know a malformed id of a variant",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...request(place), schemaVariantId: "default" };
    },
    expect: "variantNotFound",
  },
  {
    name: "refuses the variant of another schema, and names both",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      await bound(world, place, kind);
      const [machine] = await world.server.store.db
        .selectFrom("entity")
        .select("id")
        .where("kind", "=", "schema")
        .where("name", "=", "Machine")
        .execute();
      return { ...place, ...request(place), schemaId: machine?.id ?? "" };
    },
    expect: "variantNotOfSchema",
    check: ({ text }, _world, { schemaName }) => expect(text).toContain(String(schemaName)),
  },
  {
    name: "changes nothing in the head",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...request(place), changeSetId: "HEAD" };
    },
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      await world.server.apply(world.ada, place.changeSetId);
      return { ...place, ...request(place) };
    },
    expect: "changeSetNotActive",
  },
];
