import type { Reporter, TestModule } from "vitest/node";

/** Closes a run with what was skipped, by name, and one plain line: `N passed, N failed, N skipped`. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const skipped: string[] = [];
    let broken = 0;
    for (const module of modules) {
      if (
        module.state() === "failed" &&
        [...module.children.allTests()].every((test) => test.result().state !== "failed")
      ) {
        broken++;
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state]++;
        if (state === "skipped") skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    const lines = skipped.length === 0 ? [] : ["", "skipped:", ...skipped.map((name) => `  ${name}`)];
    const summary = `${counts.passed} passed, ${counts.failed + broken} failed, ${counts.skipped + counts.pending} skipped`;
    process.stdout.write(`${[...lines, "", summary, ""].join("\n")}`);
  }
}
