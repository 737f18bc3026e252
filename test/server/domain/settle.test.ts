import { expect, it } from "vitest";
import { versionAt } from "../../../server/domain/asset-functions.ts";
import { settle } from "../../../server/domain/settle.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 67);

it("writes a moment as a version whose order is the order of time", () => {
  expect(versionAt(at)).toBe("20260102030405067000000");
  const moments = [at - 86_400_000 * 400, at - 1, at, at + 1, at + 1_000, at + 86_400_000 * 31];
  expect(moments.map(versionAt)).toEqual(moments.map(versionAt).sort());
});

it("leaves nothing unlocked in the head, and makes what was unlocked the default of its schema", () => {
  const before = [
    {
      kind: "schema",
      id: "S",
      body: { name: "s", category: "old", defaultVariantId: "D", unlockedVariantId: "V" },
    },
    { kind: "variant", id: "V", body: { schemaId: "S", category: "new", isLocked: false, version: "1" } },
    { kind: "func", id: "F", body: { name: "f", isLocked: false } },
    { kind: "func", id: "G", body: { name: "g", isLocked: true } },
    { kind: "view", id: "W", body: { isLocked: false } },
  ];
  expect(settle(before, at)).toEqual([
    { name: "s", category: "new", defaultVariantId: "V" },
    { schemaId: "S", category: "new", isLocked: true, version: versionAt(at) },
    { name: "f", isLocked: true },
    { name: "g", isLocked: true },
    { isLocked: false },
  ]);
});

it.each([
  ["a schema without an unlocked variant", { defaultVariantId: "D" }],
  ["a schema whose unlocked variant is not there", { defaultVariantId: "D", unlockedVariantId: "X" }],
])("leaves %s as it is", (_what, body) => {
  expect(settle([{ kind: "schema", id: "S", body }], at)).toEqual([body]);
});
