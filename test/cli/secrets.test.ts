import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openSecrets } from "../../server/read/secrets.ts";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { loggedIn, type Person, type ServerWithAda, serverWithAda } from "../support/cli.ts";

let host: ServerWithAda;
let ada: Person;
let changeSetId: string;
const marker = "hunter2-in-the-clear";
const json = async (words: readonly string[]) => JSON.parse((await ada.svc([...words, "--json"])).out);

describe("svc secret", () => {
  beforeEach(async () => {
    host = await serverWithAda(sampleSchemas);
    ada = await loggedIn(host);
    changeSetId = (await ada.svc("change-set create edit")).out.trim();
  });
  const create = (name: string, ...more: string[]) =>
    ada.svc(["secret", "create", name, "--definition", "Cloud Credential", ...more]);
  /** What functions would be given. */
  const held = async (secretId: string) => {
    const { store, keys } = host.server;
    const { workspaceId } = host;
    const row = await store.db
      .selectFrom("change_set")
      .select("head_id")
      .where("id", "=", changeSetId)
      .executeTakeFirstOrThrow();
    const layer = { id: changeSetId, headId: row.head_id, workspaceId };
    return (await openSecrets(store, keys, layer, [secretId])).get(secretId)?.values;
  };

  it("asks a person for each field, and echoes none that is hidden", async () => {
    const run = await create("production");
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.err).toContain("--from-stdin");
    const typed = await ada.svc("secret create production", {
      terminal: true,
      input: `AKID\n${marker}\n`,
    });
    expect(typed.code).toBe(0);
    expect(typed.err).toContain("AccessKeyId: ");
    expect(typed.err).toContain("SecretAccessKey: \n");
    expect(typed.out + typed.err).not.toContain(marker);
    expect(await held(typed.out.trim())).toEqual({ AccessKeyId: "AKID", SecretAccessKey: marker });
  });

  it("leaves out what a person leaves empty, and stores nothing when the input ends", async () => {
    const typed = await ada.svc("secret create production", { terminal: true, input: `\n${marker}\n` });
    expect(await held(typed.out.trim())).toEqual({ SecretAccessKey: marker });
    const ended = await ada.svc("secret create other", { terminal: true, input: "AKID\n" });
    expect(ended.code).toBe(130);
    expect((await ada.svc("secret list --change-set edit")).out).not.toContain("other");
  });

  it("reads fields from files and from standard input, and from the line where that is said", async () => {
    const file = join(ada.home, "key.txt");
    await writeFile(file, `${marker}\n`);
    const first = await create(
      "one",
      "--field",
      `SecretAccessKey=@${file}`,
      "--plain-field",
      "AccessKeyId=AKID=1",
    );
    expect(await held(first.out.trim())).toEqual({ AccessKeyId: "AKID=1", SecretAccessKey: marker });
    const second = await ada.svc("secret create two --from-stdin", {
      input: JSON.stringify({ SecretAccessKey: "from\na pipe" }),
    });
    expect(second).toMatchObject({ code: 0, err: "change set: edit\nstored secret two\n" });
    expect(await held(second.out.trim())).toEqual({ SecretAccessKey: "from\na pipe" });
  });

  it.each([
    ["a value where a file is expected", ["--field", `SecretAccessKey=${marker}`], ""],
    ["no name", ["--field", `=${marker}`], ""],
    ["a plain field without a name", ["--plain-field", marker], ""],
    ["a field twice", ["--plain-field", `A=${marker}`, "--plain-field", `A=${marker}`], ""],
    ["input that is no JSON", ["--from-stdin"], `{"A": "${marker}"`],
    ["input that is no object", ["--from-stdin"], `["${marker}"]`],
    ["a value that is no text", ["--from-stdin"], `{"A": ["${marker}"]}`],
  ])("refuses %s, and repeats nothing of it", async (_what, words, input) => {
    const run = await ada.svc(["secret", "create", "x", ...words], { input });
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.err).not.toContain(marker);
    expect((await ada.svc("secret list --change-set edit")).out).toBe("");
  });

  it("passes on what the server refuses, without the value", async () => {
    const run = await create("x", "--plain-field", `Nothing=${marker}`);
    expect(run.code).toBe(1);
    expect(run.err).toContain('"SecretAccessKey"');
    expect(run.err).not.toContain(marker);
    const unknown = await ada.svc(["secret", "create", "x", "--definition", "Cloud Credentia"]);
    expect(unknown.err).toContain('did you mean "Cloud Credential"?');
  });

  it("lists what there is, and says of which kinds there is nothing", async () => {
    const empty = await ada.svc("secret list --change-set edit");
    expect(empty).toMatchObject({ code: 0, out: "", err: "none yet of: Cloud Credential\n" });
    const id = (await create("one", "--description", "first", "--plain-field", "AccessKeyId=A")).out.trim();
    const { out } = await ada.svc("secret list --change-set edit");
    expect(out).toBe(`${id}\tone\tCloud Credential\tfirst\n`);
    const document = await json(["secret", "list", "--change-set", "edit"]);
    expect(document["Cloud Credential"]).toMatchObject({
      definition: { formData: [{ name: "AccessKeyId" }, { name: "SecretAccessKey", kind: "password" }] },
      secrets: [{ id, name: "one" }],
    });
  });

  it("renames and describes without touching what it holds, and replaces that when it is told", async () => {
    const made = await create("one", "--description", "first", "--plain-field", `AccessKeyId=${marker}`);
    const id = made.out.trim();
    expect(await ada.svc("secret update one --name two")).toMatchObject({ code: 0, out: "" });
    const listed = async () =>
      (await json(["secret", "list", "--change-set", "edit"]))["Cloud Credential"].secrets[0];
    expect(await listed()).toMatchObject({ id, name: "two", description: "first" });
    await ada.svc(["secret", "update", "two", "--description", ""]);
    expect(await listed()).toMatchObject({ name: "two", description: null });
    expect(await held(id)).toEqual({ AccessKeyId: marker });
    await ada.svc("secret update two --fill", { terminal: true, input: "B\nC\n" });
    expect(await held(id)).toEqual({ AccessKeyId: "B", SecretAccessKey: "C" });
    await ada.svc(`secret update ${id.toLowerCase()} --from-stdin`, { input: '{"AccessKeyId":"D"}' });
    expect(await held(id)).toEqual({ AccessKeyId: "D" });
    expect((await ada.svc("secret update two")).code).toBe(2);
  });

  it("is held by components, and then not deleted", async () => {
    const id = (await create("one", "--plain-field", "AccessKeyId=A")).out.trim();
    await ada.svc(["component", "create", "account", "--schema", "Cloud Credential"]);
    await ada.svc(["component", "set", "account", "--secret", "Cloud Credential=one"]);
    const { component } = await json(["component", "get", "account", "--change-set", "edit"]);
    expect(component.secretId).toBe(id);
    const kept = await ada.svc("secret delete one --yes");
    expect(kept.code).toBe(1);
    expect(kept.err).toContain('the component "account"');
    await ada.svc("component erase account --yes");
    expect(await ada.svc("secret delete one --yes")).toMatchObject({ code: 0 });
    expect((await ada.svc("secret delete one --yes")).code).toBe(1);
  });

  it("does not choose between two of one name", async () => {
    const ids = [];
    for (const value of ["A", "B"])
      ids.push((await create("twin", "--plain-field", `AccessKeyId=${value}`)).out.trim());
    const run = await ada.svc("secret delete twin --yes");
    expect(run.code).toBe(2);
    for (const id of ids) expect(run.err).toContain(id);
    expect((await ada.svc(`secret delete ${ids[0]} --yes`)).code).toBe(0);
  });
});
