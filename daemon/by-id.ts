import type { ChangeSetView } from "../src/contract/change-sets.ts";
import { fail } from "../src/contract/errors.ts";
import type { JobView } from "../src/contract/jobs.ts";
import type { Clock } from "../src/lib/clock.ts";
import { toTimestamp } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { listName, type MirroredRun, newestKept } from "../src/mirror/resources.ts";
import { isGone } from "./failure.ts";
import type { Forwarded } from "./forward.ts";
import type { MirroredList } from "./mirrored-list.ts";
import type { SignedIn } from "./session-client.ts";
import type { Slots } from "./slots.ts";
import { askFor, runHasEnded, runIdsIn, type Tracked, trackedKinds } from "./tracked.ts";
import { Tracker } from "./tracker.ts";

interface ByIdOptions {
  readonly clock: Clock;
  readonly slots: Slots;
  readonly log: Log;
  /** A mirrored list by its name. */
  readonly find: (name: string) => MirroredList | undefined;
}

/** What asking for an id has found. */
interface Found {
  readonly kind: Tracked["kind"];
  readonly state: string;
  readonly list: string;
  /** Whether it is asked for from now on: not what has ended, nor what the server lists. */
  readonly tracked: boolean;
}

/**
 * Runs and jobs on servers that do not list them: learns their ids from actions, from what components tell of their
 * functions, and from what readers start or name, and has them asked for one by one.
 */
export class ById {
  readonly #options: ByIdOptions;
  readonly #tracker: Tracker;
  #session: SignedIn | undefined;

  constructor(options: ByIdOptions) {
    this.#options = options;
    this.#tracker = new Tracker({
      ...options,
      put: (name, item) => options.find(name)?.put(item) ?? false,
      findRun: (changeSetId, funcRunId) => this.#findRun(changeSetId, funcRunId),
    });
  }

  begin(session: SignedIn): void {
    this.#session = session;
    this.#tracker.begin(session);
  }

  async pause(): Promise<void> {
    this.#session = undefined;
    await this.#tracker.pause();
  }

  /** Lets go of everything: the workspace is another one. */
  async end(): Promise<void> {
    await this.pause();
    this.#tracker.keep(() => false);
  }

  /** Lets go of what is in change sets that are not mirrored any more, and of what the server now lists. */
  forget(): void {
    this.#tracker.keep(({ kind, changeSetId }) => this.#isMissing(listOf[kind], changeSetId));
  }

  nudge(): void {
    this.#tracker.nudge();
  }

  /** Learns from a list that has come, whose runs the server does not list. */
  learn({ row, scope }: MirroredList, items: readonly unknown[]): void {
    const { changeSetId } = scope;
    if (changeSetId === undefined || (row.name !== "actions" && row.name !== "components")) return;
    if (this.#isMissing("functionRuns", changeSetId)) this.#trackRuns(changeSetId, items.flatMap(runIdsIn));
  }

  /** The server does not list the runs of a change set: what is mirrored already tells of some. */
  learnAll(changeSetId: string): void {
    const items = (name: string): unknown[] =>
      [...(this.#options.find(name)?.items.values() ?? [])].map((text): unknown => JSON.parse(text));
    const lists = ["actions", "components"] as const;
    const told = lists.flatMap((name) => items(listName(name, changeSetId))).flatMap(runIdsIn);
    this.#trackRuns(changeSetId, [
      ...told,
      ...(this.#options.find(listName("functionRuns", changeSetId))?.items.keys() ?? []),
    ]);
  }

  /** A reader has started something: its job is followed, where the server does not list jobs. */
  started(operation: string, input: Readonly<Record<string, unknown>>, { status, body }: Forwarded): void {
    const start = starts[operation];
    const session = this.#session;
    if (start === undefined || session === undefined || status >= 300) return;
    const id = textOf(body, start.id);
    const changeSetId = this.#idOf(textOf(input, "changeSetId"));
    if (id === "" || !this.#isMissing("jobs", changeSetId)) return;
    const componentId = textOf(input, "componentId") || textOf(input["body"], "componentId");
    const known: Partial<JobView> = {
      componentId,
      functionName: start.nameIn(input["body"]),
      createdAt: toTimestamp(this.#options.clock.now()),
    };
    const { workspaceId } = session;
    this.#tracker.track({ kind: start.kind, workspaceId, changeSetId, id, known });
  }

  /** Looks for a run or job of that id, and follows it where the server does not list it. Throws `functionRunNotFound`. */
  async track(changeSet: string, id: string): Promise<Found> {
    const session = this.#session ?? fail("unavailable", "nobody is signed in, or the server is away");
    const { workspaceId } = session;
    const changeSetId = this.#idOf(changeSet);
    const now = toTimestamp(this.#options.clock.now());
    for (const kind of trackedKinds) {
      const tracked: Tracked = { kind, workspaceId, changeSetId, id, known: {} };
      const find = (funcRunId: string): MirroredRun | undefined => this.#findRun(changeSetId, funcRunId);
      const asked = askFor(session.api, tracked, { etag: undefined, waitSeconds: 0 }, now, find);
      const seen = await asked.catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
      if (seen === undefined) continue;
      const resource = listOf[kind];
      const list = listName(resource, changeSetId);
      const isMissing = this.#isMissing(resource, changeSetId);
      if (isMissing) this.#options.find(list)?.put(seen.item);
      if (isMissing && !seen.ended) this.#tracker.track(tracked);
      return { kind, state: seen.item.state, list, tracked: isMissing && !seen.ended };
    }
    return fail("functionRunNotFound", `there is no run and no job ${id} in this change set`);
  }

  #trackRuns(changeSetId: string, ids: readonly string[]): void {
    const session = this.#session;
    if (session === undefined) return;
    const { workspaceId } = session;
    const unknown = [...new Set(ids)].filter((id) => {
      const run = this.#findRun(changeSetId, id);
      return run === undefined || !runHasEnded(run);
    });
    // Ids begin with their time: the newest are the last.
    for (const id of unknown.sort().slice(-newestKept))
      this.#tracker.track({ kind: "run", workspaceId, changeSetId, id, known: {} });
  }

  #isMissing(resource: "functionRuns" | "jobs", changeSetId: string): boolean {
    return this.#options.find(listName(resource, changeSetId))?.health.note !== undefined;
  }

  #findRun(changeSetId: string, funcRunId: string): MirroredRun | undefined {
    const text = this.#options.find(listName("functionRuns", changeSetId))?.items.get(funcRunId);
    // Items have been checked before they are kept.
    return text === undefined ? undefined : (JSON.parse(text) as MirroredRun);
  }

  /** A change set's id for what readers call it: the head may be called so. */
  #idOf(changeSet: string): string {
    const items = this.#options.find("changeSets")?.items;
    if (changeSet.toUpperCase() !== "HEAD") return changeSet;
    // Items have been checked before they are kept.
    const sets = [...(items?.values() ?? [])].map((text) => JSON.parse(text) as ChangeSetView);
    return sets.find(({ isHead }) => isHead)?.id ?? changeSet;
  }
}

const listOf = { run: "functionRuns", managementJob: "jobs", debugJob: "jobs" } as const;

/** Operations that start a job: where its id is in the answer, and what its function is called. */
const starts: Readonly<
  Record<
    string,
    {
      readonly kind: Tracked["kind"];
      readonly id: string;
      readonly nameIn: (body: unknown) => string;
    }
  >
> = {
  "managementJobs.execute": {
    kind: "managementJob",
    id: "managementFuncJobStateId",
    nameIn: (body) => textOf(Reflect.get(Object(body), "managementFunction"), "function"),
  },
  "debugJobs.create": {
    kind: "debugJob",
    id: "debugFuncJobStateId",
    nameIn: (body) => textOf(body, "name"),
  },
};

function textOf(value: unknown, name: string): string {
  const member: unknown = Reflect.get(Object(value), name);
  return typeof member === "string" ? member : "";
}
