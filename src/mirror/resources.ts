import Type, { type Static, type TSchema } from "typebox";
import { ActionView } from "../contract/actions.ts";
import { ChangeSetView, MergeStatus } from "../contract/change-sets.ts";
import { ComponentDetails } from "../contract/components.ts";
import { FuncRunSummary } from "../contract/function-runs.ts";
import { Id, Timestamp } from "../contract/ids.ts";
import type { Api } from "../contract/index.ts";
import { JobView } from "../contract/jobs.ts";
import { maximumLimit } from "../contract/page.ts";
import type { Client } from "../http/client.ts";
import { allPages } from "./pages.ts";
import { partKey, partName, ReviewPart, reviewParts } from "./review-parts.ts";

/** Where a resource's list is read: always a workspace, and one change set for what lives in change sets. */
export interface Scope {
  readonly workspaceId: string;
  readonly changeSetId: string | undefined;
  readonly isHead?: boolean;
}

/** One row of the mirror: how a list is read, and what identifies and names its items. */
export interface Resource<S extends TSchema = TSchema> {
  /** Shape of one mirrored item; cache files and answers are checked against it. */
  readonly item: S;
  readonly keyOf: (item: Static<S>) => string;
  /** `workspace`: one list; `changeSet`: one for each active change set; `openChangeSet`: the same without the head. */
  readonly scope: "workspace" | "changeSet" | "openChangeSet";
  /**
   * Lists without whose news this one has none: it is asked when one of them (of the same change set) has changed, and
   * no request is held for it. Servers may lack such a list.
   */
  readonly follows?: readonly ("changeSets" | "components")[];
  /** False when the list tells anew what others tell, or what is a history itself, so that it is none of the mirror's. */
  readonly history?: false;
  /** What the list is asked with, when anything: a tag of an answer to another question stands for other items. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** The name a person knows an item by. */
  readonly nameOf: (item: Static<S>) => string;
  /** Fetches the full current list, or says that nothing changed since `etag`. The daemon diffs; listers never do. */
  readonly list: (api: Client<Api>, scope: Scope, options: ListOptions) => Promise<Listed<Static<S>>>;
}

/** How a list is asked for: conditionally, held up to `waitSeconds`, and abortable. */
export interface ListOptions {
  readonly etag: string | undefined;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
  /**
   * Hears of the items of each page of a changed list as they come, while the next page is on its way; index 0 begins
   * the list, or begins it again. From the first call on nothing is held any more.
   */
  readonly onPage?: (items: readonly unknown[], index: number) => void;
}

/** A list's answer: `unchanged`, or every item with the tag that stands for them when the server has one. */
export type Listed<T> =
  | { readonly unchanged: true }
  | { readonly unchanged: false; readonly items: readonly T[]; readonly etag: string | undefined };

/** A run as lists show it; one that was asked for by its id does not name its function's id. */
const MirroredRun = Type.Object({ ...FuncRunSummary.properties, functionId: Type.Optional(Id) });
export type MirroredRun = Static<typeof MirroredRun>;

/** Runs, and jobs, of each change set that are mirrored: the newest. Each is some 500 bytes. */
export const newestKept = 100;

const resource = <const S extends TSchema>(row: Resource<S>): Resource<S> => row;

/** Everything that lists of components can tell. */
const included = { includeAll: true, includeRevision: true, includeMarks: true } as const;

/** Everything the daemon mirrors from the server. Adding a row is all it takes. */
export const resources = {
  changeSets: resource({
    item: ChangeSetView,
    scope: "workspace",
    keyOf: (changeSet) => changeSet.id,
    nameOf: (changeSet) => changeSet.name,
    list: async (api, { workspaceId }, options) => {
      const answer = await api.changeSets.list.conditional({ workspaceId }, options);
      return answer.unchanged
        ? answer
        : { unchanged: false, items: answer.body.changeSets, etag: answer.etag };
    },
  }),
  components: resource({
    item: ComponentDetails,
    query: included,
    scope: "changeSet",
    keyOf: (component) => component.componentId,
    nameOf: (component) => component.name,
    list: (api, { workspaceId, changeSetId = "HEAD" }, options) =>
      allPages(options, async (cursor, pageOptions) => {
        const query = {
          ...included,
          limit: maximumLimit,
          ...(cursor === undefined ? {} : { cursor }),
        };
        const answer = await api.components.list.conditional(
          { workspaceId, changeSetId, query },
          pageOptions,
        );
        return answer.unchanged
          ? answer
          : {
              unchanged: false,
              items: answer.body.componentDetails,
              next: answer.body.nextCursor ?? undefined,
              etag: answer.etag,
            };
      }),
  }),
  reviews: resource({
    item: ReviewPart,
    scope: "openChangeSet",
    follows: ["components"],
    history: false,
    keyOf: partKey,
    nameOf: partName,
    list: async (api, { workspaceId, changeSetId = "HEAD" }, options) => {
      const answer = await api.review.get.conditional({ workspaceId, changeSetId }, options);
      return answer.unchanged
        ? answer
        : { unchanged: false, items: reviewParts(answer.body), etag: answer.etag };
    },
  }),
  mergeStatuses: resource({
    item: MergeStatus.properties.changeSet,
    scope: "openChangeSet",
    follows: ["changeSets", "components"],
    history: false,
    keyOf: (merge) => merge.id,
    nameOf: (merge) => merge.name,
    list: async (api, { workspaceId, changeSetId = "HEAD" }, options) => {
      const answer = await api.changeSets.mergeStatus.conditional({ workspaceId, changeSetId }, options);
      return answer.unchanged
        ? answer
        : { unchanged: false, items: [answer.body.changeSet], etag: answer.etag };
    },
  }),
  actions: resource({
    item: ActionView,
    scope: "changeSet",
    follows: ["components"],
    keyOf: (action) => action.id,
    nameOf: (action) => action.name,
    list: async (api, { workspaceId, changeSetId = "HEAD", isHead = false }, options) => {
      const answer = await api.actions.list.conditional({ workspaceId, changeSetId }, options);
      if (answer.unchanged) return answer;
      const { actions } = answer.body;
      // Every change set shows the head's queue too: that is told once.
      const own = isHead ? actions : actions.filter((one) => one.originatingChangeSetId === changeSetId);
      return { unchanged: false, items: own, etag: answer.etag };
    },
  }),
  functionRuns: resource({
    item: MirroredRun,
    query: { limit: newestKept },
    scope: "changeSet",
    follows: ["components"],
    history: false,
    keyOf: (run) => run.id,
    nameOf: (run) => run.functionDisplayName ?? run.functionName,
    list: async (api, { workspaceId, changeSetId = "HEAD" }, options) => {
      const query = { limit: newestKept };
      const answer = await api.functionRuns.list.conditional({ workspaceId, changeSetId, query }, options);
      return answer.unchanged ? answer : { unchanged: false, items: answer.body.funcRuns, etag: answer.etag };
    },
  }),
  jobs: resource({
    item: JobView,
    query: { limit: newestKept },
    scope: "changeSet",
    follows: ["components"],
    keyOf: (job) => job.id,
    nameOf: (job) => job.functionName,
    list: async (api, { workspaceId, changeSetId = "HEAD" }, options) => {
      const query = { limit: newestKept };
      const answer = await api.jobs.list.conditional({ workspaceId, changeSetId, query }, options);
      return answer.unchanged ? answer : { unchanged: false, items: answer.body.jobs, etag: answer.etag };
    },
  }),
} as const;

type ResourceName = keyof typeof resources;

/** A row whose kind of item does not matter to its user; methods, because only its own items are ever given to it. */
export interface ResourceRow {
  readonly name: ResourceName;
  readonly item: TSchema;
  readonly scope: Resource["scope"];
  readonly follows?: Resource["follows"];
  readonly history?: false;
  readonly query?: Readonly<Record<string, unknown>>;
  keyOf(item: unknown): string;
  nameOf(item: unknown): string;
  list(api: Client<Api>, scope: Scope, options: ListOptions): Promise<Listed<unknown>>;
}

/** The rows of {@link resources} with their names, for machinery that treats them alike. */
export const resourceRows: readonly ResourceRow[] = Object.entries(resources).map(([name, row]) => ({
  ...row,
  // The entries of an object literal are its own keys.
  name: name as ResourceName,
}));

/** How a reader names one mirrored list: `changeSets`, or `components/<change set id>`. */
export const listName = (name: ResourceName, changeSetId?: string): string =>
  changeSetId === undefined ? name : `${name}/${changeSetId}`;

/** One thing that changed in the mirror: history, activity and "since you last looked" are made of these. */
export const MirrorEvent = Type.Object({
  id: Id,
  at: Timestamp,
  kind: Type.Union([Type.Literal("added"), Type.Literal("changed"), Type.Literal("removed")]),
  resource: Type.String(),
  changeSetId: Type.Union([Id, Type.Null()]),
  key: Type.String(),
  name: Type.String(),
});
export type MirrorEvent = Static<typeof MirrorEvent>;
