import type { ServerOverrides } from "../../config/server-settings.ts";
import type { Output } from "../../contract/endpoint.ts";
import type { OperatorApi } from "../../operator/contract.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import type { Context } from "../context.ts";
import { printable } from "../table.ts";

type OperatedUser = Output<OperatorApi["users"]["suspend"]>;

const positionals = { user: { doc: "Id, e-mail or username of the account" } } as const;
const options = placeFlags;

/** `svc server user …`. */
export const serverUserCommands: readonly AnyCommand[] = [
  command({
    path: "server user list",
    aliases: ["ls"],
    summary: "List all accounts, the suspended ones too",
    options,
    examples: [{ line: "server user list --json", does: "for programs" }],
    run: async ({ data, database }, { operator, output }) => {
      const { users } = await operator({ data, database }, (client) => client.users.list({}));
      output.table(
        users,
        [
          { title: "ID", text: ({ id }) => id },
          { title: "USERNAME", text: ({ username }) => username },
          { title: "E-MAIL", text: ({ email }) => email },
          { title: "STATE", text: stateOf },
        ],
        users,
        "no accounts",
      );
    },
  }),
  command({
    path: "server user suspend",
    summary: "Lock an account out at once",
    details:
      "Its sessions, keys and tokens are refused with 401 until it is reinstated; nothing of it is lost.",
    positionals,
    options,
    examples: [{ line: "server user suspend eve@example.org", does: "locks her out" }],
    run: ({ user, data, database }, context) => setSuspended(user, true, { data, database }, context),
  }),
  command({
    path: "server user reinstate",
    summary: "Let a suspended account in again",
    positionals,
    options,
    examples: [{ line: "server user reinstate eve", does: "lets her in again" }],
    run: ({ user, data, database }, context) => setSuspended(user, false, { data, database }, context),
  }),
];

async function setSuspended(
  name: string,
  suspended: boolean,
  place: ServerOverrides,
  { operator, output }: Context,
): Promise<void> {
  const user = await operator(place, (client) => client.users.suspend({ user: name, body: { suspended } }));
  output.result(user, [`${printable(user.username)} (${printable(user.email)}): ${stateOf(user)}`]);
}

const stateOf = ({ suspendedAt }: OperatedUser): string =>
  suspendedAt === null ? "active" : `suspended ${suspendedAt}`;
