import { group } from "./endpoint.ts";

export const search = group({});
