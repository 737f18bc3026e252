import type { Person, TestServer } from "./server.ts";

/** What a form carries, by the names of its members. */
type Fields = Readonly<Record<string, string>>;

/** A form as it stands on a page. */
export interface WebForm {
  /** What it does on its page; empty where it does not say. */
  readonly act: string;
  /** Where it is sent. */
  readonly action: string;
  /** What it carries where nobody types anything: hidden members, what stands in its fields, what is chosen. */
  readonly values: Fields;
  /** The names of what a person can fill in, in order. */
  readonly fields: readonly string[];
  /** What its buttons are called, to who sees the page and to who hears it. */
  readonly buttons: readonly string[];
  readonly html: string;
}

/** A page, or whatever else came, as a browser without scripts has it. */
export interface WebPage {
  readonly status: number;
  /** The address at which it was found, without the origin. */
  readonly path: string;
  readonly headers: Headers;
  /** Where it leads on, in an answer that was not followed: to another origin. */
  readonly location: string | undefined;
  readonly html: string;
  /** Without its marks, blanks folded. */
  readonly text: string;
  /** Its first heading. */
  readonly title: string;
  /** What was just done. */
  readonly note: string | undefined;
  /** Why something was not done. */
  readonly problem: string | undefined;
  /** The raw key or token that it shows. */
  readonly secret: string | undefined;
  readonly forms: readonly WebForm[];
  /** Addresses of its links. */
  readonly links: readonly string[];
  /** Rows of its tables as the texts of their cells. */
  readonly rows: readonly (readonly string[])[];
  /** The one form that does `act`, where `of` is given the one that carries these members; throws when there is none. */
  form(act: string, of?: Fields): WebForm;
  /** Fills in that form and sends it; gives the page it leads to. */
  submit(act: string, fields?: Fields, of?: Fields): Promise<WebPage>;
}

/** A browser without scripts: one cookie jar. */
export interface WebBrowser {
  /** What is kept, by name. */
  readonly cookies: Map<string, string>;
  open(path: string): Promise<WebPage>;
  /** Sends these members and nothing else, from a page of this server unless `headers` say otherwise. */
  send(path: string, fields: Fields, headers?: Fields): Promise<WebPage>;
}

/** A browser in front of a server in which nobody is signed in. */
export function openBrowser({ url }: Pick<TestServer, "url">): WebBrowser {
  const cookies = new Map<string, string>();
  const ask = async (path: string, request: RequestInit): Promise<WebPage> => {
    const address = new URL(path, url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...request.headers };
    const response = await fetch(address, { ...request, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const html = await response.text();
    const location = response.headers.get("location");
    const target = location === null ? undefined : new URL(location, address);
    if (target?.origin === address.origin) return ask(target.href, {});
    return pageOf(browser, response, `${address.pathname}${address.search}`, html);
  };
  const browser: WebBrowser = {
    cookies,
    open: (path) => ask(path, {}),
    send: (path, fields, headers = { origin: new URL(url).origin }) =>
      ask(path, { method: "POST", headers: { ...headers }, body: new URLSearchParams(fields) }),
  };
  return browser;
}

/** A browser in which a person is signed in already. */
export function browserOf(server: Pick<TestServer, "url">, { session }: Pick<Person, "session">): WebBrowser {
  const browser = openBrowser(server);
  browser.cookies.set("svc.session_token", session);
  return browser;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/; *max-age=0\b/i.test(line) || /; *expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

function pageOf(browser: WebBrowser, response: Response, path: string, html: string): WebPage {
  const forms = all(html, /<form\b((?:[^>"]|"[^"]*")*)>(.*?)<\/form>/gs).map(([, marks = "", inner = ""]) =>
    formOf(attribute(marks, "action") ?? path, inner),
  );
  const form = (act: string, of: Fields = {}): WebForm => {
    const found = forms.filter(
      (one) => one.act === act && Object.entries(of).every(([name, value]) => one.values[name] === value),
    );
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const acts = forms.map((one) => one.act).join(", ");
    throw new Error(`expected one form "${act}" on ${path}, found ${found.length}; its forms: ${acts}`);
  };
  return {
    status: response.status,
    path,
    headers: response.headers,
    location: response.headers.get("location") ?? undefined,
    html,
    text: textOf(html.replaceAll(/<(style|script)\b.*?<\/\1>/gs, "")),
    title: textIn(html, /<h1>(.*?)<\/h1>/s) ?? "",
    note: textIn(html, /<p class="notice" role="status">(.*?)<\/p>/s),
    problem: textIn(html, /<p class="notice problem" role="alert">(.*?)<\/p>/s),
    secret: textIn(html, /<code id="raw-secret">(.*?)<\/code>/s),
    forms,
    links: all(html, /<a\b((?:[^>"]|"[^"]*")*)>/g).flatMap(
      ([, marks = ""]) => attribute(marks, "href") ?? [],
    ),
    rows: all(html, /<tr>(.*?)<\/tr>/gs).map(([, row = ""]) =>
      all(row, /<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs).map(([, cell = ""]) => textOf(cell)),
    ),
    form,
    submit: (act, fields = {}, of = {}) => {
      const { action, values } = form(act, of);
      return browser.send(action, { ...values, ...fields });
    },
  };
}

function formOf(action: string, html: string): WebForm {
  const inputs = all(html, /<input\b((?:[^>"]|"[^"]*")*)>/g).map(([, marks = ""]) => ({
    name: attribute(marks, "name") ?? "",
    type: attribute(marks, "type") ?? "text",
    value: attribute(marks, "value"),
    checked: /\schecked\b/.test(marks),
  }));
  const choices = all(html, /<select\b((?:[^>"]|"[^"]*")*)>(.*?)<\/select>/gs).map(
    ([, marks = "", inner = ""]) => {
      const options = all(inner, /<option\b((?:[^>"]|"[^"]*")*)>/g).map(([, option = ""]) => option);
      const chosen = options.find((option) => /\sselected\b/.test(option)) ?? options[0] ?? "";
      return { name: attribute(marks, "name") ?? "", value: attribute(chosen, "value") ?? "" };
    },
  );
  const carried = inputs.flatMap(({ name, type, value, checked }): [string, string][] =>
    type === "checkbox" ? (checked ? [[name, value ?? "on"]] : []) : [[name, value ?? ""]],
  );
  const values = Object.fromEntries([
    ...carried,
    ...choices.map(({ name, value }): [string, string] => [name, value]),
  ]);
  return {
    act: values["act"] ?? "",
    action,
    values,
    fields: [...inputs.filter(({ type }) => type !== "hidden"), ...choices].map(({ name }) => name),
    buttons: all(html, /<button\b((?:[^>"]|"[^"]*")*)>(.*?)<\/button>/gs).map(
      ([, marks = "", words = ""]) => attribute(marks, "aria-label") ?? textOf(words),
    ),
    html,
  };
}

const all = (text: string, pattern: RegExp): RegExpMatchArray[] => [...text.matchAll(pattern)];

/** The value of an attribute; the empty text where it stands without one. */
function attribute(marks: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/]|$)`).exec(marks);
  return found === null ? undefined : decode(found[1] ?? "");
}

const textIn = (html: string, pattern: RegExp): string | undefined => {
  const found = pattern.exec(html)?.[1];
  return found === undefined ? undefined : textOf(found);
};

const textOf = (html: string): string =>
  // Isolation of a name leaves no room around it.
  decode(html.replaceAll(/<\/?bdi>/g, "").replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();

const marks: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
const decode = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (whole, name: string) => marks[name] ?? whole);
