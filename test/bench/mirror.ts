import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import got from "got";
import { startDaemon } from "../../daemon/main.ts";
import { connectDaemon } from "../../src/ipc/connect.ts";
import { silentLog } from "../../src/lib/log.ts";
import { listName } from "../../src/mirror/resources.ts";
import type { Fixture } from "./fixture.ts";
import { type Ratio, sideBySide, timed } from "./measure.ts";

/** As many components as the mirror's figure speaks of. */
const components = 10_000;

/** A daemon's first mirror of the head against got reading the same pages one after the other. */
export async function benchMirror(fixture: Fixture): Promise<Ratio[]> {
  const { directory } = fixture;
  const { url, workspaceId, key, headers, changeSets: head } = await fixture.serve(components);
  const { changeSets } = await got(head, { headers }).json<{
    changeSets: { id: string; isHead: boolean }[];
  }>();
  const headId = changeSets.find(({ isHead }) => isHead)?.id ?? "";

  const bare = (): Promise<number> =>
    timed(async () => {
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = `limit=300&includeAll=true${cursor === "" ? "" : `&cursor=${cursor}`}`;
        const page: { nextCursor: string | null } = await got(`${head}/HEAD/components?${query}`, {
          headers,
        }).json();
        cursor = page.nextCursor;
      }
    });

  const mirror = async (): Promise<number> => {
    const folder = await mkdtemp(join(directory, "daemon-"));
    const socketPath = join(folder, "d.sock");
    let stop = async (): Promise<void> => {};
    const ms = await timed(async () => {
      const daemon = await startDaemon({
        version: "0.0.0",
        socketPath,
        stateFolder: join(folder, "state"),
        cacheFolder: join(folder, "cache"),
        configFolder: join(folder, "config"),
        credentials: async () => ({ serverUrl: url, apiKey: key, workspaceId, distinctId: undefined }),
        log: silentLog,
      });
      stop = () => daemon.stop();
      await mirrored(socketPath, listName("components", headId), components);
    });
    await stop();
    await rm(folder, { recursive: true });
    return ms;
  };
  return [
    await sideBySide({
      name: `first mirror of ${components} components, against got reading the pages`,
      unit: "ms",
      wanted: "<= 3",
      rounds: 3,
      ours: mirror,
      bare,
    }),
  ];
}

/** Resolves once a daemon has mirrored at least `items` of a list. */
async function mirrored(socketPath: string, list: string, items: number): Promise<void> {
  const client = connectDaemon(socketPath);
  for (let query = {}; ; ) {
    const status = await client.daemon.status({});
    if (status.lists.some(({ resource, items: held }) => resource === list && held >= items)) return;
    const { instance, revision } = await client.daemon.changes({ query });
    query = { instance, since: revision, waitMs: 1_000 };
  }
}
