import { randomBytes } from "node:crypto";
import { createAccount } from "../auth/accounts.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import { hashToken, newPersonalKey } from "../auth/tokens.ts";
import { keyStart, personalPrefix } from "../domain/keys.ts";
import { rulesFor } from "../read/rules.ts";
import { VariantCache } from "../read/variants.ts";
import { addToView } from "../routes/add-to-view.ts";
import { changeComponent, type Writing } from "../routes/change-component.ts";
import { createSecret } from "../routes/change-secret.ts";
import { createComponent } from "../routes/create-component.ts";
import { installSchema, releaseVariant } from "../routes/install-schema.ts";
import { manageComponent } from "../routes/manage-component.ts";
import { markComponent } from "../routes/mark-component.ts";
import { updateComponent } from "../routes/update-component.ts";
import { upgradeComponent } from "../routes/upgrade-component.ts";
import { applyChangeSet } from "../store/apply.ts";
import { hasChangeSetNamed } from "../store/change-set-names.ts";
import { abandonChangeSet, type ChangeSet, createChangeSet, listChangeSets } from "../store/change-sets.ts";
import { getComponentNamed } from "../store/components.ts";
import { createKey } from "../store/keys.ts";
import { changeLayer } from "../store/layer.ts";
import type { Store } from "../store/open.ts";
import { setPasswordHash } from "../store/password.ts";
import { findUserByUsername, type User } from "../store/users.ts";
import { createWorkspace, listWorkspacesOf, type Workspace } from "../store/workspaces.ts";
import { type SampleChangeSet, type SampleStep, sampleChangeSets } from "./change-sets.ts";
import { sampleComponents } from "./components.ts";
import { sampleFunctions } from "./functions.ts";
import { giveFunctions } from "./give-functions.ts";
import { sampleManagers, sampleViews } from "./relations.ts";
import { newerSampleSchemas, sampleSchemas } from "./schemas.ts";
import { sampleSecrets } from "./secrets.ts";

/** Where the sample goes, and whether its user needs a new password and key because nobody has the old ones. */
export interface SampleOptions {
  readonly store: Store;
  /** What its secrets are sealed with. */
  readonly keys: ServerKeys;
  readonly renewAccess?: boolean;
  /** Resolves once no value of a layer is pending; whoever runs the server's functions and jobs brings it. */
  readonly settle: (layerId: string) => Promise<void>;
  /** False leaves the schemas without functions. */
  readonly functions?: boolean;
}

/** How to get in; shown this once. */
export interface SampleAccess {
  readonly password: string;
  readonly key: string;
  readonly keyId: string;
}

/** The sample workspace; `access` only where it was made now. */
export interface Sample {
  readonly user: User;
  readonly workspaceId: string;
  readonly access: SampleAccess | undefined;
}

const account = { username: "admin", name: "Admin", email: "admin@example.org" } as const;
const workspaceName = "sample";
const foundation = "Sample infrastructure";

/**
 * Makes sure that there is a first user with a workspace full of infrastructure and work in progress, all of it made
 * the way users make theirs. What is there already is left alone, whatever became of it since; after an interruption
 * it goes on where it stopped. Prints nothing.
 */
export async function seedSample(options: SampleOptions): Promise<Sample> {
  const { store, renewAccess = false } = options;
  const known = await findUserByUsername(store, account.username);
  const password = randomBytes(15).toString("base64url");
  const user = known ?? (await createAccount(store, { ...account, password }, { workspaceName })).user;
  const workspace = await sampleWorkspace(store, user);
  const place = { user, workspaceId: workspace.id };
  await seedHead(options, place);
  for (const changeSet of sampleChangeSets) await seedChangeSet(options, place, changeSet);
  const fresh = known === undefined;
  if (!fresh && renewAccess) await setPasswordHash(store, user.id, await hashPassword(password));
  const access = fresh || renewAccess ? { password, ...(await newKey(store, user)) } : undefined;
  return { user, workspaceId: workspace.id, access };
}

async function sampleWorkspace(store: Store, user: User): Promise<Workspace> {
  const known = (await listWorkspacesOf(store, user.id)).find(
    ({ workspace }) => workspace.displayName === workspaceName,
  );
  if (known !== undefined) return known.workspace;
  return createWorkspace(store, { displayName: workspaceName, description: "", creatorId: user.id });
}

/** Where the sample is made, and by whom. */
interface SamplePlace {
  readonly user: User;
  readonly workspaceId: string;
}

/** Fills the head through a change set that is applied; one that an interruption left behind is begun anew. */
async function seedHead(
  { store, keys, settle, functions = true }: SampleOptions,
  { user, workspaceId }: SamplePlace,
): Promise<void> {
  if (await hasChangeSetNamed(store, workspaceId, foundation, "Applied")) return;
  const left = (await listChangeSets(store, workspaceId)).find(({ name }) => name === foundation);
  if (left !== undefined) {
    await abandonChangeSet(store, { workspaceId, changeSetId: left.id, actor: user.id });
  }
  const changeSet = await createChangeSet(store, { workspaceId, name: foundation, actor: user.id });
  const writing = writingIn(store, user, changeSet);
  for (const schema of sampleSchemas) {
    const event = { kind: "entity.changed", actor: user.id, data: { schemaName: schema.name } } as const;
    await changeLayer(store, changeSet, event, (change) => installSchema(change, schema));
  }
  for (const component of sampleComponents) await createComponent(writing, component);
  for (const { holder, secret } of sampleSecrets) {
    const { id } = await createSecret({ ...writing, keys }, secret);
    const update = { secrets: { [secret.definitionName]: id } };
    await perform(writing, { does: "update", name: holder, update });
  }
  for (const one of sampleManagers) await perform(writing, { does: "manage", ...one });
  for (const one of sampleViews) await perform(writing, { does: "view", ...one });
  for (const schema of newerSampleSchemas) {
    const event = { kind: "entity.changed", actor: user.id, data: { schemaName: schema.name } } as const;
    await changeLayer(store, changeSet, event, (change) => releaseVariant(change, schema));
  }
  // Given after their components are there: what stands for something that exists need not be created.
  for (const [schemaName, given] of functions ? Object.entries(sampleFunctions) : []) {
    const event = { kind: "entity.changed", actor: user.id, data: { schemaName } } as const;
    await changeLayer(store, changeSet, event, (change) =>
      giveFunctions(change, writing.variants, schemaName, given),
    );
  }
  await settle(changeSet.id);
  const target = { workspaceId, changeSetId: changeSet.id, actor: user.id };
  await applyChangeSet(store, rulesFor(store, writing.variants), target);
}

async function seedChangeSet(
  { store, settle }: SampleOptions,
  { user, workspaceId }: SamplePlace,
  { name, steps }: SampleChangeSet,
): Promise<void> {
  if (await hasChangeSetNamed(store, workspaceId, name)) return;
  const changeSet = await createChangeSet(store, { workspaceId, name, actor: user.id });
  const writing = writingIn(store, user, changeSet);
  for (const step of steps) await perform(writing, step);
  await settle(changeSet.id);
}

async function perform(writing: Writing, step: SampleStep): Promise<void> {
  if (step.does === "create") {
    await createComponent(writing, step.component);
    return;
  }
  if (step.does === "view") {
    const componentIds = await idsOf(writing, step.components);
    return addToView(writing, { componentIds, viewName: step.view });
  }
  if (step.does === "manage") {
    const [managerId = "", ...managed] = await idsOf(writing, [step.manager, ...step.components]);
    for (const managedId of managed) await manageComponent(writing, { managerId, managedId });
    return;
  }
  const [id = ""] = await idsOf(writing, [step.name]);
  if (step.does === "update") await updateComponent(writing, id, step.update);
  else if (step.does === "upgrade") await upgradeComponent(writing, id);
  else {
    await changeComponent(writing, { kind: "component.marked_for_deletion", subject: id }, (change, rules) =>
      markComponent({ change, rules }, id),
    );
  }
}

async function idsOf({ store, variants, layer }: Writing, names: readonly string[]): Promise<string[]> {
  const rules = rulesFor(store, variants);
  const ids: string[] = [];
  for (const name of names) ids.push((await getComponentNamed(store, rules, layer, name)).id);
  return ids;
}

const writingIn = (store: Store, user: User, changeSet: ChangeSet): Writing => ({
  store,
  variants: new VariantCache(),
  layer: changeSet,
  actor: user.id,
});

async function newKey(store: Store, user: User): Promise<{ readonly key: string; readonly keyId: string }> {
  const key = newPersonalKey();
  const { id } = await createKey(store, {
    userId: user.id,
    actor: user.id,
    name: "sample",
    start: keyStart(key),
    prefix: personalPrefix,
    keyHash: hashToken(key),
  });
  return { key, keyId: id };
}
