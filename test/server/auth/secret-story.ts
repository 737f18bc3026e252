import { randomBytes } from "node:crypto";
import { pages } from "../../../server/web/pages/index.ts";
import { rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { fillPath } from "../../../src/http/address.ts";
import { at, type Stage } from "./secret-stage.ts";

/** A password that is no part of any other text. */
const password = (): string => `pw ${randomBytes(12).toString("hex")} é`;

/** A definition of secrets, as somebody writes it. */
const definition = `function main() {
  const token = new PropBuilder().setName("Token").setKind("string")
    .setWidget(new PropWidgetDefinitionBuilder().setKind("password").build()).build();
  return new AssetBuilder().defineSecret(
    new SecretDefinitionBuilder().setName("Credential").addProp(token).build()).build();
}`;

/** A person with an account, whose password and session are kept. */
export async function signUp(stage: Stage, username: string) {
  const { keeper } = stage;
  const secret = keeper.keep(`the password of ${username}`, password());
  const body = { name: username, username, email: `${username}@example.org`, password: secret };
  const made = await stage.send("POST", "/api/auth/sign-up/email", { body, makes: true });
  const session = keeper.keep(`the first session of ${username}`, at(made, "token"));
  const key = await stage.send("POST", "/api/auth/api-key/create", {
    as: session,
    body: { name: "first" },
    makes: true,
  });
  const whoami = await stage.send("GET", "/whoami", { as: session });
  return {
    ...body,
    id: at(made, "user", "id"),
    session,
    key: keeper.keep(`the first key of ${username}`, at(key, "key")),
    keyId: at(key, "id"),
    workspaceId: at(whoami, "workspaceId"),
  };
}
/** Who it is, with every secret of theirs. */
export type Someone = Awaited<ReturnType<typeof signUp>>;

/** Signing in, well and badly: with passwords where they belong, and where they do not. */
export async function mistypePasswords(
  stage: Stage,
  { email, username, password: secret, key, session }: Someone,
) {
  const signIn = (way: string, body: object, makes?: true) =>
    stage.send("POST", `/api/auth/sign-in/${way}`, { body, ...(makes === undefined ? {} : { makes }) });
  const again = await signIn("username", { username, password: secret }, true);
  stage.keeper.keep(`the second session of ${username}`, at(again, "token"));
  for (const wrong of [`${secret} `, secret.toUpperCase(), key, session])
    await signIn("email", { email, password: wrong });
  for (const place of [secret, key, `${secret}@example.org`]) {
    await signIn("email", { email: place, password: "x" });
    await signIn("username", { username: place, password: "x" });
  }
  await signIn("email", { email: { password: secret }, password: [secret] });
  await signIn("username", { username, password: { password: secret } });
  await stage.send("POST", "/api/auth/change-password", {
    as: session,
    body: { currentPassword: key, newPassword: secret.slice(0, 3), [secret]: true },
  });
  for (const name of [secret, key])
    await stage.send("POST", "/api/auth/sign-up/email", {
      body: { name: "n", email: name, username: name, password: secret },
    });
}

/** Keys and tokens of every kind, each made, listed, and ended. */
export async function makeTokens(stage: Stage, ada: Someone, eve: Someone) {
  const { keeper } = stage;
  const { workspaceId, session: as } = ada;
  const second = await stage.send("POST", "/api/auth/api-key/create", { as, body: {}, makes: true });
  const revoked = keeper.keep("a revoked key", at(second, "key"));
  await stage.send("POST", "/api/auth/api-key/update", {
    as,
    body: { keyId: at(second, "id"), enabled: false },
  });
  const slug = "the-team";
  await stage.send("POST", "/api/v1/collectives", { as, body: { slug, name: "The team" } });
  const tokens = `/api/v1/collectives/${slug}/api-tokens`;
  const made = await stage.send("POST", tokens, { as, body: { name: "robot" }, makes: true });
  const token = keeper.keep("a token of the collective", at(made, "key"));
  const other = await stage.send("POST", tokens, { as, body: { name: "old" }, makes: true });
  keeper.keep("a revoked token of the collective", at(other, "key"));
  await stage.send("PATCH", `${tokens}/${at(other, "token", "id")}`, { as });
  const invited = Object(
    await stage.send("POST", `/api/v1/collectives/${slug}/invitations`, {
      as,
      body: { email: eve.email },
      makes: true,
    }),
  );
  if (typeof invited.code === "string") keeper.keep("the code of an invitation", invited.code);
  await stage.send("POST", `/management/workspaces/${workspaceId}/collectives`, { as, body: { slug } });
  const signed = await stage.send("POST", `/management/workspaces/${workspaceId}/authTokens`, {
    as,
    body: { name: "ci" },
    makes: true,
  });
  const jwt = keeper.keep("a workspace token", at(signed, "token"));
  keeper.keep("the signature of a workspace token", jwt.split(".")[2] ?? "");
  const texts = { displayName: "second", description: "", instanceUrl: "https://svc.example.org" };
  const set = await stage.send("POST", "/management/workspaces", {
    as,
    body: { ...texts, createSetupToken: true },
    makes: true,
  });
  keeper.keep("a setup token", at(set, "initialApiToken", "token"));
  for (const shown of [token, jwt, revoked, ada.key]) {
    await stage.send("GET", `/v1/w/${workspaceId}/change-sets`, { as: shown });
    await stage.send("GET", "/api/whoami", { as: shown });
    await stage.send("GET", "/whoami", { headers: { "x-api-key": shown } });
    await stage.send("GET", "/api/whoami", { as: shown.slice(0, -1) });
  }
  return { slug, token, jwt };
}

/** A secret in a change set, written, changed and listed. */
export async function sealSecrets(stage: Stage, { key: as, workspaceId }: Someone): Promise<string> {
  const { keeper } = stage;
  const sets = `/v1/w/${workspaceId}/change-sets`;
  const set = await stage.send("POST", sets, { as, body: { changeSetName: "secrets" } });
  const path = `${sets}/${at(set, "changeSet", "id")}`;
  await stage.send("POST", `${path}/schemas`, { as, body: { name: "Credential", code: definition } });
  const first = keeper.keep("what a secret held", `sealed ${randomBytes(16).toString("hex")}`);
  const then = keeper.keep("what a secret holds", `sealed ${randomBytes(16).toString("hex")}`);
  const body = { definitionName: "Credential", name: "production", rawData: { Token: first } };
  const made = await stage.send("POST", `${path}/secrets`, { as, body });
  const secretId = at(made, "secret", "id");
  await stage.send("PUT", `${path}/secrets/${secretId}`, {
    as,
    body: { id: secretId, name: "production", rawData: { Token: then } },
  });
  for (const rawData of [{ Other: then }, { Token: { Token: then } }, [then], then])
    await stage.send("POST", `${path}/secrets`, { as, body: { ...body, rawData } });
  for (const rest of ["", "/secrets", "/schemas", "/components", "/funcs/runs", "/jobs"])
    await stage.send("GET", path + rest, { as });
  return path;
}

/** Bodies that cannot be read, addresses and headers that nobody asks for: with a secret in each. */
export async function sendNonsense(stage: Stage, ada: Someone, secrets: readonly string[]) {
  for (const { endpoint } of rowsOf(api).filter((row) => row.endpoint.body !== undefined)) {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, "x"]);
    const ids = { ...Object.fromEntries(names), workspaceId: ada.workspaceId, changeSetId: "HEAD" };
    const path = fillPath(endpoint.path, ids);
    for (const [n, secret] of secrets.entries()) {
      const as = ada.session;
      const text = [`{"password":"${secret}"`, `["${secret}"]`, `"${secret}"`, secret][n % 4];
      await stage.send(endpoint.method, path, { as, body: text });
      const headers = { "content-type": "text/plain" };
      await stage.send(endpoint.method, path, { as, body: secret, headers });
    }
  }
}

/** Addresses, queries and headers with a credential in them. */
export async function mistakeAddresses(stage: Stage, ada: Someone, secrets: readonly string[]) {
  for (const secret of secrets) {
    const encoded = encodeURIComponent(secret);
    for (const path of ["/api/auth/get-session", "/healthz", "/whoami", "/api/whoami", "/api/v1/audit"])
      await stage.send("GET", `${path}?token=${encoded}&limit=${encoded}`, { as: ada.key });
    for (const path of [
      `/api/${encoded}`,
      `/${encoded}`,
      `/v1/w/${encoded}/change-sets`,
      `/login/${encoded}`,
    ])
      await stage.send("GET", path, { as: ada.key });
    const value = Buffer.from(secret).toString("latin1");
    for (const name of [
      "x-request-id",
      "svc-distinct-id",
      "x-workspace-id",
      "x-api-key",
      "cookie",
      "if-none-match",
    ])
      await stage.send("GET", "/whoami", { headers: { [name]: value }, as: ada.key });
  }
}

/** Everything that can be looked at. */
export async function lookAround(stage: Stage, ada: Someone, slug: string) {
  const { workspaceId, session, key } = ada;
  const ids = { workspaceId, slug, userId: ada.id };
  for (const as of [session, key]) {
    for (const { endpoint } of rowsOf(api).filter((row) => row.endpoint.method === "GET"))
      await stage.send(
        "GET",
        fillPath(endpoint.path.replace(/:(?!workspaceId|slug|userId)\w+/g, "HEAD"), ids),
        { as },
      );
  }
  for (const path of ["/", "/docs", "/openapi.json", ...pages.map((page) => fillPath(page.path, ids))]) {
    const headers = { accept: "text/html" };
    await stage.send("GET", path, { cookie: session, headers });
    await stage.send("GET", path, { headers });
  }
}
