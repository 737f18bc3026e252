import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of one test's own, gone when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "svc-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
