import type { Log, LogFields } from "../src/lib/log.ts";

/** The log as the store and its worker write it: details first; only names that the log knows pass. */
export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Writes what the store says to the log. */
export const storeLog = (log: Log): StoreLog => ({
  info: (details, message) => log.info(message, fieldsOf(details)),
  warn: (details, message) => log.warn(message, fieldsOf(details)),
});

function fieldsOf(details: object): LogFields {
  const { err, job, migrations }: { err?: unknown; job?: unknown; migrations?: unknown } = details;
  return {
    ...(err === undefined ? {} : { reason: err instanceof Error ? err.message : String(err) }),
    ...(typeof job === "string" ? { job } : {}),
    ...(Array.isArray(migrations) ? { version: migrations.join(", ") } : {}),
  };
}
