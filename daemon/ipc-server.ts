import { setMaxListeners } from "node:events";
import { chmod, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { dirname } from "node:path";
import fastify from "fastify";
import { maximumSocketPathBytes } from "../src/config/paths.ts";
import type { Output } from "../src/contract/endpoint.ts";
import { ApiError } from "../src/contract/errors.ts";
import { ConnectionError } from "../src/http/failure.ts";
import type { Handlers } from "../src/http/handlers.ts";
import { readJsonBodies } from "../src/http/json-body.ts";
import { mount } from "../src/http/mount.ts";
import { RawJson } from "../src/http/raw.ts";
import { type DaemonStatus, type Ipc, ipc } from "../src/ipc/contract.ts";
import type { Log } from "../src/lib/log.ts";
import { Problem } from "../src/lib/problem.ts";
import { ownSocketFolder } from "../src/lib/socket-folder.ts";
import type { ChangeAnswer, ChangeLog } from "./change-log.ts";
import { messageOf } from "./failure.ts";
import { type Forwarding, forward } from "./forward.ts";

/** What the socket serves. */
interface IpcServices extends Forwarding {
  readonly changes: ChangeLog;
  readonly status: () => DaemonStatus;
  /** Has every list asked now; gives their names. */
  readonly refresh: () => Promise<string[]>;
  /** Looks for a run or job by its id, and follows it where the server does not list it. */
  readonly track: (changeSetId: string, id: string) => Promise<Output<Ipc["daemon"]["track"]>>;
  /** Ends the daemon; called once the answer to `/stop` has been sent. */
  readonly stop: () => void;
}

/** The daemon's socket while it listens. */
interface IpcServer {
  /** Answers held requests, closes all connections and removes the socket. */
  close(): Promise<void>;
}

/** What a request knows of its reader. */
interface Reader {
  /** Aborts when the reader hangs up or the daemon ends. */
  readonly gone: AbortSignal;
  /** Runs when the answer has left. */
  readonly afterAnswer: (action: () => void) => void;
}

/** Listens at `socketPath`, for its owner only: the folder 0700, the socket 0600. */
export async function serveIpc(socketPath: string, services: IpcServices, log: Log): Promise<IpcServer> {
  await preparePlace(socketPath);
  const app = fastify({ forceCloseConnections: true });
  readJsonBodies(app);
  const stopping = new AbortController();
  // One listener for each request that is held.
  setMaxListeners(0, stopping.signal);
  mount(app, ipc, handlersOf(services), {
    authorize: ({ reply }): Reader => ({
      gone: goneSignal(reply.raw, stopping.signal),
      afterAnswer: (action) => reply.raw.once("finish", action),
    }),
    translate: (error) => {
      if (error instanceof ConnectionError) return new ApiError("unavailable", messageOf(error));
      // A reader that hung up while the server held its answer; nobody hears this.
      return isAbort(error) ? new ApiError("unavailable", "the reader is gone") : undefined;
    },
    onInternalError: (error, { operation }) =>
      log.error("request failed", { operation, reason: messageOf(error) }),
  });
  await app.listen({ path: socketPath });
  await chmod(socketPath, 0o600);
  return {
    close: async () => {
      stopping.abort();
      await app.close();
      await rm(socketPath, { force: true });
    },
  };
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

const handlersOf = (services: IpcServices): Handlers<Ipc, Reader> => ({
  daemon: {
    status: () => services.status(),
    changes: async ({ query }, { gone }) => {
      const { since = -1, instance, waitMs = 0 } = query;
      // A reader that names no daemon means the one it talks to.
      const seen = { instance: instance ?? services.changes.instance, revision: since };
      return new RawJson(textOf(await services.changes.after(seen, waitMs, gone)));
    },
    call: ({ body }, { gone }) => {
      const { operation, input = {}, etag, waitSeconds = 0 } = body;
      return forward(services, operation, input, { etag, waitSeconds, signal: gone });
    },
    track: ({ body }) => services.track(body.changeSetId, body.id),
    refresh: async () => ({ lists: await services.refresh() }),
    stop: (_input, { afterAnswer }) => {
      afterAnswer(services.stop);
      return { pid: process.pid };
    },
  },
});

/** The answer as JSON, made of the items' texts as they are. */
function textOf(answer: ChangeAnswer): string {
  const changes = answer.changes.map(({ resource, upserted, deleted, whole }) => {
    const items: string[] = [];
    for (const [key, text] of upserted) items.push(`${JSON.stringify(key)}:${text}`);
    return (
      `{"resource":${JSON.stringify(resource)},"upserted":{${items.join(",")}},` +
      `"deleted":${JSON.stringify(deleted)},"whole":${whole}}`
    );
  });
  const { instance, revision, fresh } = answer;
  return (
    `{"instance":${JSON.stringify(instance)},"revision":${revision},"fresh":${fresh},` +
    `"changes":[${changes.join(",")}]}`
  );
}

/** Aborts when an answer's connection is done with, before or after the answer, or when the daemon ends. */
function goneSignal(answer: ServerResponse, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    stopping.removeEventListener("abort", leave);
    gone.abort();
  };
  answer.once("close", leave);
  stopping.addEventListener("abort", leave, { once: true });
  return gone.signal;
}

/** Makes the socket's folder and refuses places where the socket would not be one's own. */
async function preparePlace(socketPath: string): Promise<void> {
  const bytes = Buffer.byteLength(socketPath);
  if (bytes > maximumSocketPathBytes)
    throw new Problem(
      `expected a socket path of at most ${maximumSocketPathBytes} bytes, found ${bytes}: ${socketPath}`,
      { hint: "set XDG_RUNTIME_DIR to a shorter directory" },
    );
  await ownSocketFolder(dirname(socketPath));
}
