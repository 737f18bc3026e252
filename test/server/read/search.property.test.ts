import { describe, expect, it, onTestFinished } from "vitest";
import { describeEngines, type TestEngine } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { type HttpAnswer, startTestServer, type TestServer } from "../../support/server.ts";
import {
  type Asking,
  choose,
  listAll,
  naive,
  random,
  randomQuery,
  search,
  textOf,
} from "./search-stories.ts";

const steps = 50;
const mostSets = 3;

/** One workspace that is written through one or two processes, each of which must find what is there. */
class Story {
  readonly seen = { applied: 0, hits: 0, refused: 0 };
  readonly #world: World;
  readonly #servers: readonly [TestServer, ...TestServer[]];
  readonly #below: (limit: number) => number;
  readonly #sets: string[] = [];
  #named = 0;

  constructor(world: World, servers: readonly [TestServer, ...TestServer[]], seed: number) {
    this.#world = world;
    this.#servers = servers;
    this.#below = random(seed);
  }

  async run(): Promise<void> {
    const first = await this.#world.changeSet();
    for (let count = 0; count < 6; count++) await this.#send(first, "POST", "", this.#creation());
    this.#sets.push(first);
    for (let step = 0; step < steps; step++) {
      await this.#write();
      if (this.#below(3) === 0) await this.#check();
    }
    await this.#check();
  }

  #at(changeSetId: string): Asking {
    const server = choose(this.#below, this.#servers);
    const { workspaceId, key } = this.#world.ada;
    return { server, key, base: `/v1/w/${workspaceId}/change-sets/${changeSetId}` };
  }

  async #check(): Promise<void> {
    for (const changeSetId of ["HEAD", ...this.#sets]) {
      const at = this.#at(changeSetId);
      const all = await listAll(at);
      expect(await search(at, "")).toEqual(all.map(({ id }) => id));
      for (let query = 0; query < 4; query++) {
        const asked = randomQuery(this.#below);
        const wanted = all.filter((one) => naive(asked, one)).map(({ id }) => id);
        const found = await search(this.#at(changeSetId), textOf(asked));
        expect({ changeSetId, query: textOf(asked), found }).toEqual({
          changeSetId,
          query: textOf(asked),
          found: wanted,
        });
        this.seen.hits += found.length;
      }
    }
  }

  async #write(): Promise<void> {
    const dice = this.#below(20);
    const changeSetId = this.#sets[this.#below(this.#sets.length)];
    if (changeSetId === undefined || (dice === 0 && this.#sets.length < mostSets)) {
      this.#sets.push(await this.#world.changeSet());
    } else if (dice < 3) await this.#apply(changeSetId);
    else if (dice < 5) await this.#world.server.propagate(changeSetId);
    else if (dice < 9) await this.#send(changeSetId, "POST", "", this.#creation());
    else await this.#change(changeSetId, dice);
  }

  async #change(changeSetId: string, dice: number): Promise<void> {
    const ids = await search(this.#at(changeSetId), "");
    const id = ids[this.#below(ids.length)];
    if (id === undefined) return;
    if (dice === 9) await this.#send(changeSetId, "POST", `/${id}/erase`);
    else if (dice === 10) await this.#send(changeSetId, "DELETE", `/${id}`);
    else if (dice === 11) await this.#send(changeSetId, "POST", `/${id}/restore`);
    else if (dice < 15) {
      const component = ids[this.#below(ids.length)];
      const [to, path] = choose(this.#below, [
        ["/domain/region", "/domain/region"],
        ["/domain/tags", "/domain/tags"],
        ["/domain/zones", "/domain/zones"],
        ["/domain/region", "/domain/tags/0/Key"],
      ]);
      const attributes = { [to]: { $source: { component, path } } };
      await this.#send(changeSetId, "PUT", `/${id}`, { attributes });
    } else await this.#send(changeSetId, "PUT", `/${id}`, { attributes: this.#attributes() });
  }

  async #apply(changeSetId: string): Promise<void> {
    await this.#world.server.apply(this.#world.ada, changeSetId);
    this.#sets.splice(this.#sets.indexOf(changeSetId), 1);
    this.seen.applied += 1;
  }

  async #send(changeSetId: string, method: string, path: string, body?: object): Promise<HttpAnswer> {
    const { server, key, base } = this.#at(changeSetId);
    const answer = await server.request(method, `${base}/components${path}`, {
      as: key,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBeLessThan(500);
    // A circle, an attribute that the schema does not have: nothing happened.
    if (answer.status >= 400) this.seen.refused += 1;
    return answer;
  }

  #creation(): object {
    const isMachine = this.#below(3) > 0;
    const name = `n${this.#named++}`;
    if (isMachine) return { name, schemaName: "Machine", attributes: this.#attributes() };
    return { name, schemaName: "Network", attributes: { "/domain/zones": ["a", "b"], "/domain/cidr": "eu" } };
  }

  #attributes(): object {
    const pick = <const T>(all: readonly T[]): T => choose(this.#below, all);
    const attributes: readonly (readonly [path: string, value: unknown])[] = [
      ["/domain/region", pick(["eu-1", "EU-2", "b"])],
      ["/domain/region", { $source: null }],
      ["/domain/size", 1 + this.#below(2)],
      ["/domain/labels", pick<object>([{}, { a: "A" }, { a: "b", c: "1" }])],
      ["/domain/labels/a", pick(["a", "null"])],
      [
        "/domain/tags",
        pick<unknown>([[], [{ Key: "a" }], [{ Key: "b", Value: "a" }, { Value: "x" }], [null]]),
      ],
      ["/domain/tags/-", { Key: pick(["a", "b"]) }],
      ["/domain/tags/0", { $source: null }],
      ["/domain/zones", pick<unknown>([["a"], ["b", "a"]])],
    ];
    return Object.fromEntries([pick(attributes)]);
  }
}

const processes = (engine: TestEngine): number => (engine.name === "PostgreSQL" ? 2 : 1);

describeEngines("search", (engine) => {
  describe(`through ${processes(engine)} of its processes`, () => {
    it.each([1, 2, 3])(
      "finds what a walk through list and get finds (seed %i)",
      { timeout: 120_000 },
      async (seed) => {
        const first = await startTestServer(engine);
        onTestFinished(() => first.stop());
        const servers: [TestServer, ...TestServer[]] = [first];
        if (processes(engine) > 1) {
          const second = await startTestServer(engine, { beside: first });
          onTestFinished(() => second.stop());
          servers.push(second);
        }
        const story = new Story(await createWorld(first), servers, seed);
        await story.run();
        expect(story.seen.applied).toBeGreaterThan(0);
        expect(story.seen.hits).toBeGreaterThan(50);
      },
    );
  });
});
