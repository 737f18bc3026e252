import type { WhoamiAnswer } from "../../src/contract/key-whoami.ts";
import { type Context, userOf } from "../context.ts";
import { collectivesOf } from "./collectives.ts";

/** Whom the caller's credential stands for: a user with their collectives, or one collective and nobody. */
export async function whoamiOf(context: Context): Promise<WhoamiAnswer> {
  const { principal, collectiveTokenContext } = context;
  if (principal?.kind === "collective" && collectiveTokenContext !== undefined) {
    const { slug, name, personal } = principal.collective;
    return {
      authenticated: true,
      collectiveToken: true,
      ...collectiveTokenContext,
      scopes: ["*"],
      organizations: [{ slug, name, role: "token", personal }],
    };
  }
  const { id, username, email, name } = userOf(context);
  const organizations = (await collectivesOf(context)).map(({ collective, role }) => ({
    slug: collective.slug,
    name: collective.name,
    role,
    personal: collective.personal,
  }));
  return { authenticated: true, id, username, email, name, organizations };
}
