import { createServer } from "node:net";
import { Problem } from "../../lib/problem.ts";

const host = "127.0.0.1";
/** How many ports after the first are tried before giving up. */
const tries = 100;

/** The first free port: those of `preferred` in their order, then the ones after the last of them. */
export async function freePort(preferred: readonly number[]): Promise<number> {
  const last = preferred.at(-1) ?? 0;
  const candidates = [...preferred, ...Array.from({ length: tries }, (_, index) => last + 1 + index)];
  for (const port of candidates) if (await isFree(port)) return port;
  throw new Problem(`no free port from ${last} to ${last + tries}`, { hint: "name one: svc up --port PORT" });
}

/** Whether a server could listen there now. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
