import type { VNode } from "preact";
import { Table } from "../parts/table.tsx";

/** Workspaces in which a collective's tokens act; a link to those that the visitor is in too, by their ids. */
export const CollectiveWorkspaces = ({
  granted,
  own,
}: {
  readonly granted: readonly { readonly id: string; readonly displayName: string }[];
  readonly own: readonly string[];
}): VNode => (
  <>
    <h2>Workspaces</h2>
    <Table
      caption="Workspaces in which its tokens act, as editor"
      head={["Name", "Id"]}
      empty="No workspace is granted to it yet; the owner of one does that on the workspace's page."
      rows={granted.map(({ id, displayName }) => ({
        id,
        cells: [
          own.includes(id) ? (
            <a key="name" href={`/workspaces/${id}`}>
              <bdi>{displayName}</bdi>
            </a>
          ) : (
            displayName
          ),
          <code key="id">{id}</code>,
        ],
      }))}
    />
  </>
);
