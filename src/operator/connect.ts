import { connect } from "node:net";
import { type Client, createClient } from "../http/client.ts";
import { SocketAgent } from "../ipc/socket-agent.ts";
import { errorCode } from "../lib/atomic-file.ts";
import { Problem } from "../lib/problem.ts";
import { type OperatorApi, operator } from "./contract.ts";

/** An hour: making a search index anew takes as long as it takes. */
const timeoutMs = 60 * 60 * 1000;

/** A server's socket for its operator, and how to leave it. */
export interface OperatorConnection {
  readonly client: Client<OperatorApi>;
  /** Ends connections that are kept open. */
  close(): void;
}

/** The typed client of the server that listens to its operator at `socketPath`; nothing is sent before the first call. */
export function connectOperator(socketPath: string): OperatorConnection {
  const agent = new SocketAgent(socketPath);
  return {
    client: createClient(operator, { baseUrl: "http://operator", agent: { http: agent }, timeoutMs }),
    close: () => agent.destroy(),
  };
}

/** Whether a server listens to its operator there; throws a {@link Problem} when it listens to somebody else. */
export function listensToOperator(socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => {
      const code = errorCode(error);
      if (code !== "EACCES" && code !== "EPERM") return resolve(false);
      reject(
        new Problem(`no permission to use ${socketPath}, where the server listens to its operator`, {
          code: "no_permission",
          hint: "run this as the user that the server runs as",
          cause: error,
        }),
      );
    });
  });
}
