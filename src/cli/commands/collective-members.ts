import type { CollectiveMember } from "../../contract/collective-members.ts";
import { looksLikeUlid } from "../../contract/ids.ts";
import { Problem } from "../../lib/problem.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<CollectiveMember>[] = [
  { title: "USERNAME", text: ({ username }) => username },
  { title: "NAME", text: ({ name }) => name },
  { title: "E-MAIL", text: ({ email }) => email },
  { title: "ROLE", text: ({ role }) => role },
];

const slug = { doc: "Slug of the collective" } as const;
const person = { doc: "Username, e-mail or id of the member" } as const;
const roles = ["owner", "admin", "member"] as const;
const role = { doc: roles.join(", ") } as const;

/** `svc collective member …`. */
export const collectiveMemberCommands: readonly AnyCommand[] = [
  command({
    path: "collective member list",
    aliases: ["ls"],
    summary: "List who is in a collective",
    needs: "key",
    positionals: { slug },
    examples: [{ line: "collective member list platform", does: "oldest membership first" }],
    run: async (args, { api, output }) => {
      const answer = await (await api()).collectiveMembers.list(args);
      output.table(answer, columns, answer.members, "nobody");
    },
  }),
  command({
    path: "collective member invite",
    summary: "Ask somebody into a collective by e-mail; the invitation is open for seven days",
    details:
      "Who has an account accepts with svc collective invitation accept. Who has none signs up with that address and the code, which is shown this once.",
    needs: "key",
    positionals: { slug, email: { doc: "E-mail address" } },
    options: { role: { kind: "text", value: "role", doc: "Default member", choices: roles } },
    examples: [{ line: "collective member invite platform grace@example.org", does: "prints its id" }],
    run: async (args, context) => {
      const invited = roleOf("collective member invite", args.role ?? "member");
      const body = { email: args.email, role: invited };
      const answer = await (await context.api()).collectiveInvitations.create({ slug: args.slug, body });
      context.output.note(`invited ${printable(answer.email)} as ${invited}, until ${answer.expiresAt}`);
      context.output.note(`who has no account yet signs up with that address and the code ${answer.code}`);
      context.output.result(answer, [answer.id]);
    },
  }),
  command({
    path: "collective member role",
    summary: "Give a member another role",
    details:
      "A member uses what the collective has. An admin also manages members, invitations and tokens. An owner does everything.",
    needs: "key",
    positionals: { slug, person, role },
    examples: [{ line: "collective member role platform grace admin", does: "lets her manage tokens" }],
    run: async (args, context) => {
      const wanted = roleOf("collective member role", args.role);
      const { userId, username } = await memberOf(context, args.slug, args.person);
      const answer = await (await context.api()).collectiveMembers.update({
        slug: args.slug,
        userId,
        body: { role: wanted },
      });
      context.output.note(`${printable(username)} is ${wanted} now`);
      context.output.table(answer, columns, answer.members, "nobody");
    },
  }),
  command({
    path: "collective member remove",
    summary: "Take somebody out of a collective",
    needs: "key",
    positionals: { slug, person },
    options: { yes: yesFlag },
    examples: [{ line: "collective member remove platform grace --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const { userId, username } = await memberOf(context, args.slug, args.person);
      const who = printable(username);
      const consent = {
        question: `remove ${who} from the collective ${printable(args.slug)}?`,
        doing: `removing ${who}`,
      };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await (await context.api()).collectiveMembers.remove({ slug: args.slug, userId });
      context.output.note(`removed ${who}`);
      context.output.table(answer, columns, answer.members, "nobody");
    },
  }),
];

function roleOf(path: string, text: string): (typeof roles)[number] {
  const word = text.toLowerCase();
  const found = roles.find((one) => one === word);
  if (found !== undefined) return found;
  throw usageProblem(
    `${path}: expected one of ${roles.join(", ")}, got "${printable(text)}"`,
    `svc ${path} --help`,
  );
}

/** The member that a person names by username, e-mail or id. Throws a {@link Problem} when there is none. */
async function memberOf(context: Context, slugOf: string, named: string): Promise<CollectiveMember> {
  const { members } = await (await context.api()).collectiveMembers.list({ slug: slugOf });
  const word = named.toLowerCase();
  const found = members.find(
    ({ userId, username, email }) =>
      (looksLikeUlid(named) && userId === named.toUpperCase()) || username === word || email === word,
  );
  if (found !== undefined) return found;
  throw new Problem(`no such member: "${printable(named)}"`, {
    code: "member_not_found",
    hint: `svc collective member list ${printable(slugOf)}`,
  });
}
