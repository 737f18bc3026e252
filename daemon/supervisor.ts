import { eventList } from "../src/ipc/contract.ts";
import type { Clock } from "../src/lib/clock.ts";
import { type Log, transition } from "../src/lib/log.ts";
import { ById } from "./by-id.ts";
import { Cache, fileNameOf, scopeFolder } from "./cache.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Connection } from "./connection.ts";
import { isGone, isRejected, messageOf } from "./failure.ts";
import { History } from "./history.ts";
import type { WriteFile } from "./json-file.ts";
import { MirroredList } from "./mirrored-list.ts";
import type { Notices } from "./notices.ts";
import type { InUse } from "./prune.ts";
import { type Nudge, Reflector } from "./reflector.ts";
import type { SessionListener } from "./session.ts";
import type { SignedIn } from "./session-client.ts";
import { Slots } from "./slots.ts";
import { changeSetLists, type WantedList, workspaceLists } from "./wanted-lists.ts";

interface SupervisorOptions {
  readonly changes: ChangeLog;
  readonly cacheFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly connection: Connection;
  /** The longest that the server is asked to hold an unchanged answer, in seconds. */
  readonly holdSeconds: number;
  readonly write?: WriteFile | undefined;
  /** The server refused the key for a list. */
  readonly onRefused: () => void;
  /** A list's health changed; `urgent` when a reader should not wait for it. */
  readonly onHealth: (urgency: "urgent" | "routine") => void;
}

/** A list and whoever keeps it in step. */
interface Running {
  readonly list: MirroredList;
  reflector: Reflector | undefined;
  stop: AbortController;
  ended: Promise<void>;
}

/** What belongs to one server and workspace. */
interface Workspace {
  readonly serverUrl: string;
  readonly workspaceId: string;
  readonly cache: Cache;
  readonly history: History;
  readonly lists: Map<string, Running>;
}

/** Starts and stops a reflector for every list of the session's workspace, as change sets come and go. */
export class Supervisor implements SessionListener {
  readonly #options: SupervisorOptions;
  readonly #slots = new Slots();
  /** What the server does not list. */
  readonly byId: ById;
  #workspace: Workspace | undefined;
  #session: SignedIn | undefined;
  /** Lists are taken on one after the other, in the order in which their change sets were seen. */
  #following: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { clock, log } = options;
    const find = (name: string): MirroredList | undefined => this.#workspace?.lists.get(name)?.list;
    this.byId = new ById({ clock, log, slots: this.#slots, find });
  }

  /** The lists in the order in which they were taken on. */
  get lists(): MirroredList[] {
    return [...(this.#workspace?.lists.values() ?? [])].map(({ list }) => list);
  }

  async begin(session: SignedIn): Promise<void> {
    const known = this.#workspace;
    const same = known?.serverUrl === session.serverUrl && known.workspaceId === session.workspaceId;
    if (same && this.#session === session) return;
    await (same ? this.pause() : this.end());
    this.#session = session;
    this.byId.begin(session);
    if (!same) await this.#open(session);
    for (const running of this.#workspace?.lists.values() ?? []) this.#start(running);
    this.#follow();
    await this.#following;
  }

  async pause(): Promise<void> {
    this.#session = undefined;
    await this.byId.pause();
    await this.#following;
    await Promise.all([...(this.#workspace?.lists.values() ?? [])].map((running) => this.#halt(running)));
  }

  async end(): Promise<void> {
    await this.pause();
    const workspace = this.#workspace;
    if (workspace === undefined) return;
    await this.byId.end();
    await workspace.cache.flush();
    this.#workspace = undefined;
    this.#options.changes.remove([...workspace.lists.keys(), eventList]);
  }

  /** Ends without taking anything away from readers; what is unwritten is written. */
  async stop(): Promise<void> {
    await this.pause();
    await this.#workspace?.cache.flush();
  }

  /** Has lists asked now; all of them, or those named. Gives the names of those that were. */
  nudge(nudge: Nudge, which: (name: string) => boolean = () => true): string[] {
    const nudged = [...(this.#workspace?.lists.values() ?? [])].filter(({ list }) => which(list.name));
    for (const { reflector } of nudged) reflector?.nudge(nudge);
    return nudged.map(({ list }) => list.name);
  }

  /** Has those lists asked now that wait because they failed, or for the news of another list. */
  nudgeWaiting(): void {
    const waiting = this.lists.filter(({ health, row }) => health.failures > 0 || row.follows !== undefined);
    const names = new Set(waiting.map(({ name }) => name));
    this.nudge("news", (name) => names.has(name));
    this.byId.nudge();
  }

  /** The part of the cache that is in use, which nobody must prune. */
  get cacheInUse(): InUse | undefined {
    const workspace = this.#workspace;
    if (workspace === undefined) return undefined;
    const { serverUrl, workspaceId, lists } = workspace;
    return {
      folder: scopeFolder(this.#options.cacheFolder, serverUrl, workspaceId),
      lists: new Set([...lists.keys(), eventList].map(fileNameOf)),
    };
  }

  async #open({ serverUrl, workspaceId }: SignedIn): Promise<void> {
    const { cacheFolder, clock, log, notices, changes, write } = this.#options;
    const folder = scopeFolder(cacheFolder, serverUrl, workspaceId);
    const cache = new Cache({ folder, clock, log, notices, write });
    const history = new History(clock, changes, cache);
    await history.load();
    this.#workspace = { serverUrl, workspaceId, cache, history, lists: new Map() };
    log.info("workspace opened", { address: serverUrl, workspaceId });
    for (const wanted of workspaceLists) await this.#add(this.#workspace, wanted);
    await this.#followChangeSets(this.#workspace);
  }

  /** Takes a list on: first what the cache has of it, then what the server says. */
  async #add(workspace: Workspace, { row, changeSetId, isHead }: WantedList): Promise<void> {
    const { clock, changes } = this.#options;
    const { cache, history, workspaceId } = workspace;
    const list = new MirroredList(
      row,
      { workspaceId, changeSetId, isHead },
      { clock, changes, cache, history },
    );
    const running: Running = {
      list,
      reflector: undefined,
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    workspace.lists.set(list.name, running);
    await list.load();
    if (this.#workspace === workspace) this.#start(running);
  }

  #start(running: Running): void {
    const session = this.#session;
    if (session === undefined || running.reflector !== undefined) return;
    const { clock, log, connection, holdSeconds, onHealth } = this.#options;
    const { list } = running;
    const health = transition(log.with({ resource: list.name }), "list failed", "list recovered");
    const reflector = new Reflector({
      clock,
      slots: this.#slots,
      holdSeconds,
      follows: list.row.follows !== undefined,
      etag: () => list.etag,
      list: (options) => list.row.list(session.api, list.scope, options),
      onPage: (items, index) => {
        list.takePage(items, index);
        // Whoever follows a long list need not wait for its end.
        if (index === 0) this.#hint(list);
      },
      take: (listed) => {
        const changed = list.take(listed);
        if (!listed.unchanged) this.byId.learn(list, listed.items);
        if (list.row.name !== "changeSets") return changed;
        if (changed) this.#follow();
        if (!listed.unchanged) this.#hint(list);
        return changed;
      },
      onHealth: (next) => {
        const urgent = next.failures !== list.health.failures;
        list.health = next;
        onHealth(urgent ? "urgent" : "routine");
      },
      onAnswer: (ms) => {
        health.succeeded();
        connection.answered(list.name, ms);
      },
      onAbsent: (error, ms, first) => {
        if (first) log.info("list not offered", { resource: list.name, reason: messageOf(error) });
        connection.answered(list.name, ms);
        const { changeSetId } = list.scope;
        if (list.row.name === "functionRuns" && changeSetId !== undefined) this.byId.learnAll(changeSetId);
      },
      onFailure: (error, failures, nextAt) => {
        health.failed({ reason: messageOf(error) });
        connection.failed(list.name, error, failures, nextAt);
        if (isRejected(error)) this.#options.onRefused();
        // A change set that is not there any more is the change sets' news.
        if (isGone(error)) this.nudge("news", (name) => name === "changeSets");
      },
    });
    running.reflector = reflector;
    running.stop = new AbortController();
    running.ended = reflector.run(running.stop.signal);
  }

  /** Tells the lists that follow `leader` that it has news: those of its change set, or all when it has none. */
  #hint(leader: MirroredList): void {
    const { changeSetId } = leader.scope;
    for (const { list, reflector } of this.#workspace?.lists.values() ?? []) {
      const same = changeSetId === undefined || list.scope.changeSetId === changeSetId;
      if (same && list.row.follows?.some((name) => name === leader.row.name)) reflector?.hint();
    }
  }

  async #halt(running: Running): Promise<void> {
    running.stop.abort();
    await running.ended;
    running.reflector = undefined;
    this.#options.connection.forget(running.list.name);
  }

  #follow(): void {
    const workspace = this.#workspace;
    if (workspace === undefined) return;
    this.#following = this.#following.then(() => this.#followChangeSets(workspace));
  }

  /** Has a list for every row of every active change set, and none of any other. */
  async #followChangeSets(workspace: Workspace): Promise<void> {
    if (this.#workspace !== workspace) return;
    const lists = changeSetLists(this.#options.changes.items("changeSets"));
    const wanted = new Set(lists.map(({ name }) => name));
    for (const [name, running] of workspace.lists) {
      if (running.list.scope.changeSetId === undefined || wanted.has(name)) continue;
      workspace.lists.delete(name);
      await this.#halt(running);
      workspace.cache.remove(name);
      this.#options.changes.remove([name]);
    }
    this.byId.forget();
    for (const list of lists) if (!workspace.lists.has(list.name)) await this.#add(workspace, list);
    this.#options.onHealth("urgent");
  }
}
