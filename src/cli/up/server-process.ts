import { readCredentials } from "../../config/credentials.ts";
import { authFile } from "../../config/paths.ts";
import { system } from "../../contract/system.ts";
import { createClient } from "../../http/client.ts";
import { sleep } from "../../lib/clock.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { type Child, lastWords, startChild } from "./children.ts";
import type { Layout } from "./layout.ts";
import { freePort } from "./port.ts";

const defaultPort = 5380;
const askMs = 50;
/** How long the server may take to answer first: a large database is migrated within it. */
const patienceMs = 120_000;

/** The port asked for, else the one of last time, else the usual one, else the next free one after it. */
export async function choosePort(
  context: Context,
  layout: Layout,
  asked: number | undefined,
): Promise<number> {
  const { stored } = await readCredentials(authFile(layout.config.directories)).catch(() => ({
    stored: undefined,
  }));
  const last = stored === undefined ? defaultPort : Number(new URL(stored.serverUrl).port) || defaultPort;
  const wanted = asked ?? last;
  const port = await freePort(asked === undefined ? [last, defaultPort] : [asked]);
  if (asked !== undefined && port !== asked)
    throw new Problem(`the port ${asked} on 127.0.0.1 is taken by another program`, {
      code: "port_taken",
      hint: "choose another one with --port, or leave --port out for the next free one",
    });
  if (port !== wanted) context.output.note(`port ${wanted} is taken; using ${port}`);
  return port;
}

/** Starts the server as a child that ends with this process, whatever becomes of it. */
export const startServerChild = (context: Context, layout: Layout, port: number): Child =>
  startChild(context.launch, context.clock, {
    name: "server",
    argv: ["server", "start", "--host", "127.0.0.1", "--port", String(port), "--with-parent"],
    environment: layout.environment,
    logFile: layout.serverLog,
  });

/** Waits until the server can serve. Throws a Problem with the server's own words when it ends instead. */
export async function untilReady(
  context: Context,
  server: Child,
  serverUrl: string,
  stop: AbortSignal,
): Promise<void> {
  const { clock } = context;
  const client = createClient({ system }, { baseUrl: serverUrl });
  const deadline = clock.now() + patienceMs;
  while (!stop.aborted) {
    if (server.ending() !== undefined)
      throw new Problem(`the server did not start: ${await lastWords(server)}`, {
        code: "not_started",
        hint: `all it said is in ${server.logFile}`,
      });
    const ready = await client.system.readiness({}).then(
      () => true,
      () => false,
    );
    if (ready) return;
    if (clock.now() > deadline)
      throw new Problem(`the server does not answer at ${serverUrl}`, { hint: `see ${server.logFile}` });
    await sleep(clock, askMs, stop);
  }
}
