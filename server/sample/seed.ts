import { randomBytes } from "node:crypto";
import { createAccount } from "../auth/accounts.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import { hashToken, newPersonalKey } from "../auth/tokens.ts";
import { keyStart, personalPrefix } from "../domain/keys.ts";
import { markPatch } from "../domain/overlay.ts";
import { rulesFor } from "../read/rules.ts";
import { VariantCache } from "../read/variants.ts";
import { addToView } from "../routes/add-to-view.ts";
import { changeComponent, type Writing } from "../routes/change-component.ts";
import { createSecret } from "../routes/change-secret.ts";
import { createComponent } from "../routes/create-component.ts";
import { installSchema, releaseVariant } from "../routes/install-schema.ts";
import { manageComponent } from "../routes/manage-component.ts";
import { updateComponent } from "../routes/update-component.ts";
import { upgradeComponent } from "../routes/upgrade-component.ts";
import { applyChangeSet } from "../store/apply.ts";
import { hasChangeSetNamed } from "../store/change-set-names.ts";
import { abandonChangeSet, type ChangeSet, createChangeSet, listChangeSets } from "../store/change-sets.ts";
import { editComponent } from "../store/component-writes.ts";
import { getComponentNamed } from "../store/components.ts";
import { createKey } from "../store/keys.ts";
import { changeLayer } from "../store/layer.ts";
import type { Store } from "../store/open.ts";
import { setPasswordHash } from "../store/password.ts";
import { createPropagate } from "../store/propagate.ts";
import { findUserByUsername, type User } from "../store/users.ts";
import { createWorkspace, listWorkspacesOf, type Workspace } from "../store/workspaces.ts";
import { type SampleStep, sampleChangeSets } from "./change-sets.ts";
import { sampleComponents } from "./components.ts";
import { sampleManagers, sampleViews } from "./relations.ts";
import { newerSampleSchemas, sampleSchemas } from "./schemas.ts";
import { sampleSecrets } from "./secrets.ts";

/** Where the sample goes, and whether its user needs a new password and key because nobody has the old ones. */
export interface SampleOptions {
  readonly store: Store;
  /** What its secrets are sealed with. */
  readonly keys: ServerKeys;
  readonly renewAccess?: boolean;
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
export async function seedSample({ store, keys, renewAccess = false }: SampleOptions): Promise<Sample> {
  const known = await findUserByUsername(store, account.username);
  const password = randomBytes(15).toString("base64url");
  const user = known ?? (await createAccount(store, { ...account, password }, workspaceName)).user;
  const workspace = await sampleWorkspace(store, user);
  await seedHead(store, keys, user, workspace);
  for (const { name, steps } of sampleChangeSets) await seedChangeSet(store, user, workspace, name, steps);
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

/** Fills the head through a change set that is applied; one that an interruption left behind is begun anew. */
async function seedHead(store: Store, keys: ServerKeys, user: User, workspace: Workspace): Promise<void> {
  const workspaceId = workspace.id;
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
  await finishValues(writing);
  const target = { workspaceId, changeSetId: changeSet.id, actor: user.id };
  await applyChangeSet(store, rulesFor(store, writing.variants), target);
}

async function seedChangeSet(
  store: Store,
  user: User,
  workspace: Workspace,
  name: string,
  steps: readonly SampleStep[],
): Promise<void> {
  if (await hasChangeSetNamed(store, workspace.id, name)) return;
  const changeSet = await createChangeSet(store, { workspaceId: workspace.id, name, actor: user.id });
  const writing = writingIn(store, user, changeSet);
  for (const step of steps) await perform(writing, step);
  await finishValues(writing);
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
      editComponent(change, rules, id, ({ settings }) => markPatch(settings)),
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

/** Computes what the change set's components read from each other, as the worker of a running server would. */
async function finishValues({ store, variants, layer }: Writing): Promise<void> {
  const propagate = createPropagate(store, rulesFor(store, variants));
  while ((await propagate(layer.id)) !== "idle");
}

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
