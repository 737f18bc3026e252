import { matches } from "../../src/contract/check.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { callThroughDaemon, connectDaemon } from "../../src/ipc/connect.ts";
import { DaemonStatus, statusList } from "../../src/ipc/contract.ts";
import { follow } from "../../src/ipc/follow.ts";
import type { Changes } from "../../src/ipc/state.ts";
import { type Clock, sleep } from "../../src/lib/clock.ts";
import type { Answer } from "../core/answer.ts";
import type { Command, ComponentResult, Message } from "../core/message.ts";
import type { Request } from "../core/model.ts";
import { followRun } from "./follow-run.ts";
import { reasonOf } from "./reason.ts";

/** How often the daemon is asked for a sign of life: two unanswered ones and the badge says that it is behind. */
const heartbeatMs = 5_000;
const headAlias = "HEAD";

export interface FeedOptions {
  readonly socketPath: string;
  readonly clock: Clock;
  readonly dispatch: (message: Message) => void;
}

/** Brings the daemon's news as messages, and the dashboard's requests to the daemon. Never throws. */
export interface Feed {
  readonly perform: (command: Command) => void;
  readonly stop: () => void;
}

/** Follows the daemon at a socket until stopped, for ever, whatever fails. */
export function startFeed({ socketPath, clock, dispatch }: FeedOptions): Feed {
  const { daemon } = connectDaemon(socketPath);
  const client = { daemon };
  let following = begin();

  function begin(): AbortController {
    const controller = new AbortController();
    const { signal } = controller;
    let lost = true;
    const isOver = (): boolean => signal.aborted;
    void follow(socketPath, {
      clock,
      signal,
      onChanges: (changes) => {
        lost = false;
        dispatch({ type: "answer", now: clock.now(), answer: answerOf(changes) });
      },
      onFound: () => {
        lost = false;
        dispatch({ type: "heard", now: clock.now() });
      },
      onLost: ({ error, retryAt }) => {
        lost = true;
        dispatch({ type: "lost", now: clock.now(), error: reasonOf(error), nextRetryAt: retryAt });
      },
    });
    void beat(async () => {
      if (lost) return;
      await daemon.status({}, { signal });
      if (!isOver() && !lost) dispatch({ type: "heard", now: clock.now() });
    }, signal);
    return controller;
  }

  async function beat(ask: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(clock, heartbeatMs, signal);
      // A missed beat shows as silence; the follower tells the reason when the daemon is gone.
      await ask().catch(() => undefined);
    }
  }

  async function component(command: Command & { readonly type: "component" }): Promise<void> {
    const { key, withHead } = command;
    const read = (changeSetId: string) =>
      callThroughDaemon(client, "components.get", {
        workspaceId: command.workspaceId,
        changeSetId,
        componentId: command.componentId,
      });
    let result: ComponentResult;
    try {
      const [own, head] = await Promise.all([
        read(command.changeSetId),
        withHead ? read(headAlias).catch(missing) : null,
      ]);
      result = { own: own.component, head: head?.component ?? null };
    } catch (error) {
      result = { error: reasonOf(error) };
    }
    dispatch({ type: "component", now: clock.now(), key, result });
  }

  async function refresh(): Promise<void> {
    try {
      await daemon.refresh({});
      dispatch({ type: "done", now: clock.now(), text: "asking the server now", failed: false });
    } catch (error) {
      dispatch({ type: "done", now: clock.now(), text: `not refreshed: ${reasonOf(error)}`, failed: true });
    }
  }

  function ask(workspaceId: string, { operation, input }: Request): Promise<unknown> {
    if (operation === "functionRuns.cancel")
      return callThroughDaemon(client, operation, { workspaceId, ...input });
    if (operation === "jobs.cancel") return callThroughDaemon(client, operation, { workspaceId, ...input });
    return callThroughDaemon(client, operation, { workspaceId, ...input });
  }

  async function act({ deed, workspaceId }: Command & { readonly type: "do" }): Promise<void> {
    try {
      await ask(workspaceId, deed.request);
      dispatch({ type: "done", now: clock.now(), text: deed.done, failed: false });
    } catch (error) {
      dispatch({ type: "done", now: clock.now(), text: `not done: ${reasonOf(error)}`, failed: true });
    }
  }

  let reading = new AbortController();
  function read(command: Command & { readonly type: "followRun" }): void {
    const { workspaceId, changeSetId, funcRunId } = command;
    reading.abort();
    reading = new AbortController();
    void followRun(client, {
      place: { workspaceId, changeSetId, funcRunId },
      clock,
      signal: reading.signal,
      onResult: (result) => dispatch({ type: "run", now: clock.now(), funcRunId, result }),
    });
  }

  return {
    stop: () => {
      following.abort();
      reading.abort();
    },
    perform: (command) => {
      if (command.type === "component") void component(command);
      else if (command.type === "do") void act(command);
      else if (command.type === "followRun") read(command);
      else if (command.type === "leaveRun") reading.abort();
      else if (command.type === "refresh") void refresh();
      else if (command.type === "reconnect") {
        following.abort();
        following = begin();
      }
    },
  };
}

/** An answer with its status checked; of the other lists the rows are read one by one and shown as far as they go. */
export function answerOf(changes: Changes): Answer {
  const { instance, revision, fresh } = changes;
  const status = changes.changes.findLast(({ resource }) => resource === statusList)?.upserted["daemon"];
  return {
    instance,
    revision,
    fresh,
    status: matches(DaemonStatus, status) ? status : undefined,
    changes: changes.changes.filter(({ resource }) => resource !== statusList),
  };
}

/** A component that the head does not have is nothing to worry about: it was added. */
function missing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
