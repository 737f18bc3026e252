import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Lets a server close as soon as its running requests are answered: from the moment of `stopping`, connections on which
 * none runs are cut off. Node alone waits for those that never sent one, such as a browser's opened in advance.
 */
export function cutOffIdleConnections(server: Server, stopping: AbortSignal): void {
  /** How many requests run on each open connection. */
  const running = new Map<Socket, number>();
  const count = (socket: Socket, change: 1 | -1): void => {
    const now = (running.get(socket) ?? 0) + change;
    if (stopping.aborted && now === 0) socket.destroySoon();
    else if (!socket.destroyed) running.set(socket, now);
  };
  server.on("connection", (socket: Socket) => {
    if (stopping.aborted) {
      socket.destroy();
    } else {
      running.set(socket, 0);
      socket.once("close", () => running.delete(socket));
    }
  });
  // One listener for all, see `quick-way.ts`: nothing is made for a request that refers to it.
  const answered = function (this: ServerResponse): void {
    count(this.req.socket, -1);
  };
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.on("close", answered);
  });
  stopping.addEventListener(
    "abort",
    () => {
      for (const [socket, requests] of running) if (requests === 0) socket.destroy();
    },
    { once: true },
  );
}
