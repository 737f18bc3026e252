import { escapeHtml, page } from "./page.ts";

/** What a person with a browser reads while the server is in maintenance. */
export const maintenancePage = (sentence: string): string =>
  page(`<h1>svc</h1>
<p>${escapeHtml(sentence.charAt(0).toUpperCase() + sentence.slice(1))}</p>
<p>Try again in a few minutes.</p>`);
