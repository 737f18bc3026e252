import type { VNode } from "preact";
import Type from "typebox";
import type { CollectiveGrant } from "../../../src/contract/collective-grants.ts";
import type { Collective } from "../../../src/contract/collectives.ts";
import type { Workspace } from "../../../src/contract/workspaces.ts";
import { text } from "../form-fields.ts";
import { act, type Visit } from "../page-row.ts";
import { ActButton, Choice, Form } from "../parts/forms.tsx";
import { Table, Time } from "../parts/table.tsx";
import { collectiveAddress } from "./collective-address.ts";
import { takesChanges, workspaceAddress, workspaceIdOf } from "./workspace-address.ts";

const chosen = Type.Object({ slug: text });

/** Forms of {@link WorkspaceCollectives}. */
export const workspaceCollectiveActs = {
  grant: act(chosen, async ({ slug }, visit) => {
    const workspaceId = workspaceIdOf(visit);
    await visit.ask("collectiveGrants", "grant", { workspaceId, body: { slug } });
    return { to: workspaceAddress(workspaceId), note: `Tokens of ${slug} act in this workspace now.` };
  }),
  ungrant: act(chosen, async ({ slug }, visit) => {
    const workspaceId = workspaceIdOf(visit);
    await visit.ask("collectiveGrants", "ungrant", { workspaceId, slug });
    return { to: workspaceAddress(workspaceId), note: `Tokens of ${slug} are refused here from now on.` };
  }),
};

/** Collectives whose tokens act in a workspace; for an owner with a form to grant it to one of `own`. */
export function WorkspaceCollectives({
  visit: { csrf, form },
  workspace,
  grants,
  own,
}: {
  readonly visit: Visit;
  readonly workspace: Workspace;
  readonly grants: readonly CollectiveGrant[];
  readonly own: readonly Collective[];
}): VNode {
  const granting = takesChanges(workspace, ["OWNER"]);
  const others = own.filter(({ id }) => grants.every(({ collectiveId }) => collectiveId !== id));
  return (
    <>
      <h2>Collectives</h2>
      <Table
        caption="Collectives whose tokens act here, as editor"
        head={["Name", "Slug", "Granted", ...(granting ? ["Actions"] : [])]}
        empty="It is granted to no collective."
        rows={grants.map((grant) => {
          const { collectiveId, name, slug, createdAt } = grant;
          const known = own.some(({ id }) => id === collectiveId);
          const cells = [
            known ? (
              <a key="name" href={collectiveAddress(slug)}>
                <bdi>{name}</bdi>
              </a>
            ) : (
              name
            ),
            <code key="slug">{slug}</code>,
            <Time key="granted" at={createdAt} />,
          ];
          const button = (
            <ActButton act="ungrant" csrf={csrf} submit="Take back" of={`from ${name}`} hidden={{ slug }} />
          );
          return { id: collectiveId, cells: granting ? [...cells, button] : cells };
        })}
      />
      {granting && others.length > 0 ? (
        <>
          <h3>Grant it to a collective</h3>
          <Form act="grant" csrf={csrf} submit="Grant">
            <Choice
              name="slug"
              label="Collective that you are in"
              options={others.map(({ slug, name }) => [slug, `${name} (${slug})`] as const)}
              value={form["slug"]}
            />
          </Form>
        </>
      ) : null}
    </>
  );
}
