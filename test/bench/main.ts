import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchHttp } from "./http.ts";
import { print } from "./measure.ts";
import { benchMirror } from "./mirror.ts";
import { end, start } from "./processes.ts";
import { benchFrames, benchSpawn } from "./screen.ts";
import { benchStart } from "./start.ts";

/** As many components as the mirror's figure speaks of. */
const components = 10_000;

const directory = await mkdtemp(join(tmpdir(), "svc-bench-"));
console.error(`filling a workspace with ${components} components`);
const server = await start("serve.js", directory, String(components));
try {
  const ratios = [...(await benchHttp(directory, server)), await benchMirror(directory, server, components)];
  print([...ratios, await benchFrames(), await benchSpawn(directory), ...(await benchStart(directory))]);
} finally {
  await end(server);
  await rm(directory, { recursive: true, force: true });
}
// A closed pseudo-terminal keeps its handle for a while; there is nothing left to wait for.
process.exit();
