import { choice, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { source } from "./source.ts";

const definition = "Generic Credential";

/** A user name and a password, or a token, for whatever needs one. */
export const genericCredential: ShippedSchema = {
  name: definition,
  category: "Security",
  color: "#7A4FBF",
  description: "A user name with a password, or a token, that functions find in their environment",
  domain: [
    choice("Purpose", ["automation", "deployment", "monitoring"]),
    text("Account", { description: "Whose credential it is, for people" }),
  ],
  secrets: [{ name: definition, kind: "string", secret: definition }],
  secretDefinition: {
    name: definition,
    fields: [
      text("Username"),
      text("Password", { widget: { kind: "password" } }),
      text("Token", { widget: { kind: "password" } }),
    ],
  },
  functions: [
    {
      kind: "authentication",
      name: "provideCredential",
      displayName: "Provide the credential",
      description: "Puts GENERIC_USERNAME, GENERIC_PASSWORD and GENERIC_TOKEN into the environment",
      code: source`// Runs before every function of a component that holds the secret.
async function main(secret: Input): Promise<Output> {
  const names = { GENERIC_USERNAME: "Username", GENERIC_PASSWORD: "Password", GENERIC_TOKEN: "Token" };
  for (const [variable, field] of Object.entries(names)) {
    if (secret[field]) requestStorage.setEnv(variable, secret[field]);
  }
}
`,
    },
    {
      kind: "qualification",
      name: "credentialIsComplete",
      displayName: "Credential is complete",
      description: "Whether there is a token, or a user name with a password",
      code: source`async function main({ secrets }: Input): Promise<Output> {
  if (!secrets?.["Generic Credential"]) return { result: "warning", message: "no secret is chosen" };
  const has = (name: string) => Boolean(requestStorage.getEnv(name));
  if (has("GENERIC_TOKEN")) return { result: "success", message: "signs in with a token" };
  if (has("GENERIC_USERNAME") && has("GENERIC_PASSWORD"))
    return { result: "success", message: "signs in with a user name and a password" };
  return { result: "failure", message: "the secret has no token, and not both of a user name and a password" };
}
`,
    },
  ],
};
