/** What a job runs for one component. */
export const jobKinds = ["management", "debug"] as const;
export type JobKind = (typeof jobKinds)[number];

/** Where a job stands; a debug job is never `Operating`. The rows spell them as their specification does. */
export const jobStates = ["Pending", "Executing", "Operating", "Success", "Failure", "Killed"] as const;
export type JobState = (typeof jobStates)[number];
