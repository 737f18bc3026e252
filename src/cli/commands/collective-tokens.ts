import type { CollectiveToken } from "../../contract/collective-tokens.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { usageProblem } from "../failure.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<CollectiveToken>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
  { title: "TOKEN", text: ({ keyPrefix }) => `${keyPrefix}…` },
  {
    title: "STATE",
    text: ({ enabled, expired }) => (enabled ? (expired ? "expired" : "enabled") : "revoked"),
  },
  { title: "EXPIRES", text: ({ expiresAt }) => expiresAt ?? "never" },
  { title: "LAST USED", text: ({ lastUsedAt }) => lastUsedAt ?? "never" },
];

const slug = { doc: "Slug of the collective" } as const;
const token = { doc: "Id of the token, as svc collective token list shows it" } as const;

/** `svc collective token …`: all of them are for owners and admins. */
export const collectiveTokenCommands: readonly AnyCommand[] = [
  command({
    path: "collective token create",
    summary: "Create a token that acts as the collective and as nobody of it",
    details:
      "It is printed this once. It works in the workspaces that were granted to the collective (svc workspace grant), and what it does is attributed to the collective. At most 25 a collective.",
    needs: "key",
    positionals: { slug, name: { doc: "What it is for; at most 64 characters" } },
    options: {
      expires: {
        kind: "text",
        value: "time",
        doc: "After how long (12h, 90d, 1y) or when (2030-01-31T12:00:00Z); default never",
      },
    },
    examples: [{ line: "collective token create platform ci --expires 90d", does: "prints the token" }],
    run: async (args, { api, output }) => {
      const body = { name: args.name, ...expiryOf(args.expires) };
      const answer = await (await api()).collectiveTokens.create({ slug: args.slug, body });
      const { id, expiresAt } = answer.token;
      output.note(`created token ${id}`);
      output.note(`it expires ${expiresAt ?? "never"} and is not shown again`);
      output.result(answer, [printable(answer.key)]);
    },
  }),
  command({
    path: "collective token list",
    aliases: ["ls"],
    summary: "List the tokens of a collective, revoked and expired ones too",
    needs: "key",
    positionals: { slug },
    examples: [{ line: "collective token list platform --json", does: "the API's answer" }],
    run: async (args, { api, output }) => {
      const answer = await (await api()).collectiveTokens.list(args);
      output.table(answer, columns, answer.tokens, "no tokens");
    },
  }),
  command({
    path: "collective token revoke",
    summary: "Revoke a token for good: it is refused from the next request on, and stays in the list",
    needs: "key",
    positionals: { slug, token },
    options: { yes: yesFlag },
    examples: [{ line: "collective token revoke platform 01J… --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const named = `token ${printable(args.token)}`;
      const consent = { question: `revoke the ${named} for good?`, doing: `revoking ${named}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await (await context.api()).collectiveTokens.revoke({
        slug: args.slug,
        tokenId: args.token,
        body: { enabled: false },
      });
      context.output.note(`revoked ${named}`);
      context.output.table(answer, columns, [answer.token], "");
    },
  }),
  command({
    path: "collective token delete",
    summary: "Remove a token: it is refused from the next request on, and makes room for another",
    needs: "key",
    positionals: { slug, token },
    options: { yes: yesFlag },
    examples: [{ line: "collective token delete platform 01J… --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const named = `token ${printable(args.token)}`;
      const consent = { question: `delete the ${named}?`, doing: `deleting ${named}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const target = { slug: args.slug, tokenId: args.token };
      const answer = await (await context.api()).collectiveTokens.delete(target);
      context.output.note(`deleted ${named}`);
      context.output.result(answer, []);
    },
  }),
];

/** Seconds of each unit that a span is written in; a year has 365 days. */
const units: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 60 * 60,
  d: 24 * 60 * 60,
  w: 7 * 24 * 60 * 60,
  y: 365 * 24 * 60 * 60,
};

/** `90d` as seconds from now, an instant as it is. Throws a usage problem. */
function expiryOf(text: string | undefined): { expiresIn?: number; expiresAt?: string } {
  if (text === undefined) return {};
  const [, count = "", unit = ""] = /^(\d{1,9})([smhdwy])$/.exec(text) ?? [];
  const seconds = units[unit];
  if (seconds !== undefined) return { expiresIn: Number(count) * seconds };
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return { expiresAt: text };
  throw usageProblem(
    `collective token create: expected a time such as 90d or 2030-01-31T12:00:00Z, got "${printable(text)}"`,
    "svc collective token create --help",
  );
}
