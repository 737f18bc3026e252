import { fork } from "node:child_process";
import { join } from "node:path";
import { type Clock, systemClock } from "../lib/clock.ts";
import { packageDirectory } from "../lib/version.ts";
import type { KeychainReply, KeychainRequest } from "./keychain-child.ts";
import type { Environment } from "./load.ts";

export type { KeychainReply } from "./keychain-child.ts";

/** The operating system's keychain. Nothing here throws or takes longer than its limit. */
export interface Keychain {
  /** Whether it keeps what it is given: writes, reads and removes an item of its own. */
  probe(): Promise<KeychainReply>;
  /** `value` is null only when the keychain works and holds nothing under that name. */
  get(account: string): Promise<KeychainReply>;
  set(account: string, value: string): Promise<KeychainReply>;
  delete(account: string): Promise<KeychainReply>;
}

/** How the keychain is reached. */
export interface KeychainOptions {
  readonly environment: Environment;
  /** Module that is loaded in the child; default keytar. */
  readonly library?: string;
  readonly limitMs?: number;
  readonly clock?: Clock;
}

/** A working keychain takes about 50 ms, a locked one 110 ms; what has not answered by now never will. */
const defaultLimitMs = 2_000;
const service = "svc";
// Run by plain node, also when this file runs from sources or from the bundle.
const child = join(packageDirectory, "dist", "src", "config", "keychain-child.js");

/** The keychain behind {@link KeychainOptions}; each call is a process that is killed when it does not answer. */
export function openKeychain(options: KeychainOptions): Keychain {
  const ask = (operation: KeychainRequest["operation"], account: string, value?: string) =>
    request(options, {
      ...(options.library === undefined ? {} : { library: options.library }),
      service,
      account,
      operation,
      ...(value === undefined ? {} : { value }),
    });
  return {
    probe: () => ask("probe", "probe"),
    get: (account) => ask("get", account),
    set: (account, value) => ask("set", account, value),
    delete: (account) => ask("delete", account),
  };
}

/** The keychain of this machine. */
export const systemKeychain = (environment: Environment): Keychain => openKeychain({ environment });

function request(options: KeychainOptions, message: KeychainRequest): Promise<KeychainReply> {
  const limitMs = options.limitMs ?? defaultLimitMs;
  return new Promise((resolve) => {
    const process = fork(child, [], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: options.environment,
      execArgv: [],
    });
    const end = (reply: KeychainReply): void => {
      cancel();
      process.kill("SIGKILL");
      resolve(reply);
    };
    const unavailable = (reason: string): void => end({ state: "unavailable", reason });
    const cancel = (options.clock ?? systemClock).after(limitMs, () =>
      unavailable(`no answer within ${limitMs / 1000} s`),
    );
    // The child is ours and typed; a foreign message cannot come.
    process.once("message", (reply) => end(reply as KeychainReply));
    process.once("error", (error) => unavailable(error.message));
    process.once("exit", (code, signal) => unavailable(`its process ended with ${signal ?? code}`));
    process.send(message, (error) => {
      if (error !== null) unavailable(error.message);
    });
  });
}
