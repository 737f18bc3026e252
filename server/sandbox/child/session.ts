import { randomInt } from "node:crypto";
import { type Cancel, systemClock } from "../../../src/lib/clock.ts";
import { maximumDepth } from "../../domain/limits.ts";
import type { Beginning, Settled, Storage } from "../guest/host.ts";
import {
  type ChildEnd,
  type CompiledFunction,
  type ConsoleCall,
  emptyStorage,
  type Order,
  type ParentAsk,
} from "../messages.ts";
import type { Driver, Machine } from "./machine.ts";

/** How a session speaks to the parent. */
export interface Ports {
  log(calls: readonly ConsoleCall[]): void;
  ask(kind: ParentAsk, ask: number, text: string): void;
  waits(waits: boolean): void;
}

/** One run: its functions one after the other, under common limits. */
export interface Session extends Driver {
  run(
    machine: Machine,
  ): Promise<{ readonly end: ChildEnd; readonly cpuMs: number; readonly spoiled: boolean }>;
  answer(ask: number, text: string): void;
}

/** Most that a function may wait for at once. */
const maximumAsks = 10_000;
/** Log calls that are sent together at most, and how long the first of them may wait. */
const callsTogether = 64;
const callsWaitMs = 50;
/** How long a pause must last before the parent is told, so that another run may use the processor. */
const shortWaitMs = 20;

type Stop = Exclude<ChildEnd["how"], "settled">;

/** Prepares a run. */
export function createSession(order: Order, ports: Ports): Session {
  const { limits } = order;
  const startedAt = performance.now();
  const startedCpu = process.cpuUsage();
  const asks = new Map<number, Cancel>();
  const answers: { readonly ask: number; readonly text: string }[] = [];
  let calls: ConsoleCall[] = [];
  let callsSince = 0;
  let lines = 0;
  let characters = 0;
  let asked = 0;
  let stop: Stop | undefined;
  let engine: Machine | undefined;
  let settled: string | undefined;
  let wake = (): void => {};

  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage(startedCpu);
    return (user + system) / 1000;
  };
  const flush = (): void => {
    if (calls.length > 0) ports.log(calls);
    calls = [];
  };
  const answer = (ask: number, text: string): void => {
    if (!asks.delete(ask)) return;
    answers.push({ ask, text });
    wake();
  };
  const mustStop = (): boolean => {
    if (calls.length > 0 && performance.now() - callsSince > callsWaitMs) flush();
    if (performance.now() - startedAt > limits.wallMs) stop ??= "time";
    else if (cpuMs() > limits.cpuMs) stop ??= "cpu";
    else if (engine?.isOverLimit() === true) stop ??= "memory";
    return stop !== undefined;
  };
  const hooks: Driver["hooks"] = {
    log: (stream, text) => {
      if (stop !== undefined) return;
      lines += text.split("\n").length;
      characters += text.length;
      if (lines > limits.logLines) stop = "log-lines";
      else if (characters > limits.logCharacters) stop = "log-size";
      if (stop !== undefined) return;
      if (calls.length === 0) callsSince = performance.now();
      calls.push([stream, text]);
      if (calls.length >= callsTogether) flush();
    },
    ask: (kind, text) => {
      if (asks.size >= maximumAsks)
        throw new RangeError(`a function may wait for ${maximumAsks} things at once`);
      asked++;
      const ask = asked;
      if (kind === "sleep")
        asks.set(
          ask,
          systemClock.after(Number(text), () => answer(ask, "{}")),
        );
      else {
        asks.set(ask, () => {});
        flush();
        ports.ask(kind, ask, text);
      }
      return ask;
    },
    drop: (ask) => {
      asks.get(ask)?.();
      asks.delete(ask);
    },
    settled: (text) => {
      settled ??= text;
    },
  };

  const dropAll = (): void => {
    for (const cancel of asks.values()) cancel();
    asks.clear();
    answers.length = 0;
  };
  const nextAnswer = async (): Promise<void> => {
    if (answers.length > 0) return;
    flush();
    let told = false;
    const tell = systemClock.after(shortWaitMs, () => {
      told = true;
      ports.waits(true);
    });
    const deadline = systemClock.after(Math.max(0, startedAt + limits.wallMs - performance.now()), () =>
      wake(),
    );
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    tell();
    deadline();
    if (told) ports.waits(false);
  };

  const runOne = async (
    machine: Machine,
    compiled: CompiledFunction,
    beginning: Beginning,
  ): Promise<ChildEnd> => {
    settled = undefined;
    machine.begin(compiled.code, beginning, limits);
    const failed = machine.call(compiled);
    if (failed !== undefined && stop === undefined)
      settled = JSON.stringify({ threw: failed, storage: beginning.storage });
    for (;;) {
      while (!mustStop() && settled === undefined && machine.turn());
      if (stop !== undefined) return { how: stop };
      if (settled !== undefined)
        return isOutOfMemory(settled, machine) ? { how: "memory" } : { how: "settled", text: settled };
      if (asks.size === 0 && answers.length === 0) return { how: machine.hasGrown() ? "memory" : "stalled" };
      await nextAnswer();
      const next = answers.shift();
      if (next !== undefined && !mustStop()) machine.answer(next.ask, next.text);
    }
  };

  const runAll = async (machine: Machine): Promise<ChildEnd> => {
    const common = {
      defines: order.defines,
      resultCharacters: limits.resultCharacters,
      resultDepth: maximumDepth,
    };
    let storage: Storage = emptyStorage;
    for (const compiled of order.before) {
      const end = await runOne(machine, compiled, { ...common, seed: seed(), storage, stores: true });
      dropAll();
      // The next one begins with the memory from before it.
      if (stop === "memory") stop = undefined;
      if (stop !== undefined) return end;
      // One that fails does not keep the function from running: it runs without what this one would have handed on.
      const left: Partial<Settled> = end.how === "settled" ? JSON.parse(end.text) : {};
      if ("storage" in left && left.storage !== undefined) storage = left.storage;
      const why = "threw" in left ? left.threw?.message : unsettled[end.how];
      if (why !== undefined)
        hooks.log("stderr", `authentication function ${compiled.handler} failed: ${why}`);
    }
    return runOne(machine, order.main, { ...common, seed: seed(), storage, stores: false });
  };

  return {
    hooks,
    mustStop,
    answer,
    run: async (machine) => {
      engine = machine;
      let spoiled = false;
      let end: ChildEnd;
      try {
        end = await runAll(machine);
      } catch (error) {
        spoiled = true;
        end = { how: stop ?? reasonOf(error) };
      }
      dropAll();
      flush();
      return { end, cpuMs: cpuMs(), spoiled: spoiled || machine.hasGrown() };
    },
  };
}

/** Why an authentication function did not come to an end by itself, where that leaves time for the others. */
const unsettled: Partial<Record<ChildEnd["how"], string>> = {
  memory: "it needs too much memory",
  stalled: "it waits for something that never happens",
};

const seed = (): readonly [number, number] => [randomInt(2 ** 31), randomInt(2 ** 31)];

/** The engine says so in an error, or, without memory for one, throws null. */
function isOutOfMemory(settled: string, machine: Machine): boolean {
  if (!settled.startsWith('{"threw"')) return false;
  const { threw } = JSON.parse(settled);
  return (
    (threw.name === "InternalError" && threw.message === "out of memory") ||
    (threw.message === "null" && machine.hasGrown())
  );
}

/** Why WebAssembly itself gave up. */
function reasonOf(error: unknown): Stop {
  const text = String(error);
  if (/call stack/i.test(text)) return "depth";
  return /memory|OOM/i.test(text) && !/out of bounds/.test(text) ? "memory" : "broken";
}
