import { benchCrashes } from "./crashes.ts";
import { createFixture, type Fixture } from "./fixture.ts";
import { benchFunctionMemory } from "./function-memory.ts";
import { benchFunctions, benchSettle } from "./functions.ts";
import { benchPage, benchPageSizes, benchUnchanged } from "./http.ts";
import { print, type Ratio } from "./measure.ts";
import { benchMirror } from "./mirror.ts";
import { benchApply, benchCreate, benchPropagation } from "./modeling.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchFrames, benchSpawn } from "./screen.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { benchUpdates } from "./updates.ts";

/** What is measured, by the name that asks for it alone: `npm run bench -- page unchanged`. */
const rows: Readonly<Record<string, (fixture: Fixture) => Promise<Ratio[]>>> = {
  create: benchCreate,
  apply: benchApply,
  propagation: benchPropagation,
  page: benchPage,
  "page-sizes": benchPageSizes,
  unchanged: benchUnchanged,
  updates: benchUpdates,
  search: benchSearch,
  sandbox: () => benchSandbox(),
  functions: benchFunctions,
  "function-memory": benchFunctionMemory,
  settle: benchSettle,
  crashes: ({ directory }) => benchCrashes(directory),
  mirror: benchMirror,
  frames: benchFrames,
  spawn: ({ directory }) => benchSpawn(directory),
  start: ({ directory }) => benchStart(directory),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(rows, name));
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(", ")} to measure, only ${Object.keys(rows).join(", ")}`);
  process.exit(2);
}

const fixture = await createFixture();
const ratios: Ratio[] = [];
try {
  for (const [name, run] of Object.entries(rows)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.error(`measuring ${name}`);
    ratios.push(...(await run(fixture)));
  }
  print(ratios);
} finally {
  await fixture.end();
}
// A closed pseudo-terminal keeps its handle for a while; there is nothing left to wait for.
process.exit();
