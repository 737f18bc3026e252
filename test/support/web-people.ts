import { beforeAll } from "vitest";
import type { Api } from "../../src/contract/index.ts";
import type { Client } from "../../src/http/client.ts";
import { makeCollective, type Role } from "./collectives.ts";
import type { Person, TestServer } from "./server.ts";
import { browserOf, type WebBrowser } from "./web.ts";

type Name = "ada" | "eve" | "bob";

/** Three people of a suite, each with a browser and with the API. */
export interface WebPeople {
  /** Usable inside the suite's tests. */
  readonly who: (name: Name) => Person;
  /** A new browser in which they are signed in. */
  readonly as: (name: Name) => WebBrowser;
  readonly api: (name: Name) => Client<Api>;
}

/** Makes three people before the rows of the current `describe`. */
export function suitePeople(suite: { readonly server: TestServer }): WebPeople {
  const people = new Map<Name, Person>();
  beforeAll(async () => {
    for (const name of ["ada", "eve", "bob"] as const) people.set(name, await suite.server.person(name));
  });
  const who = (name: Name): Person => {
    const person = people.get(name);
    if (person === undefined) throw new Error("the suite's people are there only inside its tests");
    return person;
  };
  return {
    who,
    as: (name) => browserOf(suite.server, who(name)),
    api: (name) => suite.server.client(who(name).key),
  };
}

/** Collectives of Ada's, inside the suite's tests. */
export function adasTeams(suite: { readonly server: TestServer }, { who, api }: WebPeople) {
  return {
    /** The slug of a new one; with Eve in it where her role is named. */
    team: (role?: Role): Promise<string> =>
      makeCollective(suite.server, who("ada"), role === undefined ? [] : [[who("eve"), role]]),
    /** Username and role of each member. */
    rolesIn: async (slug: string) =>
      (await api("ada").collectiveMembers.list({ slug })).members.map(({ username, role }) => [
        username,
        role,
      ]),
  };
}
