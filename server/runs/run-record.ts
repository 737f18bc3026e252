import { createHash } from "node:crypto";
import type { FunctionRunState } from "../../src/contract/function-runs.ts";
import {
  backendResponseTypeOf,
  cutJson,
  firstActionResult,
  isRunEnded,
  type RunAbout,
  shownArguments,
} from "../domain/function-runs.ts";
import type { Json } from "../domain/json.ts";
import { createRedactor, redactJson, secretsIn } from "../sandbox/redact.ts";
import type { FuncRunTable } from "../store/function-tables.ts";
import type { KeptLine } from "./run-log.ts";
import type { RunRequest, RunVerdict } from "./runs.ts";

/** Longest arguments that a row keeps, as JSON: what a component of ordinary size has is a tenth of it. */
export const maximumArguments = 100_000;
/** Longest result that a row keeps, as JSON. */
export const maximumResult = 1_000_000;
/** Longest last line that says what was returned. */
const maximumOutput = 10_000;

/** A run of this process until its end is in the database: its row as it is to be, and what of it is not there yet. */
export class RunRecord {
  readonly id: string;
  readonly code: { readonly hash: string; readonly text: string };
  /** Lines that are not in the database yet, and how many parts are. */
  lines: KeptLine[] = [];
  parts = 0;
  isInDatabase = false;
  /** Whether something changed that lists show. */
  isStateNew = true;
  /** Failed attempts at writing it. */
  attempts = 0;
  readonly recorded: Promise<void>;
  readonly ended: Promise<void>;
  tellRecorded: () => void = () => {};
  tellEnded: () => void = () => {};
  tellFailed: (error: unknown) => void = () => {};
  readonly #redact: (text: string) => string;
  readonly #hasSecrets: boolean;
  #row: FuncRunTable;

  constructor(request: RunRequest, { id, owner, now }: { id: string; owner: string; now: number }) {
    this.id = id;
    this.code = { text: request.func.code, hash: hashOf(request.func.code) };
    const secrets = (request.before ?? []).flatMap((one) => secretsIn(one.argument));
    this.#hasSecrets = secrets.length > 0;
    this.#redact = createRedactor(secrets);
    this.#row = this.#first(request, owner, now);
    let [tellRecorded, failRecorded] = [(): void => {}, (_: unknown): void => {}];
    this.recorded = new Promise((resolve, reject) => {
      [tellRecorded, failRecorded] = [resolve, reject];
    });
    this.ended = new Promise((resolve, reject) => {
      this.tellEnded = resolve;
      this.tellFailed = (error) => {
        failRecorded(error);
        reject(error);
      };
    });
    this.tellRecorded = tellRecorded;
    // Whoever waits for them hears of a failure; nobody has to.
    this.recorded.catch(() => {});
    this.ended.catch(() => {});
  }

  get row(): FuncRunTable {
    return this.#row;
  }

  get isEnded(): boolean {
    return isRunEnded(this.#row.state);
  }

  /** Notes that it is in another state. */
  moveTo(state: FunctionRunState, now: number): void {
    this.isStateNew = true;
    this.#row = { ...this.#row, state, rev: nextRev(this.#row.rev, now), updated_at: now };
  }

  /** Notes a line of its log. */
  log(stream: KeptLine[0], message: string, now: number): void {
    this.lines.push([stream, message, Math.floor(now / 1000)]);
    this.#row = { ...this.#row, rev: nextRev(this.#row.rev, now) };
  }

  /** Notes how it ended; `isSure` tells whether the same again would end the same. */
  end(verdict: RunVerdict, isSure: boolean, now: number): void {
    if (verdict.output !== undefined) {
      const text = JSON.stringify(this.#clean(verdict.output), null, 2);
      const cut = text.length > maximumOutput ? `${text.slice(0, maximumOutput).toWellFormed()} …` : text;
      this.log("output", `Output: ${cut}`, now);
    }
    const result = JSON.stringify(this.#clean(verdict.result));
    const kept = cutJson(result, maximumResult);
    this.moveTo(verdict.state, now);
    this.#row = {
      ...this.#row,
      action_result: verdict.actionResult ?? this.#row.action_result,
      // What is not kept whole cannot stand for a run.
      fingerprint: isSure && kept === result ? this.#row.fingerprint : null,
      result: kept,
      failure: verdict.failure === undefined ? null : this.#redact(verdict.failure),
      finalized: 1,
      owner: null,
    };
  }

  #clean(value: Json): Json {
    return this.#hasSecrets ? redactJson(value, this.#redact) : value;
  }

  #first(request: RunRequest, owner: string, now: number): FuncRunTable {
    const { layer, func, component, action } = request;
    const about: RunAbout = {
      functionName: func.name,
      functionDisplayName: func.displayName,
      functionDescription: func.description,
      functionLink: func.link,
      backendResponseType: backendResponseTypeOf(func),
      componentName: component?.name ?? null,
      schemaName: component?.schemaName ?? null,
      attributeValueId: request.attributeValueId ?? null,
      actionKind: action?.kind ?? null,
      actionDisplayName: action?.displayName ?? null,
      actionOriginatingChangeSetId: action?.originChangeSetId ?? null,
      actionOriginatingChangeSetName: action?.originChangeSetName ?? null,
    };
    const shown = request.args ?? shownArguments(func.kind, request.input);
    return {
      id: this.id,
      workspace_id: layer.workspaceId,
      layer: layer.id,
      func_id: func.id,
      kind: func.kind,
      state: "Created",
      component_id: component?.id ?? null,
      prototype_id: request.prototypeId ?? null,
      action_id: action?.id ?? null,
      action_result: firstActionResult(func.kind),
      fingerprint: request.fingerprint ?? null,
      code_hash: this.code.text === "" ? null : this.code.hash,
      about: JSON.stringify(about),
      args: cutJson(JSON.stringify(this.#clean(shown)), maximumArguments),
      result: "null",
      failure: null,
      finalized: 0,
      owner,
      lease_until: 0,
      cancelled: 0,
      rev: now,
      created_at: now,
      updated_at: now,
    };
  }
}

/** Moves with every change, and past whatever another process gave it meanwhile. */
const nextRev = (rev: number, now: number): number => Math.max(rev + 1, now);

const hashOf = (code: string): string => createHash("sha256").update(code).digest("base64url");
