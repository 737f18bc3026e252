import { errorTable } from "./errors.ts";

/** `the server is in maintenance`: how every such refusal begins. */
const [beginning = ""] = errorTable.maintenance.message.split(";");

/** What callers are told during maintenance; undefined where the catalogue's own sentence says it all. */
export const maintenanceSentence = (message: string | null): string | undefined =>
  message === null ? undefined : `${beginning}: ${message}`;

/** `in maintenance: …` of such a sentence, for a place where a state stands; undefined for any other sentence. */
export const maintenanceIn = (sentence: string | null | undefined): string | undefined =>
  sentence?.startsWith(beginning) === true ? sentence.slice("the server is ".length) : undefined;
