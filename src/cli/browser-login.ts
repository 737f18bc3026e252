import { randomInt, randomUUID } from "node:crypto";
import { Problem } from "../lib/problem.ts";
import { listenForCallback } from "./callback-listener.ts";
import type { Context } from "./context.ts";
import { openBrowser } from "./open-browser.ts";

/** A person has this long to sign in; what an open listener may cost is bounded by it. */
const patienceMs = 120_000;

/** Letters and digits that nobody takes for another one: no 0, O, 1, I, L. */
const symbols = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const symbol = (): string => symbols.charAt(randomInt(symbols.length));

/** 8 of 31 symbols, about 40 bits: shown here and in the browser, so that a person can tell that both belong together. */
const deviceCode = (): string => Array.from({ length: 8 }, symbol).join("").replace(/^.{4}/, "$&-");

/**
 * The token of a session that a person opens in the browser for this terminal. Throws a {@link Problem} when that is
 * denied, takes longer than two minutes or is cancelled; the listener and its connections are closed in any case.
 */
export async function signInWithBrowser(context: Context, serverUrl: string): Promise<string> {
  const stop = context.untilStopped();
  const state = randomUUID();
  const listener = await listenForCallback({ state, successUrl: `${serverUrl}/cli/success` });
  try {
    const code = deviceCode();
    const query = new URLSearchParams({ cli_callback: listener.callback, state, device_code: code });
    const url = `${serverUrl}/login?${query}`;
    const { output } = context;
    // To be read in any form of output: without them nobody can go on.
    output.ask(`code  ${code}  (the page must show the same one)\nopen  ${url}\n`);
    let waiting = true;
    void openBrowser(url, context.environment).then((reason) => {
      if (waiting) output.warn(`no browser was opened: ${reason}; open the address above on this machine`);
    });
    output.note("waiting for the browser, two minutes at most; Ctrl-C cancels");
    try {
      return await answerOf(context, listener.answer, stop);
    } finally {
      waiting = false;
    }
  } finally {
    await listener.close();
  }
}

function answerOf({ clock }: Context, answer: Promise<string>, stop: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const cancelled = (): void => end(() => reject(new Problem("cancelled", { code: "cancelled" })));
    const late = (): void =>
      end(() =>
        reject(
          new Problem("the login was not finished in the browser within 2 minutes", {
            code: "timeout",
            hint: "svc auth login, or without a browser: svc auth login --no-browser",
          }),
        ),
      );
    const cancelTimer = clock.after(patienceMs, late);
    const end = (say: () => void): void => {
      cancelTimer();
      stop.removeEventListener("abort", cancelled);
      say();
    };
    stop.addEventListener("abort", cancelled, { once: true });
    if (stop.aborted) cancelled();
    answer.then(
      (token) => end(() => resolve(token)),
      (problem: unknown) => end(() => reject(problem)),
    );
  });
}
