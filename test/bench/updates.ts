import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type autocannon from "autocannon";
import got from "got";
import type { Fixture } from "./fixture.ts";
import { type Ratio, rate, sideBySide, warmUps } from "./measure.ts";
import { end, start } from "./processes.ts";

/**
 * Updates of one attribute that the server has acknowledged, spread over the components of a workspace, against a bare
 * node:http server that commits the same body as one row of the same database file, as durably: 16 connections each.
 */
export async function benchUpdates(fixture: Fixture): Promise<Ratio[]> {
  const served = await fixture.serve(10_000);
  const { changeSets, componentIds, file } = served;
  const headers = { ...served.headers, "content-type": "application/json" };
  const { changeSet } = await got
    .post(changeSets, { headers, json: { changeSetName: "updates" } })
    .json<{ changeSet: { id: string } }>();
  const put = (components: string): Promise<number> =>
    rate(components, headers, 200, { requests: [next(components)] });
  let sent = 0;
  /** Another component and another value each time, so that every request changes something. */
  const next = (components: string): autocannon.Request => ({
    method: "PUT",
    setupRequest: (request) => {
      const n = sent++;
      const path = `${new URL(components).pathname}/${componentIds[(n * 7919) % componentIds.length] ?? ""}`;
      return { ...request, path, body: JSON.stringify({ attributes: { "/domain/Region": `region-${n}` } }) };
    },
  });

  const ours = `${changeSets}/${changeSet.id}/components`;
  const answer = await got.put(`${ours}/${componentIds[0] ?? ""}`, {
    headers,
    json: { attributes: { "/domain/Region": "first" } },
  });
  const body = join(fixture.directory, "component.json");
  await writeFile(body, answer.rawBody);
  const bare = await start("bare.js", body, file);
  const ratio = await sideBySide({
    name: "acknowledged updates of one attribute, against node:http that commits a row",
    unit: "requests/s",
    wanted: ">= 0.3",
    rounds: 5,
    warmUps,
    ours: () => put(ours),
    bare: () => put(`${bare.says["url"] ?? ""}/components`),
  });
  await end(bare);
  await got.delete(`${changeSets}/${changeSet.id}`, { headers: served.headers });
  return [ratio];
}
