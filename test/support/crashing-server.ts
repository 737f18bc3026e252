import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { programFile } from "../../src/cli/launch.ts";
import { readEnvironment } from "../../src/config/load.ts";

/** A server as people start it, on one SQLite file, that can be killed and started again at the same address. */
export interface CrashingServer {
  readonly url: string;
  readonly database: string;
  /** Ends it as a failing machine does, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Starts it again on what it left. */
  restart(): Promise<void>;
  /** Asks it to stop. */
  stop(): Promise<void>;
}

/** Starts the built server; its functions may reach this machine. */
export async function startCrashingServer(home: string): Promise<CrashingServer> {
  const database = `sqlite:${join(home, "svc.sqlite")}`;
  let child: ChildProcess | undefined;
  let url = "";
  const start = async (port: string): Promise<void> => {
    const { PATH } = readEnvironment();
    const given = {
      SVC_DATABASE_URL: database,
      SVC_FUNCTION_NETWORK: "list",
      SVC_FUNCTION_HOSTS: "127.0.0.1",
    };
    const started = spawn(process.execPath, [programFile, "server", "start", "--port", port], {
      cwd: home,
      env: { PATH, HOME: home, SVC_LOG_LEVEL: "error", ...given },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    let said = "";
    url = await new Promise<string>((resolve, reject) => {
      const look = (data: Buffer): void => {
        said += data.toString();
        const found = /listening on (\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      };
      started.stdout?.on("data", look);
      started.stderr?.on("data", look);
      started.once("exit", () => reject(new Error(`the server ended at its start: ${said}`)));
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  };
  await start("0");
  return {
    get url() {
      return url;
    },
    database,
    kill: () => end("SIGKILL"),
    restart: () => start(new URL(url).port),
    stop: () => end("SIGTERM"),
  };
}

/** What functions have told the world outside, which no crash takes back. */
export interface Witness {
  readonly url: string;
  /** How often each was told. */
  readonly told: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Listens to functions: whatever path they ask for is noted. */
export async function startWitness(): Promise<Witness> {
  const told = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const what = decodeURIComponent((request.url ?? "").slice(1));
    told.set(what, (told.get(what) ?? 0) + 1);
    response.end("noted");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The boundary of the net module: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    told,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
