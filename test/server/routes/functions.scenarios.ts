import { expect } from "vitest";
import { intrinsicId } from "../../../server/read/intrinsics.ts";
import type { Scenario } from "../../support/scenarios.ts";
import { placeIn } from "./binding-inputs.ts";
import {
  closedPlaces,
  code,
  functionPlaces,
  read,
  transformation,
  withFunction,
  withLocked,
} from "./function-inputs.ts";

const reads: readonly Scenario[] = [
  {
    name: "shows a function with its code, by an id in any letter case",
    operation: "functions.get",
    input: async (world) => {
      const place = await withFunction(world);
      return { ...place, funcId: place.funcId.toLowerCase() };
    },
    expect: 200,
    check: ({ body }) =>
      expect(body).toEqual({
        name: "qualificationOne",
        kind: "Qualification",
        code: "export async function main() { return null; }",
        isLocked: false,
        displayName: "First",
        description: null,
        link: null,
      }),
  },
  {
    name: "shows a function that every workspace has",
    operation: "functions.get",
    input: () => ({ funcId: intrinsicId("si:identity") }),
    expect: 200,
    body: () => ({ name: "si:identity", kind: "Intrinsic", code: "", isLocked: true }),
  },
  ...functionPlaces("functions.get", () => ({})),
];

const transformations: readonly Scenario[] = [
  {
    name: "makes an unlocked function of one argument, bound to nothing",
    operation: "functions.createTransformation",
    input: async (world) => ({
      changeSetId: await world.changeSet(),
      body: { name: "shout", code, displayName: "Shout", description: "in capitals" },
    }),
    expect: 200,
    check: async (answer, world, { changeSetId }) =>
      expect(await read(world, String(changeSetId), answer.at("funcId"))).toMatchObject({
        name: "shout",
        kind: "Attribute",
        code,
        isLocked: false,
        displayName: "Shout",
        description: "in capitals",
      }),
  },
  ...(
    [{ name: "" }, { name: "a\u0007" }, { name: "si:unset" }, { code: "x".repeat(1_000_001) }] as const
  ).map(
    (more): Scenario => ({
      name: `refuses ${JSON.stringify(more).slice(0, 30)}`,
      operation: "functions.createTransformation",
      input: async (world) => ({ changeSetId: await world.changeSet(), body: { name: "x", code, ...more } }),
      expect: "invalidRequest",
    }),
  ),
  ...closedPlaces("functions.createTransformation", () => ({ body: { name: "shout", code } })),
];

const updates: readonly Scenario[] = [
  {
    name: "replaces the code, and clears what is not said again",
    operation: "functions.update",
    input: async (world) => ({ ...(await withFunction(world)), body: { code } }),
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, input) => {
      const { changeSetId, funcId } = placeIn(input);
      expect(await read(world, changeSetId, funcId)).toMatchObject({
        name: "qualificationOne",
        code,
        displayName: null,
      });
    },
  },
  {
    name: "describes it anew and keeps its name",
    operation: "functions.update",
    input: async (world) => ({
      ...(await withFunction(world)),
      body: { code, displayName: "Second", description: "again", name: "other" },
    }),
    expect: 200,
    check: async (_answer, world, input) => {
      const { changeSetId, funcId } = placeIn(input);
      const described = { name: "qualificationOne", displayName: "Second", description: "again" };
      expect(await read(world, changeSetId, funcId)).toMatchObject(described);
    },
  },
  {
    name: "asks to unlock a locked function of a variant",
    operation: "functions.update",
    input: async (world) => ({ ...(await withLocked(world)), body: { code } }),
    expect: "functionLocked",
    check: ({ text }) => expect(text).toContain("unlock"),
  },
  {
    name: "refuses a function that every workspace has",
    operation: "functions.update",
    input: async (world) => ({
      changeSetId: await world.changeSet(),
      funcId: intrinsicId("si:identity"),
      body: { code },
    }),
    expect: "functionLocked",
  },
  {
    name: "changes the function of an overlay though it is locked",
    operation: "functions.update",
    input: async (world) => ({
      ...(await withLocked(world, { locked: true, upstream: true })),
      body: { code },
    }),
    expect: 200,
  },
  {
    name: "changes a transformation of the head, and the head when the change set is applied",
    operation: "functions.update",
    input: async (world) => {
      const { changeSetId, funcId } = await transformation(world);
      await world.server.apply(world.ada, changeSetId);
      return { funcId, changeSetId: await world.changeSet(), body: { code } };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, funcId }) => {
      expect(await read(world, "HEAD", String(funcId))).not.toMatchObject({ code });
      await world.server.apply(world.ada, String(changeSetId));
      expect(await read(world, "HEAD", String(funcId))).toMatchObject({ code });
    },
  },
  {
    name: "refuses code of more than a million characters",
    operation: "functions.update",
    input: async (world) => ({ ...(await withFunction(world)), body: { code: "x".repeat(1_000_001) } }),
    expect: "invalidRequest",
  },
  ...functionPlaces("functions.update", () => ({ body: { code } })),
  ...closedPlaces("functions.update", () => ({ body: { code } })),
];

export const functionScenarios: readonly Scenario[] = [...reads, ...transformations, ...updates];
