import { expect } from "vitest";
import { adasCollective, ofCollective, strangers, withEveAs } from "../../support/collectives.ts";
import type { Scenario, World } from "../../support/scenarios.ts";

const slugOf = ({ fresh }: World): string => `t-${fresh().toLowerCase()}`;

export const collectiveScenarios: readonly Scenario[] = [
  {
    name: "shows the personal one first, which every account has",
    operation: "collectives.list",
    input: async (world) => {
      await adasCollective(world);
      return {};
    },
    expect: 200,
    body: ({ ada }) => ({
      collectives: expect.arrayContaining([
        expect.objectContaining({ slug: ada.username, personal: true, role: "owner" }),
        expect.objectContaining({ name: "The team", personal: false, role: "owner" }),
      ]),
    }),
    check: ({ body }) => expect(Object(body).collectives[0].personal).toBe(true),
  },
  {
    name: "makes one whose creator is the owner, with the slug in lower case and as the name",
    operation: "collectives.create",
    input: (world) => ({ body: { slug: slugOf(world).toUpperCase() } }),
    expect: 201,
    check: ({ body }, _world, input) => {
      const slug = String(Object(input["body"]).slug).toLowerCase();
      expect(body).toMatchObject({ slug, name: slug, role: "owner", personal: false });
    },
  },
  {
    name: "takes a session as well, and any name on one line",
    operation: "collectives.create",
    as: "session",
    input: (world) => ({ body: { slug: slugOf(world), name: "  Größe & 船 " } }),
    expect: 201,
    body: () => ({ name: "Größe & 船" }),
  },
  {
    name: "refuses a slug that is taken, in any letter case",
    operation: "collectives.create",
    input: async (world) => ({ body: { slug: (await adasCollective(world)).toUpperCase() } }),
    expect: "collectiveExists",
  },
  {
    name: "refuses the slug of a personal one",
    operation: "collectives.create",
    input: ({ eve }) => ({ body: { slug: eve.username } }),
    expect: "collectiveExists",
  },
  ...["", "ab", "-abc", "abc-", "_abc", "a b", "a.b", "a/b", "ünder", "x".repeat(41)].map(
    (slug): Scenario => ({
      name: `refuses the slug ${JSON.stringify(slug)}`,
      operation: "collectives.create",
      input: () => ({ body: { slug } }),
      expect: "invalidSlug",
    }),
  ),
  ...["", "   ", "two\nlines", "x".repeat(101)].map(
    (name): Scenario => ({
      name: `refuses the name ${JSON.stringify(name.slice(0, 12))}`,
      operation: "collectives.create",
      input: (world) => ({ body: { slug: slugOf(world), name } }),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "shows one to a member in any letter case, with its workspaces",
    operation: "collectives.get",
    as: "eve",
    input: async (world) => ({ slug: (await withEveAs("member")(world)).toUpperCase() }),
    expect: 200,
    body: () => ({ name: "The team", role: "member", personal: false, workspaces: [] }),
  },
  {
    name: "gives it another name, and keeps the slug",
    operation: "collectives.rename",
    as: "eve",
    input: ofCollective(withEveAs("admin"), () => ({ body: { name: "Others", slug: "ignored" } })),
    expect: 200,
    check: ({ body }, _world, { slug }) =>
      expect(body).toMatchObject({ slug, name: "Others", role: "admin" }),
  },
  {
    name: "is not for a plain member",
    operation: "collectives.rename",
    as: "eve",
    input: ofCollective(withEveAs("member"), () => ({ body: { name: "Mine" } })),
    expect: "forbidden",
  },
  {
    name: "refuses a name of blanks",
    operation: "collectives.rename",
    input: ofCollective(adasCollective, () => ({ body: { name: " " } })),
    expect: "invalidRequest",
  },
  ...strangers.flatMap(([what, slug]) =>
    ["collectives.get", "collectives.rename"].map(
      (operation): Scenario => ({
        name: `does not know ${what} collective`,
        operation,
        input: async (world) => ({ slug: await slug(world), body: { name: "Mine" } }),
        expect: "collectiveNotFound",
        check: ({ body }) =>
          expect(body).toMatchObject({ message: "no such collective, or you are not in it" }),
      }),
    ),
  ),
];
