import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
p { margin: .5rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { padding: 1rem; border: 1px solid; border-radius: .375rem; overflow-x: auto; }
footer { margin-top: 3rem; font-size: .875rem; opacity: .7; }
`;

/** Text as a page may carry it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A whole page around its main part and its footer, both HTML. */
export const page = (main: string, footer = ""): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
${footer === "" ? "" : `<footer>${footer}</footer>\n`}</body>
</html>
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every such page: it runs nothing, and is not kept. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
  vary: "accept",
} as const;
