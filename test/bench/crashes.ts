import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { crash } from "../support/crashes.ts";
import type { Ratio } from "./measure.ts";

const kills = 100;

/** A server that is killed a hundred times at random moments: what was acknowledged, beside what of it is there then. */
export async function benchCrashes(directory: string): Promise<Ratio[]> {
  const { acknowledged, lost, carriedOut, givenUp, twice, unsettled } = await crash(
    mkdtempSync(join(directory, "crashes-")),
    { kills, seed: 100 },
  );
  const wrong = [...lost, ...twice.map((one) => `${one} ran twice`), ...unsettled];
  if (wrong.length > 0) console.error(`after ${kills} kills: ${wrong.join("; ")}`);
  const changes: Ratio = {
    name: `changes that are there after ${kills} kills, beside those acknowledged`,
    unit: "changes",
    ours: acknowledged - lost.length,
    bare: acknowledged,
    ratio: (acknowledged - lost.length) / acknowledged,
    wanted: "1",
  };
  const ended = carriedOut + givenUp;
  const actions: Ratio = {
    name: "actions that ran once and have come to an end, beside all",
    unit: "actions",
    ours: ended - twice.length - unsettled.length,
    bare: ended,
    ratio: (ended - twice.length - unsettled.length) / ended,
    wanted: "1",
  };
  return [changes, actions];
}
