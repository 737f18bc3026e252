import { looksLikeUlid } from "../../contract/ids.ts";
import type { Member } from "../../contract/workspaces.ts";
import { nearMiss } from "../../lib/near-miss.ts";
import { Problem } from "../../lib/problem.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<Member>[] = [
  { title: "E-MAIL", text: ({ email }) => email },
  { title: "USERNAME", text: ({ nickname }) => nickname },
  { title: "ROLE", text: ({ role }) => role },
  { title: "SINCE", text: ({ signupAt }) => (signupAt ? `signed up ${signupAt}` : "invited") },
];

const roles: readonly string[] = ["owner", "approver", "editor"];
const person = { doc: "E-mail, username or id of the member, or of who is invited" };

/** `svc workspace member …`: all of them speak of the workspace in use, or of `--workspace`. */
export const workspaceMemberCommands: readonly AnyCommand[] = [
  command({
    path: "workspace member list",
    aliases: ["ls"],
    summary: "List who is in the workspace, and who is invited",
    needs: "key",
    examples: [{ line: "workspace member list", does: "of the workspace in use" }],
    run: async (_args, context) => {
      const answer = await listMembers(context);
      context.output.table(answer, columns, answer, "nobody");
    },
  }),
  command({
    path: "workspace member invite",
    summary: "Invite somebody as editor; who has an account is a member at once",
    needs: "key",
    positionals: { email: { doc: "E-mail address" } },
    examples: [{ line: "workspace member invite grace@example.org", does: "prints all members" }],
    run: async ({ email }, context) => {
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).workspaces.inviteMember({ workspaceId, body: { email } });
      const member = answer.find((one) => one.email === email.toLowerCase());
      const waits = member !== undefined && !member.signupAt;
      context.output.note(
        waits
          ? `invited ${printable(email)}, who becomes a member by signing up with that address and the code ${member.invitationCode ?? ""}, shown this once`
          : `${printable(email)} is a member now`,
      );
      context.output.table(answer, columns, answer, "nobody");
    },
  }),
  command({
    path: "workspace member remove",
    summary: "Take somebody out of the workspace, or an invitation back",
    needs: "key",
    positionals: { person },
    options: { yes: yesFlag },
    examples: [{ line: "workspace member remove grace@example.org --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const { email } = await memberOf(context, args.person);
      const who = printable(email);
      const consent = { question: `remove ${who} from the workspace?`, doing: `removing ${who}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).workspaces.removeMember({ workspaceId, body: { email } });
      context.output.note(`removed ${who}`);
      context.output.table(answer, columns, answer, "nobody");
    },
  }),
  command({
    path: "workspace member role",
    summary: "Give a member another role",
    details:
      "An editor changes things in change sets. An approver also decides about them and about members. An owner does everything.",
    needs: "key",
    positionals: { person, role: { doc: roles.join(", ") } },
    examples: [{ line: "workspace member role grace@example.org approver", does: "lets her approve" }],
    run: async (args, context) => {
      const role = args.role.toLowerCase();
      if (!roles.includes(role))
        throw usageProblem(
          `workspace member role: expected one of ${roles.join(", ")}, got "${printable(args.role)}"`,
          "svc workspace member role --help",
        );
      const { userId, email } = await memberOf(context, args.person);
      const workspaceId = await context.workspaceId();
      const body = { userId, role: role.toUpperCase() };
      const answer = await (await context.api()).workspaces.updateMemberAccess({ workspaceId, body });
      context.output.note(`${printable(email)} is ${role} now`);
      context.output.table(answer, columns, answer, "nobody");
    },
  }),
];

async function listMembers(context: Context): Promise<Member[]> {
  return (await context.api()).workspaces.listMembers({ workspaceId: await context.workspaceId() });
}

/** The member that a person names by e-mail, username or id. Throws a {@link Problem} when there is none. */
async function memberOf(context: Context, named: string): Promise<Member> {
  const members = await listMembers(context);
  const word = named.toLowerCase();
  const found = members.find(
    ({ userId, email, nickname }) =>
      (looksLikeUlid(named) && userId === named.toUpperCase()) || email === word || nickname === word,
  );
  if (found !== undefined) return found;
  const near = nearMiss(
    word,
    members.flatMap(({ email, nickname }) => [email, nickname]).filter((text) => text !== ""),
  );
  throw new Problem(`no such member: "${printable(named)}"`, {
    code: "member_not_found",
    hint: near === undefined ? "svc workspace member list" : `did you mean "${printable(near)}"?`,
  });
}
