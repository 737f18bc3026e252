import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { Problem } from "../lib/problem.ts";

/** A listener of this machine that waits for one answer from a browser. */
export interface CallbackListener {
  /** Where the browser is to be sent with the answer. */
  readonly callback: string;
  /** The token of a session, once the browser has got its redirection; rejects when the person said no. */
  readonly answer: Promise<string>;
  /** Ends the listener and every connection to it. */
  close(): Promise<void>;
}

/** What the browser is asked for. */
export interface CallbackExpected {
  /** The word that an answer must repeat. */
  readonly state: string;
  /** Where the browser goes when all is well. */
  readonly successUrl: string;
}

/** A token that can stand in a header; longer ones are no session of anybody's. */
const tokenForm = /^[\x21-\x7e]{1,4096}$/;

const denied = (): Problem =>
  new Problem("the login was denied in the browser", { code: "access_denied", hint: "svc auth login" });

/**
 * Listens on a free port of the loopback address. Only GET of `/callback` with the right state and either a token or
 * `error=access_denied` ends the wait; anything else is told what is wrong with it and changes nothing.
 */
export async function listenForCallback({ state, successUrl }: CallbackExpected): Promise<CallbackListener> {
  let settle: (token: string) => void = () => undefined;
  let refuse: (problem: Problem) => void = () => undefined;
  const answer = new Promise<string>((resolve, reject) => {
    settle = resolve;
    refuse = reject;
  });
  // Whoever waits hears of it; until somebody does it is no fault of the process.
  answer.catch(() => undefined);
  let over = false;

  const server = createServer((request, response) => {
    const [path = "", search] = (request.url ?? "").split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    if (path !== "/callback") return show(response, 404, "There is nothing here.");
    if (request.method !== "GET") return show(response, 405, "Only a browser's redirection comes here.");
    if (over) return show(response, 400, "This sign-in has been answered already.");
    if (query.get("state") !== state)
      return show(response, 400, "This answer belongs to another sign-in. The terminal goes on waiting.");
    const token = query.get("token") ?? "";
    if (tokenForm.test(token)) {
      over = true;
      // Only once the browser has it: the listener ends with the wait.
      response.once("close", () => settle(token));
      response.writeHead(302, { ...always, location: successUrl }).end();
    } else if (query.get("error") === "access_denied") {
      over = true;
      response.once("close", () => refuse(denied()));
      show(response, 200, "You have denied the sign-in. The terminal knows; you can close this page.");
    } else show(response, 400, "This answer carries no sign-in. The terminal goes on waiting.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    callback: `http://127.0.0.1:${port}/callback`,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers open connections that they do not use yet.
        server.closeAllConnections();
      }),
  };
}

/** One request a connection; nothing is kept, run or told to another site. */
const always = {
  connection: "close",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** `text` is ours and holds nothing of the request. */
function show(response: ServerResponse, status: number, text: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>svc</title><main><h1>svc</h1><p>${text}</p></main></html>\n`;
  response.writeHead(status, { ...always, "content-type": "text/html; charset=utf-8" }).end(page);
}
