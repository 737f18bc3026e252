import type { ServerSettings } from "../config/server-settings.ts";
import type { Client } from "../http/client.ts";
import { type Clock, sleep } from "../lib/clock.ts";
import { Problem } from "../lib/problem.ts";
import { connectOperator, listensToOperator, type OperatorConnection } from "../operator/connect.ts";
import type { OperatorApi } from "../operator/contract.ts";
import type { Launch } from "./launch.ts";

/** A server that starts has its database before its socket, one that stops the other way round: wait this long. */
const patienceMs = 5_000;
const lookAgainMs = 100;

/** Which server is operated, and whether a database that is missing is made. */
interface OperatedPlace {
  readonly settings: ServerSettings;
  readonly launch: Launch;
  readonly clock: Clock;
  readonly make?: "make" | undefined;
}

/**
 * Performs `work` as the operator of a database: through the server that runs on it, else by opening it in this
 * process. Throws a {@link Problem} when neither is possible.
 */
export async function asOperator<T>(
  { settings, launch, clock, make }: OperatedPlace,
  work: (client: Client<OperatorApi>) => Promise<T>,
): Promise<T> {
  const giveUpAt = clock.now() + patienceMs;
  for (;;) {
    const { operatorSocket } = settings;
    if (operatorSocket !== undefined && (await listensToOperator(operatorSocket)))
      return await using(connectOperator(operatorSocket), work);
    try {
      const opened = await launch.operate(settings, make);
      try {
        return await using(connectOperator(opened.socketPath), work);
      } finally {
        await opened.close();
      }
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (clock.now() >= giveUpAt) throw unreachable(error, operatorSocket);
      await sleep(clock, lookAgainMs);
    }
  }
}

async function using<T>(
  { client, close }: OperatorConnection,
  work: (client: Client<OperatorApi>) => Promise<T>,
): Promise<T> {
  try {
    return await work(client);
  } finally {
    close();
  }
}

const isInUse = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "database_in_use";

const unreachable = (error: Problem, socketPath: string | undefined): Problem =>
  new Problem(`${error.message.split(":")[0]}, which does not listen to its operator at ${socketPath}`, {
    code: "database_in_use",
    hint: "stop that process, then try again; a server of an older version has no such socket",
    cause: error,
  });
