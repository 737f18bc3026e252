import { describe, expect, it } from "vitest";
import { Placeholders } from "../../../server/domain/management-ops.ts";

const [manager, web, db] = [
  "01J00000000000000000000001",
  "01J00000000000000000000002",
  "01J00000000000000000000003",
];
const placeholders = (): Placeholders =>
  new Placeholders({ id: manager, name: "vpc" }, [
    { id: web, name: "web" },
    { id: db, name: "db" },
    { id: "01J00000000000000000000004", name: "twin" },
    { id: "01J00000000000000000000005", name: "twin" },
  ]);

describe("the placeholders of a management function's ops", () => {
  it.each([
    ["the manager itself", "self", manager],
    ["a managed component by name", "web", web],
    ["a managed component by id, in any letter case", db.toLowerCase(), db],
  ])("mean %s", (_title, key, id) => {
    expect(placeholders().get(key)).toBe(id);
  });

  it("mean what these ops have made before what was managed under that name", () => {
    const known = placeholders();
    known.add("web", "NEW");
    expect(known.get("web")).toBe("NEW");
  });

  it.each([
    ["nobody", "gone", "Component with management placeholder gone could not be found"],
    ["several", "twin", 'several managed components are named "twin": use an id'],
  ])("are refused where they mean %s", (_title, key, message) => {
    expect(() => placeholders().get(key)).toThrow(message);
  });

  it.each(["self", "first"])("are made once: not %s", (key) => {
    const known = placeholders();
    known.add("first", "A");
    expect(() => known.add(key, "B")).toThrow("expected a key of its own");
  });

  it("stand for components in the sources of attributes; everything else is left as it is", () => {
    const known = placeholders();
    known.add("subnet", "SUBNET");
    const attributes = {
      "/domain/a": { $source: { component: "subnet", path: "/domain/x" } },
      "/domain/b": { $source: { component: "elsewhere", path: "/domain/x", func: "f" } },
      "/domain/c": { $source: null },
      "/domain/d": { $source: { value: { component: "subnet" } } },
      "/domain/e": [1, "subnet"],
    };
    expect(known.resolve(attributes)).toEqual({
      ...attributes,
      "/domain/a": { $source: { component: "SUBNET", path: "/domain/x" } },
    });
  });
});
