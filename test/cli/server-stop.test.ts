import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type BuiltRun, svc } from "../support/built-cli.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const left = /\.(sock|pid)$/;

async function startedIn(data: string): Promise<{ readonly server: BuiltRun; readonly url: URL }> {
  const server = svc(["server", "start", "--database", `sqlite:${data}/svc.sqlite`, "--port", "0"], {
    home: data,
  });
  await server.says(/listening on http/);
  expect((await readdir(data)).filter((name) => left.test(name)).sort()).toEqual([
    "svc.sqlite.pid",
    "svc.sqlite.sock",
  ]);
  return { server, url: new URL(/listening on (\S+)/.exec(server.out())?.[1] ?? "") };
}

it.each([1, 2, 3])(
  "stops in order when told %s times at once, as timeout does it",
  async (times) => {
    const data = await temporaryDirectory();
    const { server } = await startedIn(data);
    for (let told = 0; told < times; told++) server.child.kill("SIGTERM");
    expect(await server.ended, server.err()).toBe(0);
    expect((await readdir(data)).filter((name) => left.test(name))).toEqual([]);
  },
  60_000,
);

it("ends at once when told again while a request keeps it, and leaves no socket behind", async () => {
  const data = await temporaryDirectory();
  const { server, url } = await startedIn(data);
  const caller = connect(Number(url.port), url.hostname);
  caller.on("error", () => undefined);
  onTestFinished(() => void caller.destroy());
  // A body that never comes: the server waits for it as long as it waits for any request.
  caller.write(
    "POST /api/auth/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\nexpect: 100-continue\r\n\r\n",
  );
  const [answered] = await once(caller, "data");
  expect(String(answered)).toMatch(/^HTTP\/1\.1 100 /);
  const toldAgain = (): string | null => {
    server.child.kill("SIGTERM");
    return server.child.signalCode;
  };
  await expect.poll(toldAgain, { timeout: 9_000 }).toBe("SIGKILL");
  expect((await readdir(data)).filter((name) => left.test(name))).toEqual([]);
}, 60_000);
