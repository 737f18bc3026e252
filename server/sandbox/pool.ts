import type { Cancel, Clock } from "../../src/lib/clock.ts";
import { type Engine, type EngineEnd, type Listener, startEngine } from "./engine.ts";
import { createFairQueue } from "./fair-queue.ts";
import type { Order } from "./messages.ts";

/** How many children there are. */
export interface PoolSettings {
  /** Runs that compute at once, and children that are always there. */
  readonly children: number;
  /** Children that stand by, so that a run never waits for a process when one was killed. */
  readonly spareChildren: number;
  /** Children at most: those whose runs only wait make room for others. */
  readonly maximumChildren: number;
  /** Runs that may stand in line; further ones are refused. */
  readonly maximumQueued: number;
}

/** How a run left the pool. */
export type PoolEnd = EngineEnd | { readonly how: "full" | "closed" };

/** A run in the pool's hands. */
export interface Ticket {
  /** Ends the run as killed, whether it waits or runs; does nothing once it has ended. */
  cancel(): void;
}

/** Children and those who wait for them. */
export interface Pool {
  /** Runs when it is its turn among all shares; `listener.ended` is called exactly once. */
  submit(share: string, order: Order, listener: PoolListener): Ticket;
  /** Starts the children ahead of the first run; resolves when they have come up. */
  prepare(): Promise<void>;
  /** Ends everything: what waits and what runs is killed, the processes are gone when this resolves. */
  close(): Promise<void>;
  readonly processIds: () => number[];
}

/** A {@link Listener} that also hears of ends without a run. */
export interface PoolListener extends Omit<Listener, "ended"> {
  started(): void;
  ended(end: PoolEnd, cpuMs: number): void;
}

interface Waiting {
  readonly share: string;
  readonly order: Order;
  readonly listener: PoolListener;
}

/** How long a child beyond those always there stays without work. */
const idleMs = 30_000;

/** Starts the children with the first run, or ahead of it. */
export function createPool(settings: PoolSettings, clock: Clock): Pool {
  const queue = createFairQueue<Waiting>(settings.maximumQueued);
  const idle: Engine[] = [];
  const busy = new Set<Engine>();
  const waiting = new Set<Engine>();
  const running = new Map<number, Engine>();
  const leaving = new Set<Promise<void>>();
  const retirements = new Map<Engine, Cancel>();
  let closed = false;

  const start = (): Engine => {
    const engine = startEngine(clock);
    leaving.add(engine.gone);
    void engine.gone.then(() => {
      leaving.delete(engine.gone);
      const at = idle.indexOf(engine);
      if (at >= 0) idle.splice(at, 1);
      // One that never came up would not the next time either.
      if (engine.isReady()) fill();
    });
    return engine;
  };
  const fill = (): void => {
    while (!closed && idle.length + busy.size < settings.children + settings.spareChildren)
      idle.unshift(start());
  };
  const takeIdle = (): Engine | undefined => {
    const ready = idle.findLastIndex((engine) => engine.isReady() && engine.alive());
    const [engine] = idle.splice(ready < 0 ? idle.length - 1 : ready, 1);
    if (engine === undefined) return undefined;
    retirements.get(engine)?.();
    retirements.delete(engine);
    return engine.alive() ? engine : takeIdle();
  };
  const take = (): Engine | undefined => {
    if (busy.size - waiting.size >= settings.children) return undefined;
    return takeIdle() ?? (busy.size < settings.maximumChildren ? start() : undefined);
  };
  const release = (engine: Engine): void => {
    busy.delete(engine);
    waiting.delete(engine);
    if (!engine.alive() || closed) return;
    if (engine.isWorn()) {
      engine.kill();
      return;
    }
    idle.push(engine);
    if (idle.length + busy.size <= settings.children + settings.spareChildren) return;
    retirements.set(
      engine,
      clock.after(idleMs, () => engine.kill(), { background: true }),
    );
  };
  const pump = (): void => {
    while (queue.size() > 0) {
      const engine = take();
      if (engine === undefined) return;
      const next = queue.take();
      if (next !== undefined) begin(engine, next);
    }
  };
  const begin = (engine: Engine, { order, listener }: Waiting): void => {
    busy.add(engine);
    running.set(order.run, engine);
    listener.started();
    fill();
    engine.run(order, {
      log: (calls) => listener.log(calls),
      ask: (kind, text) => listener.ask(kind, text),
      waits: (waits) => {
        if (waits) waiting.add(engine);
        else waiting.delete(engine);
        listener.waits(waits);
        pump();
      },
      ended: (end, cpuMs) => {
        running.delete(order.run);
        release(engine);
        pump();
        listener.ended(end, cpuMs);
      },
    });
  };

  return {
    processIds: () =>
      [...idle, ...busy].flatMap(({ processId }) => (processId === undefined ? [] : [processId])),
    prepare: async () => {
      fill();
      await Promise.all(idle.map((engine) => engine.up));
    },
    submit: (share, order, listener) => {
      const waiter = { share, order, listener };
      if (closed || !queue.push(share, waiter)) {
        listener.ended({ how: closed ? "closed" : "full" }, 0);
        return { cancel: () => {} };
      }
      pump();
      return {
        cancel: () => {
          if (queue.remove(share, waiter)) listener.ended({ how: "killed" }, 0);
          else running.get(order.run)?.kill();
        },
      };
    },
    close: async () => {
      closed = true;
      for (let next = queue.take(); next !== undefined; next = queue.take())
        next.listener.ended({ how: "closed" }, 0);
      for (const cancel of retirements.values()) cancel();
      for (const engine of [...idle, ...busy]) engine.kill();
      await Promise.all(leaving);
    },
  };
}
