import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { shownDatabase } from "../../src/lib/database-url.ts";
import { temporaryDirectory } from "../support/temporary.ts";

describe("a database's address as it is printed", () => {
  it.each([
    ["postgres://svc:pw@db:5432/svc", "postgres://svc@db:5432/svc"],
    ["postgres://:pw@db/svc", "postgres://db/svc"],
    ["postgres://svc:p@ss@db/svc", "postgres://svc@db/svc"],
    ["postgres://svc:p%2Fw@db/svc", "postgres://svc@db/svc"],
    ["postgresql://svc@db/svc?password=pw&sslmode=require", "postgresql://svc@db/svc"],
    ["postgres://svc:p/w@db/svc", "postgres:…"],
    ["postgres://svc:1/w@db/svc", "postgres:…"],
    ["postgres://svc:1?w@db/svc", "postgres:…"],
    ["postgres://svc:1#w@db/svc", "postgres:…"],
    ["postgres:svc:pw@db/svc", "postgres:…"],
    ["postgres:///svc?host=/run&password=pw", "postgres:…"],
    ["pw", "…"],
    ["sqlite:/var/lib/svc/svc.sqlite", "sqlite:/var/lib/svc/svc.sqlite"],
  ])("of %s is %s", (url, shown) => {
    expect(shownDatabase(url)).toBe(shown);
  });

  it("stands in the refusal of one that the server does not take", async () => {
    const HOME = await temporaryDirectory();
    const load = () => loadConfig({ HOME, SVC_DATABASE_URL: "mysql://svc:hidden@db/svc" });
    expect(load).toThrow(/got "?mysql:\/\/svc@db\/svc"? /);
  });
});
