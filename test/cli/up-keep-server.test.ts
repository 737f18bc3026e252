import { describe, expect, it } from "vitest";
import type { Child } from "../../src/cli/up/children.ts";
import { keepServer } from "../../src/cli/up/keep-server.ts";
import type { ListeningServer } from "../../src/cli/up/server-process.ts";
import { Problem } from "../../src/lib/problem.ts";
import { fakeClock } from "../support/fake-clock.ts";

/** A server that ends when it is told how. */
function fakeServer() {
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const child: Child = {
    name: "server",
    logFile: "log",
    from: 0,
    ended,
    ending: () => undefined,
    stop: async () => {},
  };
  return { server: { child, url: "http://127.0.0.1:5380", port: 5380 } satisfies ListeningServer, end };
}

function keeping({ fails = false, taken = (): boolean => false } = {}) {
  const clock = fakeClock();
  const said: string[] = [];
  const servers = [fakeServer()];
  const stop = new AbortController();
  const last = () => servers.at(-1) ?? fakeServer();
  let starts = 0;
  const outcome = keepServer(last().server, {
    clock,
    logFile: "/state/server.log",
    start: async () => {
      starts++;
      if (fails) throw new Problem("the server did not start: no space left");
      servers.push(fakeServer());
      return last().server;
    },
    isFree: async () => !taken(),
    say: (line) => void said.push(line),
    onEnded: () => undefined,
    onStarted: () => undefined,
    stop: stop.signal,
  }).then(
    () => "told to stop",
    (error: Error) => error.message,
  );
  return { clock, said, stop, outcome, crash: () => last().end("SIGKILL"), starts: () => starts };
}

describe("a server that svc up keeps", () => {
  it("is started again each time it ends, later each time, and that is said", async () => {
    const { clock, said, stop, outcome, crash } = keeping();
    for (const wait of [3, 6]) {
      crash();
      await clock.advance(wait * 1_000);
    }
    expect(said).toEqual([
      "the server ended with SIGKILL; starting it again in 3 s",
      "the server is back at http://127.0.0.1:5380",
      "the server ended with SIGKILL; starting it again in 6 s",
      "the server is back at http://127.0.0.1:5380",
    ]);
    stop.abort();
    expect(await outcome).toBe("told to stop");
    expect(clock.pending()).toBe(0);
  });

  it("is waited for anew when it has run well for a minute", async () => {
    const { clock, said, crash } = keeping();
    crash();
    await clock.advance(3_000);
    await clock.advance(60_000);
    crash();
    await clock.advance(0);
    expect(said.at(-1)).toBe("the server ended with SIGKILL; starting it again in 3 s");
  });

  it("is given up when it does not start, with what it said and where the rest is", async () => {
    const { clock, said, crash, outcome, starts } = keeping({ fails: true });
    crash();
    await clock.advance(200_000);
    expect(await outcome).toBe("the server did not start; after 5 starts in a row it is not started again");
    expect(starts()).toBe(5);
    expect(said).toContain("the server did not start: no space left");
  });

  it("is not started while another process has its address", async () => {
    let taken = true;
    const { clock, said, crash, starts } = keeping({ taken: () => taken });
    crash();
    await clock.advance(120_000);
    expect(starts()).toBe(0);
    expect(said).toHaveLength(2);
    taken = false;
    await clock.advance(1_000);
    expect(starts()).toBe(1);
  });

  it("is not started once svc up was told to stop", async () => {
    const { clock, crash, stop, outcome, starts } = keeping();
    crash();
    await clock.advance(1_000);
    stop.abort();
    expect(await outcome).toBe("told to stop");
    expect(starts()).toBe(0);
  });
});
