import type { MirrorEvent } from "../../src/mirror/resources.ts";
import { ulidTime } from "./time.ts";

/** How a component differs from the head. */
export type Difference = "added" | "modified" | "removed" | "none";

export interface FunctionState {
  readonly name: string;
  readonly state: string | null;
  readonly running: boolean;
}

/** A link from one attribute to another component's. */
export interface Subscription {
  readonly componentId: string;
  readonly componentName: string;
  readonly fromPath: string;
  readonly toPath: string;
}

export interface NamedReference {
  readonly id: string;
  readonly name: string;
}

/** A component as the lists show it; absent information is null, never a guess. */
export interface ComponentRow {
  readonly id: string;
  readonly name: string;
  readonly sortName: string;
  readonly schema: string;
  readonly difference: Difference | null;
  /** `Ok`, `Warning`, `Error`, or null without a resource. */
  readonly resource: string | null;
  readonly resourceId: string | null;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly pending: number;
  readonly created: number | undefined;
  /** True when something about it waits for a person. */
  readonly troubled: boolean;
  readonly qualifications: readonly FunctionState[];
  readonly actions: readonly FunctionState[];
  readonly subscriptions: readonly Subscription[];
  readonly manages: readonly NamedReference[];
}

/** A change set as it is mirrored. */
export interface ChangeSetItem {
  readonly id: string;
  readonly name: string;
  readonly sortName: string;
  readonly status: string;
  readonly isHead: boolean;
  readonly created: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const none: readonly never[] = [];

/** Reads one mirrored component; what is missing or of another kind is shown as absent. */
export function componentRow(id: string, item: unknown): ComponentRow {
  const fields = fieldsOf(item);
  const name = text(fields["name"]) || id;
  const qualifications = functions(fields["qualificationFunctions"]);
  const count = (states: readonly string[]): number =>
    qualifications.filter((check) => check.state !== null && states.includes(check.state)).length;
  const passed = count(["Succeeded", "Success"]);
  const warned = count(["Warning"]);
  const failed = count(["Failed", "Failure"]);
  const resource = textOrNull(fields["resourceStatus"]);
  const actions = functions(fields["actionFunctions"]);
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    schema: text(fields["schemaName"]),
    difference: difference(fields["diffStatus"], fields["hasDiff"]),
    resource,
    resourceId: textOrNull(fields["resourceId"]),
    passed,
    warned,
    failed,
    pending: qualifications.length - passed - warned - failed,
    created: ulidTime(id),
    troubled:
      failed + warned > 0 ||
      (resource !== null && resource.toLowerCase() !== "ok") ||
      actions.some(({ state }) => state === "Failed"),
    qualifications,
    actions,
    subscriptions: mapped(fields["subscriptions"], (entry) => ({
      componentId: text(entry["toComponentId"]),
      componentName: text(entry["toComponentName"]),
      fromPath: text(entry["fromPath"]),
      toPath: text(entry["toPath"]),
    })),
    manages: mapped(fields["manages"], (entry) => ({
      id: text(entry["toComponentId"]),
      name: text(entry["toComponentName"]),
    })),
  };
}

/** Reads one mirrored change set. */
export function changeSetItem(id: string, item: unknown): ChangeSetItem {
  const fields = fieldsOf(item);
  const name = text(fields["name"]) || id;
  const isHead = fields["isHead"] === true;
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    status: text(fields["status"]),
    isHead,
    created: isHead ? undefined : ulidTime(id),
  };
}

/** Reads one entry of the history; undefined when it is none. */
export function eventItem(item: unknown): MirrorEvent | undefined {
  const fields = fieldsOf(item);
  const kind = fields["kind"];
  if (kind !== "added" && kind !== "changed" && kind !== "removed") return undefined;
  return {
    id: text(fields["id"]),
    at: text(fields["at"]),
    kind,
    resource: text(fields["resource"]),
    changeSetId: textOrNull(fields["changeSetId"]),
    key: text(fields["key"]),
    name: text(fields["name"]),
  };
}

/** True when a person would see no difference between two states of a component's row. */
export const sameComponent = (a: ComponentRow, b: ComponentRow): boolean =>
  a.name === b.name &&
  a.schema === b.schema &&
  a.difference === b.difference &&
  a.resource === b.resource &&
  a.passed === b.passed &&
  a.warned === b.warned &&
  a.failed === b.failed &&
  a.pending === b.pending &&
  a.subscriptions.length === b.subscriptions.length &&
  a.manages.length === b.manages.length;

export const sameChangeSet = (a: ChangeSetItem, b: ChangeSetItem): boolean =>
  a.name === b.name && a.status === b.status && a.isHead === b.isHead;

function difference(status: unknown, differs: unknown): Difference | null {
  switch (text(status).toLowerCase()) {
    case "added":
      return "added";
    case "modified":
      return "modified";
    case "removed":
      return "removed";
    case "none":
      return "none";
    default:
      return differs === true ? "modified" : differs === false ? "none" : null;
  }
}

function mapped<T>(value: unknown, read: (fields: Fields) => T): readonly T[] {
  const entries = list(value);
  return entries.length === 0 ? none : entries.map((entry) => read(fieldsOf(entry)));
}

const functions = (value: unknown): readonly FunctionState[] =>
  mapped(value, (entry) => {
    const status = fieldsOf(entry["executionStatus"]);
    return {
      name: text(entry["functionName"]),
      state: textOrNull(status["state"]),
      running: status["hasActiveRun"] === true,
    };
  });
