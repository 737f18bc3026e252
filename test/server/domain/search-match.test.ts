import { describe, expect, it } from "vitest";
import type { DiffStatus } from "../../../server/domain/pages.ts";
import { fits, id, rows, valuesOf } from "./searching.ts";

describe("a word", () => {
  it.each(
    rows([
      ["web", true],
      ["WEB", true],
      ["eb on", true],
      ["eb nobody", false],
      ['"b o"', false],
      ["one", true],
      ["compute", true],
      ["EC2", true],
      ["AWS::EC2::Instance", true],
      ["aws::ec2::inst", true],
      ["nothing", false],
      // Wildcards: pieces in order, open at both ends.
      ["w*one", true],
      ["e*n", true],
      ["one*web", false],
      ["*", true],
      ["**", true],
      ["eb*b", false],
      ["ins*ce", true],
      // Exact and beginnings.
      ['"web one"', true],
      ['"Web"', false],
      ['"compute"', true],
      ['"web', true],
      ['"one', false],
      ['"', true],
      ['""', false],
      ['"w*"', false],
      // Ids only as a whole.
      [id, true],
      [id.toLowerCase(), true],
      [`"${id}"`, true],
      [id.slice(0, 20), false],
      // Attributes are not meant.
      ["eu-1", false],
    ]),
  )("%j: %s", (query, expected) => {
    expect(fits(query, { vals: valuesOf({ "/domain/region": "eu-1" }) })).toBe(expected);
  });

  it("compares letters of ASCII in any case, others as they are", () => {
    expect(fits("STRASSE", { name: "strasse" })).toBe(true);
    expect(fits("\u00e4b", { name: "\u00e4B" })).toBe(true);
    expect(fits("\u00c4b", { name: "\u00e4b" })).toBe(false);
    expect(fits("k", { name: "\u212a" })).toBe(false);
  });
});

describe("a fact", () => {
  it.each(
    rows([
      ["name:web", true],
      ["NAME:web", true],
      ['name:"web one"', true],
      ['name:"web"', false],
      ["name:x|web", true],
      ["schema:AWS::EC2::Instance", true],
      ["schema:ec2", true],
      ['schema:"ec2"', false],
      ["category:comp", true],
      ["category:storage", false],
      [`id:${id}`, true],
      [`id:${id.toLowerCase()}`, true],
      [`id:${id.slice(0, 25)}`, false],
      [`id:x,${id}`, true],
      ["id:", false],
      ["schema:", false],
      ["category:", false],
      // The component has an attribute of that name.
      ["name:", true],
    ]),
  )("%j: %s", (query, expected) => {
    expect(fits(query, {})).toBe(expected);
  });

  it.each(["upgradable", "upgradeable", "isUpgradable", "isUpgradeable"])(
    "%s tells who is behind",
    (word) => {
      const tells = (term: string): [behind: boolean, latest: boolean] => [
        fits(`${word}:${term}`, { upgradable: true }),
        fits(`${word}:${term}`, { upgradable: false }),
      ];
      expect(tells("true")).toEqual([true, false]);
      expect(tells("anything")).toEqual([true, false]);
      expect(tells("false")).toEqual([false, true]);
      expect(tells("False")).toEqual([false, true]);
      expect(tells("true|false")).toEqual([true, true]);
      expect(tells("")).toEqual([false, false]);
    },
  );

  it.each(["diff", "hasDiff", "diffStatus"])("%s tells the difference from the head", (word) => {
    const told = (term: string): DiffStatus[] =>
      (["None", "Added", "Modified"] as const).filter((diff) => fits(`${word}:${term}`, { diff }));
    for (const term of ["true", "True", '""']) expect(told(term)).toEqual(["Added", "Modified"]);
    for (const term of ["added", "Added", '"ADDED"']) expect(told(term)).toEqual(["Added"]);
    for (const term of ["modified", "changed", "Modified"]) expect(told(term)).toEqual(["Modified"]);
    for (const term of ["removed", "deleted", "false", "none", "*", "add", ""])
      expect(told(term)).toEqual([]);
    expect(told("added|modified")).toEqual(["Added", "Modified"]);
  });
});
