import type { AuditEntry } from "../../contract/audit.ts";
import { maximumLimit } from "../../contract/page.ts";
import { type AnyCommand, command } from "../command.ts";
import { usageProblem } from "../failure.ts";
import type { Column } from "../table.ts";

const columns: readonly Column<AuditEntry>[] = [
  { title: "AT", text: ({ at }) => at },
  { title: "WHO", text: ({ actor }) => actor.name ?? actor.id ?? actor.kind },
  { title: "WITH", text: ({ credential }) => credential?.kind ?? "" },
  { title: "FROM", text: ({ ip }) => ip ?? "" },
  { title: "WHAT", text: ({ kind }) => kind },
  { title: "SUBJECT", text: ({ subject }) => subject ?? "" },
  { title: "DETAIL", text: ({ data }) => detail(data) },
];

const detail = (data: AuditEntry["data"]): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");

const defaultCount = 20;
const limit = { kind: "number", value: "count", doc: `How many at most; default ${defaultCount}` } as const;

interface Page {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | null;
}

/** The newest entries of a log, over as many requests as that takes. */
async function newest(
  count: number,
  read: (query: { limit: number; cursor?: string }) => Promise<Page>,
): Promise<Page> {
  if (count === 0) throw usageProblem("--limit: expected 1 or more, got 0");
  const entries: AuditEntry[] = [];
  let nextCursor: string | null = null;
  do {
    const wanted = Math.min(count - entries.length, maximumLimit);
    const page: Page = await read({ limit: wanted, ...(nextCursor === null ? {} : { cursor: nextCursor }) });
    entries.push(...page.entries);
    nextCursor = page.nextCursor;
  } while (nextCursor !== null && entries.length < count);
  return { entries, nextCursor };
}

/** `svc audit …`. */
export const auditCommands: readonly AnyCommand[] = [
  command({
    path: "audit account",
    summary: "What was done to your account, sessions and keys, and from where, newest first",
    needs: "key",
    options: { limit },
    examples: [{ line: "audit account --limit 5", does: "the last five" }],
    run: async (args, context) => {
      const { audit } = await context.api();
      const answer = await newest(args.limit ?? defaultCount, (query) => audit.account({ query }));
      context.output.table(answer, columns, answer.entries, "nothing");
    },
  }),
  command({
    path: "audit collective",
    summary: "What was done to a collective, its members and tokens, and from where (owner, admin)",
    needs: "key",
    positionals: { slug: { doc: "Slug of the collective" } },
    options: { limit },
    examples: [{ line: "audit collective platform-team", does: "newest first" }],
    run: async (args, context) => {
      const { audit } = await context.api();
      const { slug } = args;
      const answer = await newest(args.limit ?? defaultCount, (query) => audit.collective({ slug, query }));
      context.output.table(answer, columns, answer.entries, "nothing");
    },
  }),
  command({
    path: "audit workspace",
    summary: "What was done to the workspace, its members and tokens, and from where, newest first (owner)",
    needs: "key",
    options: { limit },
    examples: [{ line: "audit workspace --json", does: "for programs" }],
    run: async (args, context) => {
      const { audit } = await context.api();
      const workspaceId = await context.workspaceId();
      const answer = await newest(args.limit ?? defaultCount, (query) =>
        audit.workspace({ workspaceId, query }),
      );
      context.output.table(answer, columns, answer.entries, "nothing");
    },
  }),
];
