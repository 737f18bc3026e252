import { ApiError } from "../src/contract/errors.ts";
import { api } from "../src/contract/index.ts";
import { createClient, createForwarder } from "../src/http/client.ts";
import type { DaemonStatus } from "../src/ipc/contract.ts";
import { type Clock, sleep } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { retryPause } from "./backoff.ts";
import type { Connection } from "./connection.ts";
import type { Credentials } from "./credentials.ts";
import { isRejected, messageOf, retryAfterOf } from "./failure.ts";
import type { Notices } from "./notices.ts";
import { markOf, recall, remember } from "./remembered.ts";
import {
  clientOptions,
  type Forward,
  keepConnections,
  openSession,
  type SignedIn,
} from "./session-client.ts";

type SessionStatus = DaemonStatus["session"];

/** What follows the session. Each call is finished before the next is made. */
export interface SessionListener {
  /** A session begins, or the same one is confirmed. */
  begin(session: SignedIn): Promise<void>;
  /** There is no usable key for now: nothing is asked, what was read stays. */
  pause(): Promise<void>;
  /** Nobody is signed in: what was read is nobody's. */
  end(): Promise<void>;
}

interface SessionOptions {
  readonly credentials: () => Promise<Credentials>;
  readonly cacheFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly connection: Connection;
  /** Milliseconds that one request may take beyond what it asks to be held. */
  readonly requestTimeoutMs: number;
  readonly listener: SessionListener;
  readonly onChange: () => void;
}

const who = "session";
const topic = "credentials";
const signIn = "sign in with: svc auth login";
const unconfirmed = "the server has not confirmed the key yet";

/**
 * The only part that reads credentials. Signs in at the start, when the credentials change and when it is checked; asks
 * for ever while the server is away; a refused key is asked about again only when something changed or a check is due.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #connections = keepConnections();
  #credentials: Credentials | undefined;
  #current: SignedIn | undefined;
  /** The credentials that the current session was opened with. */
  #currentFor: Credentials | undefined;
  #forward: Forward | undefined;
  #status: SessionStatus = { state: "signed-out", username: null, message: unconfirmed };
  #attempt = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #asking: Promise<void> | undefined;
  #hurry: () => void = () => undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** The server that is asked; empty before the credentials were read. */
  get serverUrl(): string {
    return this.#credentials?.serverUrl ?? "";
  }

  /** Passes requests on with the key, also before the server has confirmed it; undefined without one, or when it was refused. */
  get forward(): Forward | undefined {
    return this.#status.state === "rejected" ? undefined : this.#forward;
  }

  /** Whose data is shown; also while the key is refused. */
  get workspaceId(): string | undefined {
    return this.#current?.workspaceId;
  }

  /** Reads the credentials and takes up what changed in them; resolves before the server has agreed. */
  reload(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#reload());
    return this.#turn;
  }

  /** Reads the credentials and asks the server whether the key still stands, now. */
  async check(): Promise<void> {
    await this.reload();
    this.#ask();
    this.#hurry();
  }

  /**
   * Takes note that the server refused the key in the midst of things. Another one may have taken its place already;
   * otherwise the server itself has to say it.
   */
  refused(): void {
    if (this.#status.state === "signed-in") void this.reload().then(() => this.#ask());
  }

  /** Stops asking and closes the connections. */
  async stop(): Promise<void> {
    this.#attempt.abort();
    await this.#turn;
    await this.#asking;
    this.#connections.close();
  }

  async #reload(): Promise<void> {
    const { credentials, notices, connection, listener } = this.#options;
    let found: Credentials;
    try {
      found = await credentials();
    } catch (error) {
      return this.#unreadable(messageOf(error));
    }
    notices.clear(topic);
    if (this.#credentials !== undefined && sameCredentials(this.#credentials, found)) return;
    this.#attempt.abort();
    await this.#asking;
    this.#attempt = new AbortController();
    const elsewhere = this.#credentials?.serverUrl !== found.serverUrl;
    if (elsewhere) connection.reset();
    this.#credentials = found;
    if (found.apiKey === undefined || elsewhere) {
      this.#current = undefined;
      await listener.end();
    }
    const options = clientOptions(found, this.#connections, this.#options.requestTimeoutMs);
    this.#forward = found.apiKey === undefined ? undefined : createForwarder(options);
    if (found.apiKey === undefined) {
      const message = found.reason === undefined ? signIn : `${found.reason}; ${signIn}`;
      return this.#become({ state: "signed-out", username: null, message });
    }
    await this.#takeUp(found, found.apiKey);
    this.#ask();
  }

  /** Credentials that cannot be read are no reason to drop a session that works. */
  #unreadable(message: string): void {
    const { notices } = this.#options;
    const kept = this.#current !== undefined;
    notices.raise(topic, kept ? `${message}; the key read before is used` : message);
    if (!kept) this.#become({ state: "signed-out", username: null, message });
  }

  /** Begins with what is known of the key without asking: whose workspace it was when it was last used. */
  async #takeUp(found: Credentials, apiKey: string): Promise<void> {
    const { cacheFolder, clock, listener } = this.#options;
    const known = await recall(cacheFolder, found.serverUrl, apiKey, clock);
    if (known !== undefined) {
      this.#become({ state: "signed-in", username: known.username, message: null });
      return this.#begin(found, found.workspaceId ?? known.workspaceId);
    }
    // A new key of this server takes the place of one that works: as long as nobody says otherwise it is the same person.
    const { state, username } = this.#status;
    if (state === "signed-in" && this.#current !== undefined)
      this.#become({ state, username, message: unconfirmed });
    else this.#become({ state: "signed-out", username: null, message: unconfirmed });
    await listener.pause();
  }

  #begin(found: Credentials, workspaceId: string): Promise<void> {
    const options = clientOptions(found, this.#connections, this.#options.requestTimeoutMs);
    this.#current = openSession(options, workspaceId);
    this.#currentFor = found;
    return this.#options.listener.begin(this.#current);
  }

  /** Asks the server who the key stands for, unless that is being asked already. */
  #ask(): void {
    const { signal } = this.#attempt;
    const found = this.#credentials;
    if (this.#asking !== undefined || found?.apiKey === undefined || signal.aborted) return;
    const asking = this.#askUntilAnswered(found, found.apiKey, signal).finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
    });
    this.#asking = asking;
  }

  async #askUntilAnswered(found: Credentials, apiKey: string, signal: AbortSignal): Promise<void> {
    const { clock, connection, requestTimeoutMs, onChange } = this.#options;
    const options = clientOptions(found, this.#connections, requestTimeoutMs);
    const client = createClient({ identity: api.identity }, options);
    for (let failures = 1; !signal.aborted; failures++) {
      const startedAt = clock.now();
      try {
        const answer = await client.identity.whoami({}, { signal });
        if (signal.aborted) return;
        connection.answered(who, clock.now() - startedAt);
        return await this.#accepted(found, apiKey, answer);
      } catch (error) {
        if (signal.aborted) return;
        if (isRefusal(error)) {
          connection.answered(who, clock.now() - startedAt);
          return await this.#rejected(error);
        }
        const pause = retryPause(failures, clock.random, retryAfterOf(error));
        connection.failed(who, error, failures, clock.now() + pause);
        onChange();
        await this.#rest(pause, signal);
      }
    }
  }

  async #rest(pause: number, signal: AbortSignal): Promise<void> {
    const rest = new AbortController();
    const end = (): void => rest.abort();
    signal.addEventListener("abort", end, { once: true });
    this.#hurry = end;
    await sleep(this.#options.clock, pause, rest.signal);
    signal.removeEventListener("abort", end);
  }

  async #accepted(
    found: Credentials,
    apiKey: string,
    answer: { readonly workspaceId: string; readonly userEmail: string },
  ): Promise<void> {
    const { cacheFolder, clock } = this.#options;
    const { workspaceId, userEmail: username } = answer;
    const wanted = found.workspaceId ?? workspaceId;
    this.#become({ state: "signed-in", username, message: null });
    const known = this.#currentFor === found && this.#current?.workspaceId === wanted;
    if (known && this.#current !== undefined) await this.#options.listener.begin(this.#current);
    else await this.#begin(found, wanted);
    await remember(cacheFolder, found.serverUrl, { key: markOf(apiKey), workspaceId, username }, clock);
  }

  async #rejected(error: unknown): Promise<void> {
    const message = `the server refused the key (${messageOf(error)}); ${signIn}`;
    this.#become({ state: "rejected", username: this.#status.username, message });
    await this.#options.listener.pause();
  }

  #become(status: SessionStatus): void {
    const { log, onChange } = this.#options;
    const { state, message } = status;
    const news = this.#status.state !== state || this.#status.message !== message;
    if (news) log.info("session", { state, ...(message === null ? {} : { reason: message }) });
    this.#status = status;
    if (news) onChange();
  }
}

/** Answers to `whoami` that stand until somebody does something: the key is not valid, or has no workspace. */
const isRefusal = (error: unknown): boolean =>
  isRejected(error) || (error instanceof ApiError && error.status === 403);

const sameCredentials = (a: Credentials, b: Credentials): boolean =>
  a.serverUrl === b.serverUrl &&
  a.apiKey === b.apiKey &&
  a.workspaceId === b.workspaceId &&
  a.distinctId === b.distinctId &&
  a.reason === b.reason;
