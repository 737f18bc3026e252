import type { MirrorEvent } from "../../src/mirror/resources.ts";
import { mapped, membersOf, textOf, textOrNull, textsOf } from "./members.ts";
import type { ReviewRow } from "./review-rows.ts";
import { ulidTime } from "./time.ts";

/** How a component differs from the head. */
export type Difference = "added" | "modified" | "removed" | "none";

export interface FunctionState {
  readonly name: string;
  readonly state: string | null;
  readonly running: boolean;
  /** The run that it is in, or was last in, as far as anybody tells. */
  readonly funcRunId: string | null;
  /** The queued action of the function, and those that it waits for. */
  readonly actionId: string | null;
  readonly dependsOn: readonly string[];
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
  /** How many of its attributes differ from the head, as far as anybody tells. */
  readonly attributes: number;
  /** Marked for deletion: gone with the apply. */
  readonly marked: boolean;
  /** There is a newer variant of its schema. */
  readonly upgradable: boolean;
  /** The head has changed, since they were edited here, some of the same attributes. */
  readonly headMoved: boolean;
  /** What its list says, whatever the review says. */
  readonly listed: Pick<ComponentRow, "difference" | "marked" | "upgradable">;
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

/** Reads one mirrored component; what is missing or of another kind is shown as absent. */
export function componentRow(id: string, item: unknown): ComponentRow {
  const fields = membersOf(item);
  const name = textOf(fields["name"]) || id;
  const qualifications = functions(fields["qualificationFunctions"]);
  const count = (states: readonly string[]): number =>
    qualifications.filter((check) => check.state !== null && states.includes(check.state)).length;
  const passed = count(["Succeeded", "Success"]);
  const warned = count(["Warning"]);
  const failed = count(["Failed", "Failure"]);
  const resource = textOrNull(fields["resourceStatus"]);
  const actions = functions(fields["actionFunctions"]);
  const marked = fields["toDelete"] === true;
  const listed = {
    difference: withMark(difference(fields["diffStatus"], fields["hasDiff"]), marked),
    marked,
    upgradable: fields["canBeUpgraded"] === true,
  };
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    schema: textOf(fields["schemaName"]),
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
      componentId: textOf(entry["toComponentId"]),
      componentName: textOf(entry["toComponentName"]),
      fromPath: textOf(entry["fromPath"]),
      toPath: textOf(entry["toPath"]),
    })),
    manages: mapped(fields["manages"], (entry) => ({
      id: textOf(entry["toComponentId"]),
      name: textOf(entry["toComponentName"]),
    })),
    attributes: 0,
    ...listed,
    headMoved: false,
    listed,
  };
}

/** The row with what the review of its change set tells of it; `undefined` when the review does not name it. */
export const reviewedComponent = (row: ComponentRow, review: ReviewRow | undefined): ComponentRow => ({
  ...row,
  // A list calls modified what the review knows to go with the apply: one component has one sign everywhere.
  difference: review === undefined ? row.listed.difference : differenceOf[review.kind],
  attributes: review?.attributes.length ?? 0,
  marked: row.listed.marked || review?.marked === true,
  upgradable: row.listed.upgradable || review?.upgradable === true,
  headMoved: review?.headMoved ?? false,
});

const differenceOf = { added: "added", changed: "modified", removed: "removed" } as const;

/** What is marked for deletion and differs is removed, in lists that have no word for it. */
const withMark = (listed: Difference | null, marked: boolean): Difference | null =>
  marked && listed === "modified" ? "removed" : listed;

/** Reads one mirrored change set. */
export function changeSetItem(id: string, item: unknown): ChangeSetItem {
  const fields = membersOf(item);
  const name = textOf(fields["name"]) || id;
  const isHead = fields["isHead"] === true;
  return {
    id,
    name,
    sortName: name.toLowerCase(),
    status: textOf(fields["status"]),
    isHead,
    created: isHead ? undefined : ulidTime(id),
  };
}

/** Reads one entry of the history; undefined when it is none. */
export function eventItem(item: unknown): MirrorEvent | undefined {
  const fields = membersOf(item);
  const kind = fields["kind"];
  if (kind !== "added" && kind !== "changed" && kind !== "removed") return undefined;
  return {
    id: textOf(fields["id"]),
    at: textOf(fields["at"]),
    kind,
    resource: textOf(fields["resource"]),
    changeSetId: textOrNull(fields["changeSetId"]),
    key: textOf(fields["key"]),
    name: textOf(fields["name"]),
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
  a.manages.length === b.manages.length &&
  a.marked === b.marked &&
  a.upgradable === b.upgradable;

export const sameChangeSet = (a: ChangeSetItem, b: ChangeSetItem): boolean =>
  a.name === b.name && a.status === b.status && a.isHead === b.isHead;

function difference(status: unknown, differs: unknown): Difference | null {
  switch (textOf(status).toLowerCase()) {
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

const functions = (value: unknown): readonly FunctionState[] =>
  mapped(value, (entry) => {
    const status = membersOf(entry["executionStatus"]);
    return {
      name: textOf(entry["functionName"]),
      state: textOrNull(status["state"]),
      running: status["hasActiveRun"] === true,
      funcRunId: textOrNull(status["funcRunId"]),
      actionId: textOrNull(status["actionId"]),
      dependsOn: textsOf(entry["dependsOn"]),
    };
  });
