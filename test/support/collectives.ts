import { hashToken, newCollectiveToken } from "../../server/auth/tokens.ts";
import { keyStart } from "../../server/domain/keys.ts";
import { addCollectiveMember } from "../../server/store/collective-members.ts";
import { createCollectiveToken } from "../../server/store/collective-tokens.ts";
import { changeCollective, createCollective } from "../../server/store/collectives.ts";
import type { RowInput, World } from "./scenarios.ts";
import type { Person, TestServer } from "./server.ts";

/** A role in a collective. */
export type Role = "owner" | "admin" | "member";

/** A new collective of a person; with others in it where they are named. */
export async function makeCollective(
  server: TestServer,
  owner: Person,
  others: readonly (readonly [Person, Role])[] = [],
): Promise<string> {
  const slug = `team-${server.store.id().toLowerCase()}`;
  await createCollective(server.store, { slug, name: "The team", creatorId: owner.id });
  for (const [{ id }, role] of others) await joinCollective(server, { slug, actor: owner.id }, id, role);
  return slug;
}

/** Makes a user a member without an invitation. */
export const joinCollective = (
  server: TestServer,
  target: { readonly slug: string; readonly actor: string },
  userId: string,
  role: Role,
): Promise<void> =>
  changeCollective(server.store, target, ({ tx, collective }) =>
    addCollectiveMember(tx, collective.id, userId, role),
  );

/** A new token of a person's collective, in whatever state its end puts it. */
export async function makeCollectiveToken(
  { store }: TestServer,
  owner: Person,
  slug: string,
  expiresAt?: number,
): Promise<{ readonly id: string; readonly key: string }> {
  const key = newCollectiveToken();
  const kept = { name: "robot", start: keyStart(key), tokenHash: hashToken(key), expiresAt };
  const { id } = await changeCollective(store, { slug, actor: owner.id }, (change) =>
    createCollectiveToken(change, kept),
  );
  return { id, key };
}

/** A collective of Ada's. */
export const adasCollective = ({ server, ada }: World): Promise<string> => makeCollective(server, ada);

/** A collective of Ada's in which Eve has a role. */
export const withEveAs =
  (role: Role) =>
  ({ server, ada, eve }: World): Promise<string> =>
    makeCollective(server, ada, [[eve, role]]);

/** What a row about a collective is asked with: its slug, and more of it. */
export const ofCollective =
  (
    make: (world: World) => Promise<string>,
    more: (world: World, slug: string) => RowInput | Promise<RowInput> = () => ({}),
  ) =>
  async (world: World): Promise<RowInput> => {
    const slug = await make(world);
    return { slug, ...(await more(world, slug)) };
  };

/** Ways to name a collective that one is not in: all of them are answered alike. */
export const strangers: readonly (readonly [
  what: string,
  slug: (world: World) => string | Promise<string>,
])[] = [
  ["somebody else's", ({ server, eve }) => makeCollective(server, eve)],
  ["an unknown", () => "nobody-has-this"],
  ["a malformed", () => "no slug/at all"],
  ["a long", () => "x".repeat(90)],
];
