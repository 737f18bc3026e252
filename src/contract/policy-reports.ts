import { group } from "./endpoint.ts";

export const policyReports = group({});
