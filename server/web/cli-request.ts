/** What a terminal asks a browser for: a session of whoever approves it there. */
export interface CliRequest {
  /** Where the answer goes: a listener on the machine of the browser, and nowhere else. */
  readonly callback: string;
  /** The terminal's own word, which it expects back. */
  readonly state: string;
  /** What both screens show, so that a person can tell that they belong together. */
  readonly deviceCode: string;
}

/** Loopback with a port, in the three ways it is written; nothing before, between or after. */
const callbackForm = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})\/callback$/;
const stateForm = /^[\w.~-]{8,128}$/;
/** Without the letters and digits that look alike: 0 O 1 I L. */
const deviceCodeForm = /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/;

/** The request that a query carries; `problem` says why it is none, undefined where the query is of no terminal. */
export function cliRequestOf(
  query: Readonly<Record<string, string>>,
): { readonly request: CliRequest } | { readonly problem: string } | undefined {
  const { cli_callback: callback, state, device_code: deviceCode } = query;
  if (callback === undefined) return undefined;
  const port = Number(callbackForm.exec(callback)?.[1]);
  if (!(port <= 65_535))
    return { problem: "a sign-in may go to a program on this computer only, and this link leads elsewhere" };
  if (
    state === undefined ||
    !stateForm.test(state) ||
    deviceCode === undefined ||
    !deviceCodeForm.test(deviceCode)
  )
    return {
      problem: "this link is not complete; run svc auth login again and open the address that it prints",
    };
  return { request: { callback, state, deviceCode } };
}

/** The origin of the callback as a content security policy can name it: it knows no addresses in brackets. */
export const callbackSource = ({ callback }: CliRequest): string =>
  callback.startsWith("http://[") ? "http:" : new URL(callback).origin;

/** The callback with the terminal's own state and an answer. */
export function answerTo({ callback, state }: CliRequest, answer: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ ...answer, state });
  return `${callback}?${query}`;
}
