import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { ActionView } from "../../src/contract/actions.ts";
import type { ChangeSetView, MergeStatus } from "../../src/contract/change-sets.ts";
import type { ComponentDetails } from "../../src/contract/components.ts";
import { type Group, group } from "../../src/contract/endpoint.ts";
import { ApiError, type ErrorName, fail } from "../../src/contract/errors.ts";
import type { FuncRunSummary, FuncRunView } from "../../src/contract/function-runs.ts";
import { api } from "../../src/contract/index.ts";
import type { JobView } from "../../src/contract/jobs.ts";
import type { ComponentReview, Review } from "../../src/contract/review.ts";
import type { Handlers } from "../../src/http/handlers.ts";
import { readJsonBodies } from "../../src/http/json-body.ts";
import { mount } from "../../src/http/mount.ts";

/** What a server of the scripts can do: tags and held answers as ours, tags only, or neither. */
export type Ability = "holds" | "tags" | "plain";

const rows = {
  identity: group({ whoami: api.identity.whoami }),
  changeSets: group({
    list: api.changeSets.list,
    abandon: api.changeSets.abandon,
    mergeStatus: api.changeSets.mergeStatus,
  }),
  components: group({ list: api.components.list }),
  review: group({ get: api.review.get }),
  actions: group({ list: api.actions.list }),
  functionRuns: group({ list: api.functionRuns.list, get: api.functionRuns.get }),
  jobs: group({ list: api.jobs.list }),
  managementJobs: group({ execute: api.managementJobs.execute, get: api.managementJobs.get }),
  debugJobs: group({ get: api.debugJobs.get }),
};
type Rows = typeof rows;

/** The same rows without conditional requests, as a server that knows none would have them. */
const withoutTags = <G extends Group>(rows: G): G =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { revision: _, ...row }]) => [name, row]),
    // The same rows but for one optional member.
  ) as unknown as G;

export const headId = "01JHEAD0000000000000000000";
export const workspaceId = "01JWK000000000000000000000";
export const userId = "01JVSER0000000000000000000";

/** A server that speaks the contract and holds its state in memory: for the troubles a real one does not have. */
export class ScriptedServer {
  key = "svc_00000000000000000000000000000001";
  readonly ability: Ability;
  readonly changeSets = new Map<string, ChangeSetView>([
    [headId, { id: headId, name: "HEAD", status: "Open", isHead: true }],
  ]);
  readonly components = new Map<string, Map<string, ComponentDetails>>([[headId, new Map()]]);
  /** What each change set changes, and what is queued in it. */
  readonly reviews = new Map<string, ComponentReview[]>();
  readonly actions = new Map<string, ActionView[]>();
  /** Runs and management jobs by their ids, whatever their change set. */
  readonly runs = new Map<string, FuncRunView>();
  readonly jobs = new Map<string, JobView>();
  /** Whether the server has reviews at all; heeded when it starts. */
  reviewing = true;
  /** Whether it lists runs and jobs, or has them by their ids only; heeded when it starts. */
  listing = true;
  /** Every request, as `method path` without the query. */
  readonly requests: string[] = [];
  /** Every answer that was sent, as `status method path` without the query. */
  readonly answers: string[] = [];
  /** What every authorized request is refused with while it is set. */
  refusal: { readonly error: ErrorName; readonly retryAfterSeconds?: number } | undefined;
  pageSize = 300;
  /** Called before each page of components is answered. */
  beforePage: (cursor: string | undefined) => void = () => undefined;
  #revision = 1;
  #waiting = new Set<() => void>();
  #app: FastifyInstance | undefined;
  #stopping = new AbortController();
  #port = 0;

  constructor(ability: Ability = "holds") {
    this.ability = ability;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Requests that wait for a change. */
  get held(): number {
    return this.#waiting.size;
  }

  /** Starts to listen; after a stop at the same port as before. */
  async start(): Promise<void> {
    const app = fastify({ forceCloseConnections: true });
    this.#stopping = new AbortController();
    readJsonBodies(app);
    app.addHook("onRequest", async (request) => {
      this.requests.push(nameOf(request));
    });
    app.addHook("onResponse", async (request, { statusCode }) => {
      this.answers.push(`${statusCode} ${nameOf(request)}`);
    });
    const tagged = this.ability !== "plain";
    const { functionRuns, jobs: _, ...others } = rows;
    const listed = this.listing
      ? rows
      : { ...others, functionRuns: group({ get: functionRuns.get }), jobs: group({}) };
    const offered = this.reviewing ? listed : { ...listed, review: group({}) };
    const contract = tagged
      ? offered
      : Object.fromEntries(Object.entries(offered).map(([name, row]) => [name, withoutTags(row)]));
    // Handlers for all rows fit whatever part of them is offered.
    mount(app, contract as Rows, this.#handlers(), {
      authorize: ({ request }) => {
        if (this.refusal !== undefined) {
          const { error, retryAfterSeconds } = this.refusal;
          throw new ApiError(error, undefined, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
        }
        if (request.headers.authorization !== `Bearer ${this.key}`) fail("unauthenticated");
      },
      revisionOf: async () => `r${this.#revision}`,
      stopping: this.#stopping.signal,
      ...(this.ability === "holds"
        ? { waitForChange: (_incoming, _context, signal: AbortSignal) => this.#nextChange(signal) }
        : {}),
    });
    await app.listen({ host: "127.0.0.1", port: this.#port });
    this.#port = (app.server.address() as AddressInfo).port;
    this.#app = app;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#app?.close();
  }

  /** Changes the state in one step, seen by whoever waits. */
  edit(change: (server: this) => void): void {
    change(this);
    this.#revision++;
    for (const wake of [...this.#waiting]) wake();
  }

  addChangeSet(id: string, name: string): void {
    this.edit(() => {
      this.changeSets.set(id, { id, name, status: "Open", isHead: false });
      this.components.set(id, new Map(this.components.get(headId)));
    });
  }

  removeChangeSet(id: string): void {
    this.edit(() => {
      this.changeSets.delete(id);
      this.components.delete(id);
    });
  }

  setComponent(changeSetId: string, componentId: string, name: string): void {
    const schemaName = "Test";
    this.edit(() => this.components.get(changeSetId)?.set(componentId, { componentId, name, schemaName }));
  }

  removeComponent(changeSetId: string, componentId: string): void {
    this.edit(() => this.components.get(changeSetId)?.delete(componentId));
  }

  /** How far a change set is from being applied, as the server tells it; undefined when there is none of that id. */
  mergeOf(changeSetId: string): MergeStatus["changeSet"] | undefined {
    const changeSet = this.changeSets.get(changeSetId);
    if (changeSet === undefined) return undefined;
    const { id, name, status } = changeSet;
    const at = new Date(0).toISOString();
    const nobody = { mergeRequestedByUserId: null, mergeRequestedByUser: null, mergeRequestedAt: null };
    const noReview = { reviewedByUserId: null, reviewedByUser: null, reviewedAt: null, note: null };
    return {
      id,
      name,
      status,
      createdByUserId: userId,
      createdAt: at,
      updatedAt: at,
      ...nobody,
      ...noReview,
    };
  }

  /** What a change set changes, as the server tells it: what {@link reviews} has, else what is named otherwise than in the head. */
  reviewOf(changeSetId: string): Review {
    const head = this.components.get(headId);
    const others = [...(this.components.get(changeSetId)?.values() ?? [])].filter(
      ({ componentId, name }) => head?.get(componentId)?.name !== name,
    );
    const components = this.reviews.get(changeSetId) ?? others.map(asReviewed);
    const summary = { added: 0, modified: components.length, removed: 0, attributes: 0, headMoved: 0 };
    return {
      components,
      entities: [],
      dropped: [],
      summary: { totalComponents: components.length, ...summary },
      pending: false,
      at: new Date(this.#revision).toISOString(),
    };
  }

  #handlers(): Handlers<Rows, void> {
    return {
      identity: {
        whoami: () => ({
          token: { id: userId, kind: "personalKey", userId },
          userEmail: "ana@example.com",
          userId,
          workspaceId,
        }),
      },
      changeSets: {
        list: () => ({ changeSets: [...this.changeSets.values()] }),
        abandon: ({ changeSetId }) => {
          if (!this.changeSets.has(changeSetId)) fail("changeSetNotFound");
          this.removeChangeSet(changeSetId);
          return { success: true };
        },
        mergeStatus: ({ changeSetId }) => ({
          changeSet: this.mergeOf(changeSetId) ?? fail("changeSetNotFound"),
          actions: [],
        }),
      },
      review: { get: ({ changeSetId }) => this.reviewOf(changeSetId) },
      functionRuns: {
        list: ({ changeSetId }) => ({
          funcRuns: changeSetId === headId ? [...this.runs.values()].map(summaryOf) : [],
          nextCursor: null,
        }),
        get: ({ funcRunId }) => ({ funcRun: this.runs.get(funcRunId) ?? fail("functionRunNotFound") }),
      },
      jobs: {
        list: ({ changeSetId }) => ({
          jobs: changeSetId === headId ? [...this.jobs.values()] : [],
          nextCursor: null,
        }),
      },
      managementJobs: {
        execute: () => {
          const [job] = this.jobs.values();
          return { managementFuncJobStateId: job?.id ?? fail("functionNotFound"), status: "ok" };
        },
        get: ({ managementFuncJobStateId }) => {
          const { state, funcRunId } = this.jobs.get(managementFuncJobStateId) ?? fail("jobNotFound");
          return { state, funcRunId: funcRunId ?? null };
        },
      },
      debugJobs: { get: () => fail("jobNotFound") },
      actions: { list: ({ changeSetId }) => ({ actions: this.actions.get(changeSetId) ?? [] }) },
      components: {
        list: ({ changeSetId, query }) => {
          this.beforePage(query.cursor);
          const components = this.components.get(changeSetId) ?? fail("changeSetNotFound");
          const sorted = [...components.values()].sort((a, b) => (a.componentId < b.componentId ? -1 : 1));
          const from = sorted.filter(({ componentId }) => componentId > (query.cursor ?? ""));
          const page = from.slice(0, Math.min(this.pageSize, query.limit ?? 50));
          const nextCursor = page.length < from.length ? (page.at(-1)?.componentId ?? null) : null;
          return { componentDetails: page, nextCursor };
        },
      },
    };
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

const nameOf = ({ method, url }: FastifyRequest): string => `${method} ${url.split("?")[0] ?? ""}`;

const summaryOf = ({ logs: _, functionArgs: _args, ...run }: FuncRunView): FuncRunSummary => ({
  ...run,
  functionId: "01JFVNC0000000000000000000",
});

/** A run as the server of the scripts tells it; `patch` replaces members. */
export const scriptedRun = (id: string, state: string, patch: Partial<FuncRunView> = {}): FuncRunView => ({
  id,
  state,
  functionName: "createNetwork",
  functionKind: "action",
  componentId: null,
  functionCodeBase64: "",
  functionArgs: {},
  backendKind: "",
  backendResponseType: "",
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
  logs: null,
  ...patch,
});

const asReviewed = ({ componentId, name, schemaName }: ComponentDetails): ComponentReview => ({
  componentId,
  componentName: name,
  schemaName,
  diffStatus: "Modified",
  toDelete: false,
  canBeUpgraded: false,
  attributeDiffs: {},
  viewsAdded: [],
  viewsRemoved: [],
  managersAdded: [],
  managersRemoved: [],
  headMoved: false,
});
