import { writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import type { Fixture, Served } from "./fixture.ts";
import { type Ratio, rate, sideBySide, typical, warmUps } from "./measure.ts";
import { end, type Started, start } from "./processes.ts";

const pageQuery = "limit=50&includeAll=true";

/** A list page of the head, and a bare server that sends the same bytes from memory. */
async function pageAndBare(fixture: Fixture, served: Served) {
  const page = `${served.changeSets}/HEAD/components?${pageQuery}`;
  const answer = await fetch(page, { headers: served.headers });
  const file = join(fixture.directory, "page.json");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const bare: Started = await start("bare.js", file);
  return { page, etag: answer.headers.get("etag") ?? "", bare, bareUrl: bare.says["url"] ?? "" };
}

/** One page again and again, 16 connections: sent from memory while its revision stands. */
export async function benchPage(fixture: Fixture): Promise<Ratio[]> {
  const served = await fixture.serve(10_000);
  const { page, bare, bareUrl } = await pageAndBare(fixture, served);
  const { headers } = served;
  const ratio = await sideBySide({
    name: "list page of 50, every include option, against node:http",
    unit: "requests/s",
    wanted: ">= 0.5",
    rounds: 3,
    warmUps,
    ours: () => rate(page, headers, 200),
    bare: () => rate(bareUrl, headers, 200),
  });
  await end(bare);
  return [ratio];
}

/** The same page asked with its tag, 16 connections. */
export async function benchUnchanged(fixture: Fixture): Promise<Ratio[]> {
  const served = await fixture.serve(10_000);
  const { page, etag, bare, bareUrl } = await pageAndBare(fixture, served);
  const { headers } = served;
  const ratio = await sideBySide({
    name: "conditional GET answered 304, against node:http",
    unit: "requests/s",
    wanted: ">= 0.6",
    rounds: 9,
    warmUps,
    ours: () => rate(page, { ...headers, "if-none-match": etag }, 304),
    bare: () => rate(bareUrl, { ...headers, "if-none-match": '"bare"' }, 304),
  });
  await end(bare);
  return [ratio];
}

/** How many pages each turn asks for. */
const pagesPerTurn = 200;
/** Turns before the first that counts: a server is as fast as it gets after some 1,000 pages. */
const pageWarmUps = 8;

/**
 * Milliseconds that one page takes over one connection. Each begins at another place, chosen at random, that nobody
 * asked for before: read from the database and put together anew. Both servers are warm.
 */
export async function benchPageSizes(fixture: Fixture): Promise<Ratio[]> {
  const small = await pageTimer(await fixture.serve(1_000));
  const ratios: Ratio[] = [];
  for (const components of [10_000, 100_000]) {
    const large = await pageTimer(await fixture.serve(components));
    for (let turn = 0; turn < pageWarmUps; turn++) await Promise.all([small(), large()]);
    ratios.push(
      await sideBySide({
        name: `list page at a random place, ${components} components against 1000`,
        unit: "ms",
        wanted: "<= 1.3",
        rounds: 7,
        ours: large,
        bare: small,
      }),
    );
  }
  return ratios;
}

async function pageTimer({ changeSets, headers, componentIds }: Served): Promise<() => Promise<number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The last characters of an id are its random part: a place between two components, never the same twice.
  let asked = 0;
  const somewhere = (): string => {
    const id = componentIds[Math.floor(Math.random() * componentIds.length)] ?? "";
    return `${id.slice(0, -4)}${(asked++)
      .toString(32)
      .padStart(4, "0")
      .toUpperCase()
      .replace(/[ILOU]/g, "Z")}`;
  };
  const get = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const url = `${changeSets}/HEAD/components?${pageQuery}&cursor=${somewhere()}`;
      httpRequest(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}`));
        response.resume().on("end", resolve);
      })
        .on("error", reject)
        .end();
    });
  return () => typical(pagesPerTurn, get);
}
