import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { DaemonStatus, ListDelta } from "../../src/ipc/contract.ts";
import type { Changes } from "../../src/ipc/state.ts";

/** A daemon that says what a test tells it to say, over a real socket in the daemon's own protocol. */
export interface ScriptedDaemon {
  /** Publishes changes to every follower, with a status when it changed. */
  publish(changes: readonly ListDelta[], status?: DaemonStatus): void;
  /** Operations that were asked for, as `name`. */
  readonly calls: string[];
  close(): Promise<void>;
}

export interface DaemonScript {
  readonly status: DaemonStatus;
  readonly lists: readonly ListDelta[];
  /** The body and status of an operation's answer. */
  readonly answer: (operation: string, input: unknown) => { readonly status: number; readonly body: unknown };
  /** Tells one run of a daemon from another. */
  readonly instance?: string;
}

const longestHoldMs = 30_000;

/** Listens at a socket path until closed. */
export async function scriptedDaemon(socketPath: string, script: DaemonScript): Promise<ScriptedDaemon> {
  let status = script.status;
  const log: { readonly revision: number; readonly changes: readonly ListDelta[] }[] = [];
  const lists = new Map(script.lists.map((list) => [list.resource, list]));
  const held = new Set<() => void>();
  const calls: string[] = [];
  const instance = script.instance ?? "scripted";
  const revision = (): number => log.length + 1;
  const statusDelta = (): ListDelta => ({
    resource: "status",
    upserted: { daemon: status },
    deleted: [],
    whole: true,
  });

  const changesSince = (since: number): Changes => {
    const known = since >= 1 && since <= revision();
    const changes = known
      ? log.filter((entry) => entry.revision > since).flatMap((entry) => entry.changes)
      : [statusDelta(), ...lists.values()];
    return { instance, revision: revision(), fresh: !known, changes: [...changes] };
  };

  const server: Server = createServer((request, response) => {
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://daemon");
    const send = (body: unknown, code = 200): void => {
      response.writeHead(code, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/status") return send(status);
    if (url.pathname === "/refresh") return send({ lists: [...lists.keys()] });
    if (url.pathname === "/call") {
      const body: unknown = JSON.parse(await text(request));
      const operation = String(Reflect.get(Object(body), "operation"));
      calls.push(operation);
      return send(script.answer(operation, Reflect.get(Object(body), "input")));
    }
    const since = Number(url.searchParams.get("since") ?? "-1");
    const sameRun = url.searchParams.get("instance") === instance;
    const waitMs = Math.min(longestHoldMs, Number(url.searchParams.get("waitMs") ?? "0"));
    if (!sameRun || since < revision() || waitMs === 0) return send(changesSince(sameRun ? since : -1));
    const release = (): void => {
      held.delete(release);
      clearTimeout(timer);
      send(changesSince(since));
    };
    const timer = setTimeout(release, waitMs);
    held.add(release);
    request.on("close", () => clearTimeout(timer));
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return {
    calls,
    publish: (changes, next) => {
      if (next !== undefined) status = next;
      log.push({
        revision: revision() + 1,
        changes: next === undefined ? changes : [statusDelta(), ...changes],
      });
      for (const change of changes) lists.set(change.resource, merged(lists.get(change.resource), change));
      for (const release of [...held]) release();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function merged(list: ListDelta | undefined, change: ListDelta): ListDelta {
  const items = new Map(Object.entries(change.whole || list === undefined ? {} : list.upserted));
  for (const [key, item] of Object.entries(change.upserted)) items.set(key, item);
  for (const key of change.deleted) items.delete(key);
  return { resource: change.resource, upserted: Object.fromEntries(items), deleted: [], whole: true };
}

async function text(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}
