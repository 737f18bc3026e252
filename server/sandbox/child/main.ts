// A child of the sandbox: takes runs one at a time and ends with its parent. It is started without environment, without
// rights on files other than those beside it, and holds nothing that a run could want.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "../limits.ts";
import type { FromChild, Order, ToChild } from "../messages.ts";
import { createFactory, type Driver, type Machine } from "./machine.ts";
import { createSession, type Session } from "./session.ts";

/** Runs after which an engine is replaced by a new one, whatever its state. */
const runsPerMachine = 1000;

const say = (message: FromChild): void => void process.send?.(message);
process.on("disconnect", () => process.exit());

let session: Session | undefined;
let runs = 0;
/** Number of the run at hand: an answer may come when another has begun. */
let current = 0;
const parent = process.ppid;
const idle = { hooks: { log() {}, ask: () => 0, drop() {}, settled() {} }, mustStop: () => false };
const driver: Driver = {
  get hooks() {
    return (session ?? idle).hooks;
  },
  mustStop: () => {
    // A loop keeps the news that the parent has gone from arriving.
    if (process.ppid !== parent) process.exit();
    return (session ?? idle).mustStop();
  },
};
const createMachine = await createFactory(dirname(fileURLToPath(import.meta.url)));
let machine: Promise<Machine> = createMachine(driver);
await machine;

process.on("message", (message: ToChild) => {
  if (message.type === "run") void run(message);
  else if (message.run === current) session?.answer(message.ask, message.text);
});
await warmUp();
say({ type: "ready" });

/** Runs a function that does a little of everything: WebAssembly is compiled when it is first used. */
async function warmUp(): Promise<void> {
  const body =
    "const list=[3,1,2].sort((a,b)=>a-b).map((n)=>({n,text:String(n).repeat(n)}));return{list,made:/2+/.test(list[1].text)}";
  const main = {
    code: `(function(exports,module,require){"use strict";{async function main(input){${body}}return main}})`,
    file: "warm-up",
    handler: "main",
    input: '{"a":[1,{"b":"c"}]}',
  };
  const order: Order = {
    type: "run",
    run: 0,
    before: [],
    main,
    defines: false,
    limits: defaultLimits,
    wipe: false,
  };
  session = createSession(order, { log() {}, ask() {}, waits() {} });
  await session.run(await machine);
  session = undefined;
}

async function run(order: Order): Promise<void> {
  const engine = await machine;
  const number = order.run;
  current = number;
  session = createSession(order, {
    log: (calls) => say({ type: "log", run: number, calls }),
    ask: (kind, ask, text) => say({ type: "ask", run: number, ask, kind, text }),
    waits: (waits) => say({ type: "waits", run: number, waits }),
  });
  const { end, cpuMs, spoiled } = await session.run(engine);
  session = undefined;
  runs++;
  say({ type: "end", run: number, end, cpuMs });
  if (spoiled || runs % runsPerMachine === 0) machine = createMachine(driver);
  else if (order.wipe) engine.wipe();
}
