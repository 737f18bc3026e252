import { afterAll, beforeAll } from "vitest";
import type { Json } from "../../server/domain/json.ts";
import type { RunOutcome } from "../../server/sandbox/outcome.ts";
import { createSandbox, type Run, type Sandbox, type SandboxSettings } from "../../server/sandbox/sandbox.ts";

/** What a test asks of a run; the handler is `main` unless it says so. */
export type TestRun = Partial<Omit<Run, "code" | "onLog">>;

/** How a run ended and what it wrote meanwhile. */
export interface TestEnd {
  readonly outcome: RunOutcome;
  readonly log: readonly string[];
}

/** A sandbox of one child for the tests of a file. */
export function sandboxFixture(settings: SandboxSettings = {}) {
  let sandbox: Sandbox | undefined;
  const get = (): Sandbox => {
    if (sandbox === undefined) throw new Error("the sandbox is there inside tests only");
    return sandbox;
  };
  beforeAll(() => {
    sandbox = createSandbox({ children: 1, spareChildren: 0, ...settings });
  });
  afterAll(() => sandbox?.close());
  const run = async (code: string, asked: TestRun = {}): Promise<TestEnd> => {
    const log: string[] = [];
    const outcome = await get().run({
      handler: "main",
      input: {},
      ...asked,
      code,
      onLog: (line) => log.push(`${line.stream} ${line.message}`),
    });
    return { outcome, log };
  };
  /** What a function returns; fails with the outcome when it does not return. */
  const value = async (code: string, asked: TestRun = {}): Promise<Json | undefined> => {
    const { outcome } = await run(code, asked);
    if (outcome.ended !== "ok") throw new Error(JSON.stringify(outcome));
    return outcome.value;
  };
  return { run, value, sandbox: get };
}
