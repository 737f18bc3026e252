import { group } from "./endpoint.ts";

export const actions = group({});
