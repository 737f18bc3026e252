import type { DebugJobState } from "../../src/contract/debug-jobs.ts";
import type { JobKind, JobState } from "../../src/contract/jobs.ts";

/** The states from which a job may come into another; those that nothing leaves are its ends. */
const before: Readonly<Record<JobState, readonly JobState[]>> = {
  Pending: [],
  // Again where the process that ran it is gone: everything but actions is done anew.
  Executing: ["Pending", "Executing", "Operating"],
  Operating: ["Executing"],
  Success: ["Executing", "Operating"],
  Failure: ["Pending", "Executing", "Operating"],
};

/** The states that a job may be in to move to `next`; a debug job has nothing to apply. */
export const statesBefore = (next: JobState, kind: JobKind): readonly JobState[] =>
  kind === "debug" ? before[next].filter((state) => state !== "Operating") : before[next];

/** Whether a job has ended. */
export const isEnded = (state: JobState): boolean => state === "Success" || state === "Failure";

/** A debug job's state as its row spells it. */
export const debugState = (state: JobState): DebugJobState => {
  switch (state) {
    case "Pending":
      return "pending";
    case "Executing":
    case "Operating":
      return "running";
    case "Success":
      return "success";
    case "Failure":
      return "failure";
  }
};
