import { afterAll, expect, it } from "vitest";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { Story } from "./review-story.ts";

describeEngines("random edits, head moves and discards", (engine) => {
  const suite = suiteStore(engine);
  const runs = engine.name === "SQLite" ? 6 : 2;
  const total = { moved: 0, unmoved: 0, followed: 0, discarded: 0, refused: 0, applied: 0, dropped: 0 };

  it.each(Array.from({ length: runs }, (_, index) => index + 1))(
    "are reviewed as what the change set and the head show, and leave nothing behind when discarded (seed %i)",
    async (seed) => {
      const story = new Story(suite.store, seed);
      await story.run();
      for (const what of Object.keys(total) as (keyof typeof total)[]) total[what] += story.seen[what];
    },
    120_000,
  );

  afterAll(() => {
    // A story in which nothing of it happened proves nothing.
    const { refused: _, ...needed } = total;
    for (const [what, count] of Object.entries(needed)) expect([what, count > 0]).toEqual([what, true]);
  });
});
