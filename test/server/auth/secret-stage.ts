import { join } from "node:path";
import { expect } from "vitest";
import { type BuiltRun, svc } from "../../support/built-cli.ts";
import { SecretKeeper } from "../../support/secret-keeper.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** What is sent, as whom, and what the answer may show: the one that makes a secret is not listened to. */
export interface Sent {
  readonly as?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly makes?: true;
}

/** A server of the built program, all that it says, and all that is said to it. */
export class Stage {
  readonly keeper = new SecretKeeper();
  /** Of who uses the command line. */
  readonly home: string;
  /** Where the server keeps everything. */
  readonly data: string;
  readonly url: string;
  readonly #server: BuiltRun;

  constructor(
    { home, data }: { readonly home: string; readonly data: string },
    server: BuiltRun,
    url: string,
  ) {
    this.home = home;
    this.data = data;
    this.#server = server;
    this.url = url;
  }

  async send(method: string, path: string, sent: Sent = {}): Promise<unknown> {
    const { as, cookie, body, makes } = sent;
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(cookie === undefined ? {} : { cookie: `svc.session_token=${cookie}`, origin: this.url }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (makes !== true) {
      this.keeper.hear(`${method} ${path.slice(0, 60)} (${response.status})`, text);
      this.keeper.hear(`headers of ${method} ${path.slice(0, 60)}`, JSON.stringify([...response.headers]));
    } else if (!response.ok) throw new Error(`${method} ${path} made nothing: ${response.status} ${text}`);
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /** Runs the command line in a home of its own; `makes` where standard output shows a new secret. */
  async svc(line: readonly string[], run: { input?: string; environment?: object; makes?: true } = {}) {
    const one = svc(line, {
      home: this.home,
      environment: { SVC_CLUB_URL: this.url, XDG_RUNTIME_DIR: join(this.home, "run"), ...run.environment },
      ...(run.input === undefined ? {} : { input: run.input }),
    });
    const code = await one.ended;
    const name = `svc ${line.slice(0, 4).join(" ")}`;
    if (run.makes !== true) this.keeper.hear(`standard output of ${name}`, one.out());
    this.keeper.hear(`standard error of ${name}`, one.err());
    return { code, out: one.out(), err: one.err() };
  }

  /** Runs a command as the operator of the server. */
  async operate(line: string): Promise<number | NodeJS.Signals> {
    const one = svc([...line.split(" "), "--data", this.data], { home: this.data });
    const code = await one.ended;
    this.keeper.hear(`output of svc ${line}`, one.out() + one.err());
    return code;
  }

  /** Ends the server, and hears all that it said. */
  async stop(): Promise<void> {
    this.#server.child.kill("SIGTERM");
    await this.#server.ended;
    this.keeper.hear("the server's log", this.#server.out() + this.#server.err());
  }
}

/** Starts it with a database of its own and the most detailed log there is. */
export async function startStage(): Promise<Stage> {
  const [home, data] = [await temporaryDirectory(), await temporaryDirectory()];
  const server = svc(["server", "start", "--database", `sqlite:${data}/svc.sqlite`, "--port", "0"], {
    home: data,
    environment: { SVC_LOG_LEVEL: "debug", SVC_SECRET_KEY_FILE: `${data}/secret.key` },
  });
  await server.says(/listening on http/);
  const [, url = ""] = /listening on (\S+)/.exec(server.out()) ?? [];
  return new Stage({ home, data }, server, url);
}

/** The text at a path of names of an answer. */
export const at = (answer: unknown, ...path: readonly string[]): string => {
  const found = path.reduce<unknown>((value, name) => Object(value)[name], answer);
  return typeof found === "string" ? found : expect.unreachable(`no text at ${path.join(".")}`);
};
