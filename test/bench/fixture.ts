import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../server/store/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { end, type Started, start } from "./processes.ts";
import { type Seeded, seed } from "./seeding.ts";

/** A filled workspace: its database file and how to get in. */
export interface Workspace extends Seeded {
  readonly file: string;
}

/** A server process on a filled workspace. */
export interface Served extends Workspace {
  /** `http://host:port/v1/w/…/change-sets` */
  readonly changeSets: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
}

/**
 * What the rows of one run share: workspaces by their number of components, each filled when it is first asked for, and
 * either opened in this process or served by one of its own, as it was asked for last.
 */
export interface Fixture {
  /** Where the files of this run are; removed at its end. */
  readonly directory: string;
  open(components: number): Promise<{ readonly workspace: Workspace; readonly store: Store }>;
  serve(components: number): Promise<Served>;
  end(): Promise<void>;
}

export async function createFixture(): Promise<Fixture> {
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const workspaces = new Map<number, Promise<Workspace>>();
  const stores = new Map<number, Promise<Store>>();
  const servers = new Map<number, Promise<Started>>();

  const workspaceOf = (components: number): Promise<Workspace> =>
    once(workspaces, components, async () => {
      console.error(`filling a workspace with ${components} components`);
      const file = join(directory, `${components}.db`);
      return { file, ...(await seed(file, components)) };
    });
  const close = async (components: number): Promise<void> => {
    await (await stores.get(components))?.close();
    stores.delete(components);
  };
  const stop = async (components: number): Promise<void> => {
    const server = await servers.get(components);
    servers.delete(components);
    if (server !== undefined) await end(server);
  };

  return {
    directory,
    open: async (components) => {
      await stop(components);
      const workspace = await workspaceOf(components);
      const open = () => openStore({ url: `sqlite:${workspace.file}`, clock: systemClock });
      return { workspace, store: await once(stores, components, open) };
    },
    serve: async (components) => {
      await close(components);
      const workspace = await workspaceOf(components);
      const { says } = await once(servers, components, () => start("serve.js", workspace.file));
      const url = says["url"] ?? "";
      return {
        ...workspace,
        url,
        changeSets: `${url}/v1/w/${workspace.workspaceId}/change-sets`,
        headers: { authorization: `Bearer ${workspace.key}` },
      };
    },
    end: async () => {
      for (const components of stores.keys()) await close(components);
      for (const components of servers.keys()) await stop(components);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function once<T>(made: Map<number, Promise<T>>, key: number, make: () => Promise<T>): Promise<T> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}
