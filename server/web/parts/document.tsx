import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { printableLines } from "../../../src/lib/text.ts";
import type { User } from "../../store/users.ts";
import { script, style } from "../style.ts";
import { Csrf } from "./forms.tsx";

/** What stands around the main part of a page. */
export interface Frame {
  readonly title: string;
  /** Undefined where nobody is signed in. */
  readonly user?: User | undefined;
  /** Proves that a form came from this page. */
  readonly csrf?: string | undefined;
  /** The address of the page, for the mark in the navigation. */
  readonly path?: string;
  /** What was just done, one sentence. */
  readonly note?: string | undefined;
  /** Why it was not done. */
  readonly problem?: string | undefined;
  /** Pages of one form. */
  readonly narrow?: boolean;
  readonly footer?: string | undefined;
}

/** Pages that every signed-in person has, in the order of the navigation. */
const places = [
  ["/keys", "Keys"],
  ["/collectives", "Collectives"],
  ["/workspaces", "Workspaces"],
  ["/sessions", "Sessions"],
  ["/audit", "Audit"],
] as const;

/** A whole page as text, with the script where there is something for it to do. */
export function documentOf(frame: Frame, main: ComponentChildren): string {
  const html = shown(renderToString(<Page {...frame}>{main}</Page>));
  const copies = html.includes(" data-copy=");
  return `<!doctype html>\n${copies ? `${html.slice(0, -bodyEnd.length)}<script>${script}</script>${bodyEnd}` : html}\n`;
}

/** A quote in a text is escaped, so that only a mark looks like this one: what a form carries stays as it is. */
const carried = /( value="[^"]*")/;

/** Names are shown as they are and not obeyed: the command line shows control characters in the same way. */
const shown = (html: string): string =>
  html
    .split(carried)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join("");

const bodyEnd = "</body></html>";

function Page({ children, ...frame }: Frame & { readonly children: ComponentChildren }): VNode {
  const { title, note, problem, narrow = false, footer } = frame;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{titleOf(frame)}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Bar {...frame} />
        <main id="main" class={narrow ? "narrow" : undefined} tabIndex={-1}>
          <h1>{title}</h1>
          {note === undefined ? null : (
            <p class="notice" role="status">
              {note}
            </p>
          )}
          {problem === undefined ? null : (
            <p class="notice problem" role="alert">
              {sentence(problem)}
            </p>
          )}
          {children}
        </main>
        {footer === undefined ? null : <footer>{footer}</footer>}
      </body>
    </html>
  );
}

function Bar({ user, csrf, path }: Frame): VNode {
  return (
    <header class="bar">
      <a class="brand" href="/">
        svc
      </a>
      {user === undefined ? null : (
        <>
          <nav aria-label="Account">
            <ul>
              {places.map(([address, name]) => (
                <li key={address}>
                  <a href={address} {...currentIf(isWithin(path, address))}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <form class="who" method="post" action="/logout">
            <a href="/account" {...currentIf(isWithin(path, "/account"))}>
              @{user.username}
            </a>
            <Csrf token={csrf} />
            <input type="hidden" name="act" value="sign-out" />
            <button type="submit" class="plain">
              Sign out
            </button>
          </form>
        </>
      )}
    </header>
  );
}

const titleOf = ({ title, problem }: Frame): string => {
  const named = title === "svc" ? title : `${title} · svc`;
  return problem === undefined ? named : `Not done: ${named}`;
};

const isWithin = (path: string | undefined, address: string): boolean =>
  path === address || path?.startsWith(`${address}/`) === true;

const currentIf = (current: boolean): { readonly "aria-current"?: "page" } =>
  current ? { "aria-current": "page" } : {};

/** A message of the API as a sentence. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
