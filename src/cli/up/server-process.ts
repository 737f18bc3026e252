import { readCredentials } from "../../config/credentials.ts";
import { authFile } from "../../config/paths.ts";
import { defaultServerUrl } from "../../config/server-url.ts";
import { sleep } from "../../lib/clock.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { outputSince } from "../log-reader.ts";
import { type Child, ownWords, startChild } from "./children.ts";
import type { Layout } from "./layout.ts";
import { freePort, isFree } from "./port.ts";

const defaultPort = 5380;
const askMs = 25;
/** How long the server may take to listen: a large database is migrated within it. */
const patienceMs = 120_000;
/** How often a port that was free a moment ago may turn out to be taken before that is told as a failure. */
const attempts = 5;

/** A server child that listens, and where. */
export interface ListeningServer {
  readonly child: Child;
  readonly url: string;
  readonly port: number;
}

/**
 * Starts the server as a child that ends with this process, whatever becomes of it: at the port asked for, else the one
 * of last time, else the usual one, else the next free one. Where it listens is what the child itself says, so that
 * nothing is ever sent to another program that has taken the port meanwhile. Undefined when told to stop before.
 */
export async function startServerChild(
  context: Context,
  layout: Layout,
  asked: number | undefined,
  stop: AbortSignal,
): Promise<ListeningServer | undefined> {
  const wanted = asked ?? (await lastServer(layout)).port;
  let preferred = wanted === defaultPort ? [wanted] : [wanted, defaultPort];
  for (let attempt = 1; ; attempt++) {
    const port = asked ?? (await freePort(preferred));
    if (asked !== undefined && !(await isFree(asked))) throw taken(asked);
    if (port !== wanted) context.output.note(`port ${wanted} is taken; using ${port}`);
    const child = await startChild(context.launch, context.clock, {
      name: "server",
      argv: ["server", "start", "--host", "127.0.0.1", "--port", String(port), "--with-parent"],
      environment: layout.environment,
      logFile: layout.serverLog,
    });
    try {
      const url = await untilListening(context, child, stop);
      return url === undefined ? undefined : { child, url, port };
    } catch (error) {
      await child.stop();
      // Free when it was looked at, taken when it was used: somebody else was quicker.
      if (attempt === attempts || (await isFree(port))) throw error;
      if (asked !== undefined) throw taken(asked);
      preferred = [port + 1];
    } finally {
      if (stop.aborted) await child.stop();
    }
  }
}

/** Where the server listened last; the usual place when that is not known. */
export async function lastServer(layout: Layout): Promise<{ readonly port: number; readonly url: string }> {
  const path = authFile(layout.config.directories);
  const { stored } = await readCredentials(path).catch(() => ({ stored: undefined }));
  const url = stored?.serverUrl ?? defaultServerUrl;
  return { port: Number(new URL(url).port) || defaultPort, url };
}

const taken = (port: number): Problem =>
  new Problem(`the port ${port} on 127.0.0.1 is taken by another program`, {
    code: "port_taken",
    hint: "choose another one with --port, or leave --port out for the next free one",
  });

/** The address that the child says it listens on. Throws a Problem with its own words when it ends instead. */
async function untilListening(
  { clock }: Context,
  server: Child,
  stop: AbortSignal,
): Promise<string | undefined> {
  const deadline = clock.now() + patienceMs;
  while (!stop.aborted) {
    const said = /^listening on (\S+)$/m.exec(await outputSince(server.logFile, server.from));
    if (said?.[1] !== undefined) return said[1];
    if (server.ending() !== undefined)
      throw new Problem(`the server did not start: ${await ownWords(server)}`, {
        code: "not_started",
        hint: `all it said is in ${server.logFile}`,
      });
    if (clock.now() > deadline)
      throw new Problem("the server does not listen", { hint: `see ${server.logFile}` });
    await sleep(clock, askMs, stop);
  }
  return undefined;
}
