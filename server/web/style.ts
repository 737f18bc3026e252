import { createHash } from "node:crypto";

/**
 * The style of every page. Colors come in pairs for light and dark; text on its background has at least 4.5 : 1 in
 * both, and states differ by their words as well.
 */
export const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6e8eb); --quiet: light-dark(#57606a, #a3adb8);
  --ground: light-dark(#ffffff, #14171a); --raised: light-dark(#f5f6f8, #1d2125);
  --line: light-dark(#8a939d, #6d7782); --link: light-dark(#0b57c2, #7db1ff);
  --main: light-dark(#0b57c2, #2f6fd6); --danger: light-dark(#b3261e, #ff8f86);
  --good: light-dark(#1a6b34, #6fd08c); --warn: light-dark(#8a5200, #e8b160);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--ground); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; background: var(--ground); padding: .5rem; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; padding: .25rem 1.25rem; border-bottom: 1px solid var(--line); }
.bar nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
.bar nav a, .bar .who a, .bar .who button { display: inline-block; padding: .5rem 0; }
.bar a[aria-current] { font-weight: 600; color: var(--text); text-decoration-thickness: 2px; }
.bar .who { margin-left: auto; display: flex; gap: .75rem; align-items: center; }
.brand { padding: .5rem 0; font-weight: 700; text-decoration: none; color: var(--text); }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
main.narrow { max-width: 30rem; }
h1 { font-size: 1.6rem; margin: .5rem 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .75rem; }
p { margin: .5rem 0; }
.crumbs ul { display: flex; flex-wrap: wrap; gap: .25rem .5rem; list-style: none; margin: -.5rem 0 1rem; padding: 0; }
.crumbs li + li::before { content: "/"; color: var(--quiet); margin-right: .5rem; }
.crumbs a { display: inline-block; padding: .5rem 0; }
.quiet { color: var(--quiet); }
code, pre, .code { font-family: ui-monospace, monospace; font-size: .9rem; }
pre { padding: 1rem; border: 1px solid var(--line); border-radius: .375rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); }
.device { font-size: 2rem; letter-spacing: .2em; text-align: center; padding: .75rem; border: 2px solid var(--line); border-radius: .5rem; }
.notice { border: 1px solid var(--line); border-left: 6px solid var(--good); padding: .75rem 1rem; margin: 0 0 1.25rem; background: var(--raised); }
.notice.problem { border-left-color: var(--danger); }
.secret { border: 2px solid var(--warn); border-radius: .5rem; padding: 1rem; margin: 0 0 1.5rem; background: var(--raised); }
.secret > code { display: block; overflow-wrap: anywhere; font-size: 1rem; padding: .5rem 0; user-select: all; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
td, tbody th { min-width: 6rem; overflow-wrap: anywhere; }
tbody th a, .target { display: inline-block; padding: .6rem 0; margin: -.6rem 0; }
td form { display: inline-flex; margin: 0 .5rem .25rem 0; }
time span, .short, button, .button { white-space: nowrap; }
.state { font-weight: 600; white-space: nowrap; }
.state.good { color: var(--good); }
.state.bad { color: var(--danger); }
.state.warn { color: var(--warn); }
form.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem; max-width: 30rem; margin: 0 0 1rem; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; }
.field small { color: var(--quiet); font-size: .875rem; }
label { font-weight: 600; overflow-wrap: anywhere; }
label.check { font-weight: 400; display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; }
label.check input { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0; }
input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .375rem; padding: .45rem .6rem; max-width: 100%; min-height: 2.75rem; }
button, .button { font: inherit; cursor: pointer; border: 1px solid var(--line); border-radius: .375rem; padding: .45rem .9rem; min-height: 2.75rem; background: var(--raised); color: var(--text); text-decoration: none; display: inline-flex; align-items: center; }
button.main { background: light-dark(#0b57c2, #2459ad); border-color: transparent; color: #ffffff; }
button.danger { color: var(--danger); border-color: var(--danger); }
button.plain { border: 0; background: none; color: var(--link); text-decoration: underline; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
ul.row { list-style: none; margin: 0 0 1rem; padding: 0; }
.row a[aria-current] { font-weight: 600; color: var(--text); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 0 0 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem 2rem; font-size: .875rem; color: var(--quiet); }
@media (max-width: 45rem) {
  table, tbody, tr, td, caption, tbody th { display: block; }
  thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .2rem 0; }
  button, .button { white-space: normal; }
  td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .75rem; }
  td::before { content: attr(data-head); color: var(--quiet); }
  td > * { grid-column: 2; justify-self: start; }
  td:empty { display: none; }
  td form { display: block; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
}
`;

/**
 * What pages run where scripts may: buttons that copy a text, which are hidden until then. Everything else works by
 * links and forms.
 */
export const script = `
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = document.getElementById(button.dataset.said);
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      said.textContent = "copied";
    } catch {
      said.textContent = "this browser does not let pages copy: select the text";
    }
  });
}
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Headers of every page: it runs the one script and style above and nothing else, is shown in no frame, is kept by
 * nobody, and sends its forms to this server, or on from there to `callback`, an origin.
 */
export const pageHeaders = (callback?: string): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `script-src ${scriptHash}`,
    `form-action 'self'${callback === undefined ? "" : ` ${callback}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not `no-referrer`: a browser then says `Origin: null` with its own forms.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  vary: "accept, cookie",
});

const styleHash = hashOf(style);
const scriptHash = hashOf(script);
