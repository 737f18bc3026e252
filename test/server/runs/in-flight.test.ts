import { expect, it } from "vitest";
import type { Settled } from "../../../server/domain/computed-results.ts";
import { InFlight } from "../../../server/runs/in-flight.ts";

/** Flights of one place, each of which ends when the test says so. */
function place() {
  const inFlight = new InFlight();
  const begun: { readonly signal: AbortSignal; readonly fail: (error: Error) => void }[] = [];
  const join = (fingerprint: string, signal = new AbortController().signal) =>
    inFlight.join("layer component", "/place", {
      fingerprint,
      signal,
      begin: (ended) => new Promise<Settled>((_, reject) => begun.push({ signal: ended, fail: reject })),
    });
  return { inFlight, begun, join };
}

it("lets who comes later join what runs", () => {
  const { begun, join } = place();
  expect(join("same")).toBe(join("same"));
  expect(begun).toHaveLength(1);
});

it("begins anew what failed, once it has", async () => {
  const { begun, join } = place();
  const failed = join("same");
  begun[0]?.fail(new Error("disk full"));
  await expect(failed).rejects.toThrow("disk full");
  expect(join("same")).not.toBe(failed);
  expect(begun).toHaveLength(2);
});

it("keeps what took the place of one that fails afterwards", async () => {
  const { begun, join } = place();
  const obsolete = join("old");
  const current = join("new");
  expect(begun[0]?.signal.aborted).toBe(true);
  begun[0]?.fail(new Error("disk full"));
  await expect(obsolete).rejects.toThrow("disk full");
  expect(join("new")).toBe(current);
});

it("begins anew what was ended together with who began it", () => {
  const { begun, join } = place();
  const stopping = new AbortController();
  const first = join("same", stopping.signal);
  stopping.abort();
  expect(begun[0]?.signal.aborted).toBe(true);
  expect(join("same")).not.toBe(first);
});

it("ends what is forgotten", () => {
  const { inFlight, begun, join } = place();
  void join("same");
  inFlight.forget("layer component");
  expect(begun[0]?.signal.aborted).toBe(true);
  void join("same");
  expect(begun).toHaveLength(2);
});
