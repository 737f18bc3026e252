import { looksLikeUlid } from "../../contract/ids.ts";
import type { ApiKey } from "../../contract/keys.ts";
import { nearMiss } from "../../lib/near-miss.ts";
import { Problem } from "../../lib/problem.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { type Session, sessionDetails, sessionFlags, withSession } from "../session.ts";
import { type Column, printable } from "../table.ts";

/** A key, and whether it is the one that is stored on this machine. */
interface Row extends ApiKey {
  readonly here: boolean;
}

const columnsAt = (now: number): readonly Column<Row>[] => [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name ?? "" },
  { title: "KEY", text: ({ start }) => `${start ?? ""}…` },
  { title: "STATE", text: (key) => stateOf(key, now) },
  { title: "CREATED", text: ({ createdAt }) => createdAt },
  { title: "LAST USED", text: ({ lastRequest }) => lastRequest ?? "never" },
  { title: "STORED", text: ({ here }) => (here ? "on this machine" : "") },
];

const stateOf = ({ enabled, expiresAt }: ApiKey, now: number): string => {
  if (!enabled) return "revoked";
  if (expiresAt === null) return "enabled";
  return Date.parse(expiresAt) <= now ? `expired ${expiresAt}` : `until ${expiresAt}`;
};

const which = { doc: "Id or name of the key, as svc key list shows it" };

/** `svc key …`: personal keys of the user who signs in. */
export const keyCommands: readonly AnyCommand[] = [
  command({
    path: "key list",
    aliases: ["ls"],
    summary: "List your personal keys, newest first",
    details: sessionDetails,
    options: sessionFlags,
    examples: [{ line: "key list", does: "asks for the password" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const { answer, rows } = await listKeys(session);
        context.output.table(answer, columnsAt(context.clock.now()), rows, "no keys");
      }),
  }),
  command({
    path: "key create",
    summary: "Create a personal key, for a program or another machine; it is printed this once",
    details: `${sessionDetails} It has all your rights and does not expire.`,
    positionals: { name: { doc: "What it is for; at most 32 characters" } },
    options: sessionFlags,
    examples: [{ line: "key create laptop", does: "prints the key" }],
    run: (args, context) =>
      withSession(context, args, async ({ api }) => {
        const answer = await api.keys.create({ body: { name: args.name } });
        context.output.note(`created key ${answer.id}, which is not shown again`);
        context.output.result(answer, [printable(answer.key)]);
      }),
  }),
  command({
    path: "key revoke",
    summary: "Revoke a personal key for good; it stays in the list",
    details: sessionDetails,
    positionals: { key: which },
    options: { ...sessionFlags, yes: yesFlag },
    examples: [{ line: "key revoke laptop --yes", does: "does it without asking" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const key = await keyNamed(session, args.key);
        const named = `key ${nameOf(key)}`;
        const consent = { question: `revoke the ${named} for good?`, doing: `revoking ${named}` };
        if (!(await context.confirm(consent, args.yes)))
          return context.output.result({ success: false, cancelled: true }, []);
        const answer = await session.api.keys.update({ body: { keyId: key.id, enabled: false } });
        noteGone(context, key, `revoked ${named}`);
        context.output.table(
          answer,
          columnsAt(context.clock.now()),
          [{ ...answer, here: key.here }],
          "no keys",
        );
      }),
  }),
  command({
    path: "key delete",
    summary: "Delete a personal key; it is refused from the next request on",
    details: sessionDetails,
    positionals: { key: which },
    options: { ...sessionFlags, yes: yesFlag },
    examples: [{ line: "key delete laptop --yes", does: "does it without asking" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const key = await keyNamed(session, args.key);
        const named = `key ${nameOf(key)}`;
        const consent = { question: `delete the ${named}?`, doing: `deleting ${named}` };
        if (!(await context.confirm(consent, args.yes)))
          return context.output.result({ success: false, cancelled: true }, []);
        const answer = await session.api.keys.delete({ body: { keyId: key.id } });
        noteGone(context, key, `deleted ${named}`);
        context.output.result({ ...answer, keyId: key.id }, []);
      }),
  }),
];

/** Most keys of one answer. */
const pageSize = 1_000;

/** All keys of the user, with the answer as it would be if it came in one. */
async function listKeys({ api, access }: Session) {
  const apiKeys: ApiKey[] = [];
  for (;;) {
    const page = await api.keys.list({ query: { limit: pageSize, offset: apiKeys.length } });
    apiKeys.push(...page.apiKeys);
    if (page.apiKeys.length < pageSize)
      return {
        answer: { ...page, apiKeys, limit: apiKeys.length, offset: 0 },
        rows: apiKeys.map((key): Row => ({ ...key, here: key.id === access.stored?.apiKeyId })),
      };
  }
}

const nameOf = ({ id, name }: ApiKey): string => (name === null ? id : `"${printable(name)}"`);

/** The key that a person names by id or name. Throws a {@link Problem} when there is none, or more than one. */
async function keyNamed(session: Session, named: string): Promise<Row> {
  const { rows } = await listKeys(session);
  const id = looksLikeUlid(named) ? named.toUpperCase() : undefined;
  const [found, another] = rows.filter((key) => key.id === id || key.name === named);
  if (found !== undefined && another === undefined) return found;
  if (found !== undefined)
    throw new Problem(`more than one key is named "${printable(named)}"`, {
      code: "key_ambiguous",
      hint: "name it by its id: svc key list",
    });
  const near = nearMiss(
    named,
    rows.flatMap(({ name }) => (name === null ? [] : [name])),
  );
  throw new Problem(`no such key: "${printable(named)}"`, {
    code: "key_not_found",
    hint: near === undefined ? "svc key list" : `did you mean "${printable(near)}"?`,
  });
}

/** Says what was done, and how to go on where this machine has lost its own key. */
function noteGone({ output }: Context, key: Row, done: string): void {
  output.note(done);
  if (key.here) output.note("it was the key of this machine: svc auth login makes another");
}
