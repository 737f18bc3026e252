import type { Page } from "../../server/web/page-row.ts";
import { joinCollective, makeCollective, makeCollectiveToken } from "./collectives.ts";
import type { Person, TestServer } from "./server.ts";

/** Ada, who has something of everything that pages show. */
export interface WebWorld {
  readonly ada: Person;
  /** A member of her collective and of her workspace. */
  readonly bob: Person;
  readonly slug: string;
  /** An address of a page at which Ada sees something, whatever its path names. */
  addressOf(page: Page): string;
}

/** Makes Ada's keys, sessions, collectives, tokens, members and invitations, in each state that they can be in. */
export async function webWorld(server: TestServer): Promise<WebWorld> {
  const [ada, bob] = [await server.person("ada"), await server.person("bob")];
  const { workspaceId } = ada;
  const [mine, his] = [server.client(ada.key), server.client(bob.key)];
  const withSession = server.client(ada.session);

  const slug = await makeCollective(server, ada, [[bob, "admin"]]);
  await joinCollective(server, { slug, actor: ada.id }, (await server.person("eve")).id, "member");
  await mine.collectiveInvitations.create({ slug, body: { email: "zed@example.org" } });
  await makeCollectiveToken(server, ada, slug);
  await makeCollectiveToken(server, ada, slug, server.store.clock.now() - 1000);
  const { id: tokenId } = await makeCollectiveToken(server, ada, slug);
  await mine.collectiveTokens.revoke({ slug, tokenId, body: {} });
  const other = await makeCollective(server, bob);
  const toAda = { email: ada.email, role: "admin" } as const;
  await his.collectiveInvitations.create({ slug: other, body: toAda });

  await mine.collectiveGrants.grant({ workspaceId, body: { slug } });
  await mine.workspaces.inviteMember({ workspaceId, body: { email: bob.email } });
  await mine.workspaces.inviteMember({ workspaceId, body: { email: "zed@example.org" } });
  await mine.workspaceTokens.create({ workspaceId, body: { name: "build", expiration: "7d" } });
  const { authToken } = await mine.workspaceTokens.create({ workspaceId, body: { name: "old" } });
  await mine.workspaceTokens.revoke({ workspaceId, tokenId: authToken.id });

  const { id: keyId } = await withSession.keys.create({ body: { name: "an old laptop" } });
  await withSession.keys.update({ body: { keyId, enabled: false } });
  const { username, password } = ada;
  await server.client("").accounts.signInUsername({ body: { username, password } });

  const parameters: Readonly<Record<string, string>> = { slug, workspaceId, userId: bob.id };
  const addressOf = ({ path }: Page): string =>
    path.replace(/:(\w+)/g, (_whole, name: string) => {
      const value = parameters[name];
      if (value === undefined) throw new Error(`the world has nothing for :${name} of ${path}`);
      return encodeURIComponent(value);
    });
  return { ada, bob, slug, addressOf };
}
