import type { FastifyInstance } from "fastify";

/** Runs what it is given at the end of this turn of the event loop, with all else that it was given meanwhile. */
export type Together = (send: () => void) => void;

/**
 * Lets the answers to what arrived in one turn of the event loop leave together at its end. Every single write wakes a
 * client that waits, which costs as much as answering does; a client that is awake already costs nothing to tell.
 */
export function createTogether(): Together {
  let ready: (() => void)[] = [];
  const sendAll = (): void => {
    const now = ready;
    ready = [];
    for (const send of now) send();
  };
  return (send) => {
    if (ready.push(send) === 1) setImmediate(sendAll);
  };
}

/** Has every answer of `app` leave with those of its turn. */
export function sendTogether(app: FastifyInstance, together: Together): void {
  app.addHook("onSend", (_request, _reply, _payload, done) => together(() => done()));
}
