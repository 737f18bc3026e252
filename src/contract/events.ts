import { group } from "./endpoint.ts";

export const events = group({});
