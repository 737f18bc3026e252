import { expect, it } from "vitest";
import { createPace } from "../../../server/runs/pace.ts";
import { fakeClock } from "../../support/fake-clock.ts";

it("lets everything begin at once while the process has time", async () => {
  const pace = createPace(fakeClock(), () => 0.4);
  for (let work = 0; work < 1_000; work++) await pace();
});

it("lets a few begin at a time while it has none, the others with the next", async () => {
  const clock = fakeClock();
  let load = 1;
  const pace = createPace(clock, () => load);
  let begun = 0;
  const work = Array.from({ length: 100 }, () => pace().then(() => begun++));
  await clock.advance(0);
  expect(begun).toBe(16);
  await clock.advance(50);
  expect(begun).toBe(32);
  load = 0;
  await clock.advance(50);
  await Promise.all(work);
  expect(begun).toBe(100);
});
