import pg from "pg";
import type { Clock } from "../../src/lib/clock.ts";

/** One connection that only listens, and how to make it again. */
export interface Listening {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  readonly clock: Clock;
}

const firstRetryMs = 100;
const slowestRetryMs = 5_000;

/**
 * Listens until the returned function is called, reconnecting with doubling pauses.
 * After a reconnection `heard` is called with undefined: what was said meanwhile is lost.
 */
export async function listenTo(
  { config, channel, clock }: Listening,
  heard: (payload: string | undefined) => void,
): Promise<() => Promise<void>> {
  let current: pg.Client | undefined;
  let cancelRetry = (): void => {};
  let closed = false;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ ...config, keepAlive: true });
    let lost = false;
    const lose = (): void => {
      if (lost) return;
      lost = true;
      client.end().catch(() => {});
      if (current === client) {
        current = undefined;
        retry(firstRetryMs);
      }
    };
    client.on("error", lose);
    client.on("end", lose);
    client.on("notification", (message) => heard(message.payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      lost = true;
      client.end().catch(() => {});
      throw error;
    }
    if (closed) await client.end();
    else current = client;
  };

  const retry = (ms: number): void => {
    if (closed) return;
    cancelRetry = clock.after(
      ms,
      () => {
        connect().then(
          () => heard(undefined),
          () => retry(Math.min(ms * 2, slowestRetryMs)),
        );
      },
      { background: true },
    );
  };

  await connect();
  return async () => {
    closed = true;
    cancelRetry();
    const client = current;
    current = undefined;
    await client?.end();
  };
}
