import { group } from "./endpoint.ts";

export const workspaces = group({});
