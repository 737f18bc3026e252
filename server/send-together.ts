import type { FastifyInstance } from "fastify";

/**
 * Lets the answers to what arrived in one turn of the event loop leave together at its end. Every single write wakes a
 * client that waits, which costs as much as answering does; a client that is awake already costs nothing to tell.
 */
export function sendTogether(app: FastifyInstance): void {
  let ready: (() => void)[] = [];
  const send = (): void => {
    const now = ready;
    ready = [];
    for (const done of now) done();
  };
  app.addHook("onSend", (_request, _reply, _payload, done) => {
    if (ready.push(() => done()) === 1) setImmediate(send);
  });
}
