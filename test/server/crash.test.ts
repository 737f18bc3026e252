import { expect, it } from "vitest";
import { crash } from "../support/crashes.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** `npm run bench -- crashes` does it a hundred times. */
const kills = 12;

it("killed at any moment it loses nothing that was acknowledged, runs no action twice, and all else settles", async () => {
  const report = await crash(await temporaryDirectory(), { kills, seed: 7 });
  expect(report).toMatchObject({ kills, lost: [], twice: [], unsettled: [] });
  expect(report.acknowledged).toBeGreaterThan(kills);
  expect(report.carriedOut).toBeGreaterThan(0);
}, 120_000);
