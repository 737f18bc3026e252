import type { ComponentView } from "../../src/contract/components.ts";
import type { Size } from "../view/rect.ts";
import { emptyMirror, type Mirror } from "./mirror.ts";
import type { ListState, Sort } from "./parts/list.ts";
import type { Line } from "./parts/prompt.ts";
import type { RunLog } from "./run-log.ts";

export type ScreenId =
  | "overview"
  | "changeSets"
  | "review"
  | "components"
  | "component"
  | "actions"
  | "runs"
  | "run";

/** Where a person is. */
export type Route =
  | { readonly screen: "overview" }
  | { readonly screen: "changeSets" }
  | { readonly screen: "review"; readonly changeSetId: string }
  | { readonly screen: "components"; readonly changeSetId: string }
  | { readonly screen: "component"; readonly changeSetId: string; readonly componentId: string }
  | { readonly screen: "actions" }
  | { readonly screen: "runs" }
  | { readonly screen: "run"; readonly changeSetId: string; readonly funcRunId: string };

/** A part of the screen that can have the keyboard. */
export type PaneId =
  | "attention"
  | "changeSets"
  | "review"
  | "components"
  | "facts"
  | "actions"
  | "runs"
  | "log";

/** A page of the component detail. */
export type TabId = "diff" | "attributes" | "qualifications" | "links" | "views" | "resource";

/** The socket to the daemon. */
export interface Link {
  readonly state: "connecting" | "open" | "closed";
  /** Since when it is in this state. */
  readonly since: number;
  /** When the daemon last said anything. */
  readonly heardAt: number | null;
  readonly nextRetryAt: number | null;
  /** Why it is closed, in words. */
  readonly error: string | null;
}

/** One component as it was read for the detail; what is on the screen stays while it is read again. */
export interface Detail {
  readonly state: "loading" | "ready" | "failed";
  /** When it was last asked for. */
  readonly askedAt: number;
  readonly loadedAt: number | null;
  readonly error: string | null;
  readonly own: ComponentView | null;
  /** The same component in the head; null when it is not there, or when this is the head. */
  readonly head: ComponentView | null;
  /** True when a change arrived after it was asked for. */
  readonly outdated: boolean;
  /** Paths whose value another reading changed, and when. */
  readonly fresh: ReadonlyMap<string, number>;
}

export interface Toast {
  readonly text: string;
  readonly role: "ok" | "warn" | "failed" | "text";
  readonly until: number;
}

/** What lies over the screen and takes the keys. */
export type Popup =
  | { readonly kind: "help"; readonly all: boolean; readonly top: number }
  | { readonly kind: "daemon" }
  | { readonly kind: "sort"; readonly list: string }
  | { readonly kind: "confirm"; readonly deed: Deed };

/** Something that is asked of the server. */
export interface Deed {
  /** What it is, for the question: `Cancel the action create main-vpc`. */
  readonly title: string;
  /** What follows from it, one sentence each. */
  readonly because: readonly string[];
  /** What is said once it is done. */
  readonly done: string;
  readonly request: Request;
}

interface InChangeSet {
  readonly changeSetId: string;
}

/** What the dashboard asks for, as operations of the public API. */
export type Request =
  | {
      readonly operation: "actions.retry" | "actions.putOnHold" | "actions.cancel";
      readonly input: InChangeSet & { readonly actionId: string };
    }
  | {
      readonly operation: "functionRuns.cancel";
      readonly input: InChangeSet & { readonly funcRunId: string };
    }
  | { readonly operation: "jobs.cancel"; readonly input: InChangeSet & { readonly jobId: string } };

/** A connection that came back: since when it was gone, and what has arrived since. */
export interface Return {
  readonly goneAt: number;
  readonly backAt: number;
  readonly changed: number;
}

/** Everything that the dashboard knows. `view` draws it and nothing else. */
export interface Model {
  readonly now: number;
  readonly size: Size;
  /** Minutes by which the person's clock is ahead of UTC. */
  readonly zoneMinutes: number;
  readonly version: string;
  readonly link: Link;
  readonly mirror: Mirror;
  readonly route: Route;
  /** Earlier routes, for going back; the newest last. */
  readonly history: readonly Route[];
  readonly pane: PaneId;
  readonly tab: TabId;
  /** By list key, see `lists.ts`. */
  readonly lists: Readonly<Record<string, ListState>>;
  /** Sort orders as last chosen, by kind of list, for lists that are opened later. */
  readonly sorts: Readonly<Record<string, Sort>>;
  /** By `detailKey`. */
  readonly details: ReadonlyMap<string, Detail>;
  /** Runs as they were last read for their own page, by their ids. */
  readonly runLogs: ReadonlyMap<string, RunLog>;
  /** The run that is being followed. */
  readonly followed: string | null;
  /** The component whose preview waits for the cursor to rest. */
  readonly resting: string | null;
  readonly prompt: { readonly list: string; readonly line: Line; readonly before: string } | null;
  readonly popup: Popup | null;
  readonly toast: Toast | null;
  /** Since when the server cannot be reached or the daemon is gone, and what has arrived all the same; null while all is well. */
  readonly away: { readonly since: number; readonly changed: number } | null;
  readonly returning: Return | null;
}

export interface Start {
  readonly now: number;
  readonly size: Size;
  readonly zoneMinutes: number;
  readonly version: string;
  readonly filter?: string;
}

/** The model before anything is known. */
export const newModel = (start: Start): Model => ({
  now: start.now,
  size: start.size,
  zoneMinutes: start.zoneMinutes,
  version: start.version,
  link: { state: "connecting", since: start.now, heardAt: null, nextRetryAt: null, error: null },
  mirror: emptyMirror,
  route: { screen: "overview" },
  history: [],
  pane: "changeSets",
  tab: "diff",
  lists: {},
  sorts: {},
  details: new Map(),
  runLogs: new Map(),
  followed: null,
  resting: null,
  prompt: null,
  popup: null,
  toast: null,
  away: null,
  returning: null,
});

export const detailKey = (changeSetId: string, componentId: string): string =>
  `${changeSetId}/${componentId}`;
