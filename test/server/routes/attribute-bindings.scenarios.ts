import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import {
  type BindingPlace,
  bindingsIn,
  bodyFor,
  bound,
  namesIn,
  placeIn,
  propOf,
  withSchema,
} from "./binding-inputs.ts";

const operation = "bindings.createAttribute";

/** An attribute function from some properties to one, in a schema of its own. */
const from = (place: BindingPlace, paths: readonly string[], to: string, more: object = {}) => ({
  propId: propOf(place, to),
  argumentBindings: paths.map((path, at) => ({ name: `a${at}`, kind: "Any", propId: propOf(place, path) })),
  ...more,
});
const creating = (body: (place: BindingPlace) => object) => async (world: World) => {
  const place = await withSchema(world);
  return { ...place, body: bodyFor(place, "attribute", body(place)) };
};
const argument = (one: object) =>
  creating((place) => ({
    argumentBindings: [{ name: "one", kind: "String", propId: propOf(place, "domain/region"), ...one }],
  }));

const refusals: readonly (readonly [what: string, body: (place: BindingPlace) => object, said: string])[] = [
  ["an unknown property", () => ({ propId: "01J00000000000000000000000" }), "propId: no property"],
  ["a path for a property", () => ({ propId: "/domain/zone" }), "propId: no property"],
  [
    "an element of an array",
    (place) => ({ propId: propOf(place, "domain/ports/port") }),
    "the whole of /domain/ports",
  ],
  [
    "an entry of a map",
    (place) => ({ propId: propOf(place, "domain/labels/label") }),
    "the whole of /domain/labels",
  ],
  ["the whole component", (place) => ({ propId: propOf(place, "") }), "the whole component"],
  ["the name", (place) => ({ propId: propOf(place, "si/name") }), "the name"],
  ["what every component has", (place) => ({ propId: propOf(place, "si") }), "every component"],
  ["a secret", (place) => ({ propId: propOf(place, "secrets/Login") }), "secrets"],
  ["the resource", (place) => ({ propId: propOf(place, "resource/payload") }), "the resource"],
  ["generated code", (place) => ({ propId: propOf(place, "code") }), "codegen"],
  ["what qualifications find", (place) => ({ propId: propOf(place, "qualification") }), "qualifications"],
];

const argumentRefusals: readonly (readonly [what: string, one: object, said: string])[] = [
  ["neither property nor value", { propId: null }, "found neither"],
  ["null for both", { propId: null, staticValue: null }, "found neither"],
  ["an unknown property", { propId: "01J00000000000000000000000" }, "no property"],
  ["an unknown kind", { kind: "Text" }, "kind: expected one of Any, Array"],
  ["no kind", { kind: "" }, "kind: expected one of Any, Array"],
  ["an array without elementKind", { kind: "Array" }, "elementKind"],
  ["an unknown elementKind", { kind: "Array", elementKind: "constructor" }, "elementKind: expected one of"],
  ["an empty name", { name: "" }, "name"],
  ["a name of spaces", { name: " " }, "a name"],
  ["a reserved name", { name: "__proto__" }, "a name"],
];

export const attributeBindingScenarios: readonly Scenario[] = [
  {
    name: "answers with the function and its binding, which keep the places they are about",
    operation,
    input: creating((place) => ({
      argumentBindings: [
        { name: "region", kind: "String", propId: propOf(place, "domain/region").toLowerCase() },
        { name: "ports", kind: "array", elementKind: "INTEGER", propId: propOf(place, "domain/ports") },
        { name: "suffix", kind: "Any", staticValue: { of: ["a", 1, false] } },
        { name: "both", kind: "Any", propId: propOf(place, "si/name"), staticValue: 1 },
      ],
    })),
    expect: 200,
    check: async ({ body }, world, input) => {
      const [binding] = await bindingsIn(world, placeIn(input));
      expect(body).toEqual({ attributePrototypeId: binding?.id, funcId: binding?.funcId });
      expect(binding).toMatchObject({
        output: "/domain/zone",
        arguments: [
          { name: "region", kind: "String", path: "/domain/region" },
          { name: "ports", kind: "Array", elementKind: "Integer", path: "/domain/ports" },
          { name: "suffix", kind: "Any", value: { of: ["a", 1, false] } },
          { name: "both", kind: "Any", path: "/si/name" },
        ],
      });
      expect(binding?.func.arguments.map(({ name }) => name)).toEqual(["region", "ports", "suffix", "both"]);
    },
  },
  ...(
    [
      ["no arguments", () => ({ argumentBindings: [] })],
      ["a whole array", (place: BindingPlace) => ({ propId: propOf(place, "domain/ports") })],
      ["a whole object", (place: BindingPlace) => ({ propId: propOf(place, "domain/network") })],
      ["a color", (place: BindingPlace) => ({ propId: propOf(place, "si/color") })],
      ["null for the component", () => ({ componentId: null })],
    ] as const
  ).map(
    ([what, body]): Scenario => ({ name: `takes ${what}`, operation, input: creating(body), expect: 200 }),
  ),
  {
    name: "takes the place of the function that computed the property",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      await bound(world, place, "attribute", { name: "first" });
      return { ...place, body: bodyFor(place, "attribute", { name: "second" }) };
    },
    expect: 200,
    check: async (_answer, world, input) => expect(await namesIn(world, placeIn(input))).toEqual(["second"]),
  },
  ...refusals.map(
    ([what, body, said]): Scenario => ({
      name: `does not compute ${what}`,
      operation,
      input: creating(body),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain(said),
    }),
  ),
  ...argumentRefusals.map(
    ([what, one, said]): Scenario => ({
      name: `refuses an argument with ${what}`,
      operation,
      input: argument(one),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain(said),
    }),
  ),
  {
    name: "refuses two arguments of one name",
    operation,
    input: creating(() => ({
      argumentBindings: [1, 2].map((staticValue) => ({ name: "one", kind: "Integer", staticValue })),
    })),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("found it twice"),
  },
  ...(["domain/ports/port", "domain/labels/label", ""] as const).map(
    (path): Scenario => ({
      name: `refuses an argument from ${path === "" ? "the whole component" : path}`,
      operation,
      input: creating((place) => from(place, [path], "domain/zone")),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain("argumentBindings"),
    }),
  ),
  ...(
    [
      ["the whole of it", "domain/network", "domain/network/zone"],
      ["a part of it", "domain/network/zone", "domain/network"],
    ] as const
  ).map(
    ([what, first, second]): Scenario => ({
      name: `refuses a property of which a function computes ${what}`,
      operation,
      input: async (world) => {
        const place = await withSchema(world);
        await bound(world, place, "attribute", from(place, [], first, { name: "first" }));
        return { ...place, body: bodyFor(place, "attribute", from(place, [], second)) };
      },
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain('\\"first\\"'),
    }),
  ),
];

/** Functions that would wait for each other; the last one is asked for. */
const circles: readonly (readonly [what: string, body: (place: BindingPlace) => object, first?: string])[] = [
  ["itself", (place) => from(place, ["domain/zone"], "domain/zone")],
  ["what it is a part of", (place) => from(place, ["domain"], "domain/zone")],
  ["the code that is generated of it", (place) => from(place, ["code"], "domain/zone"), "codegen"],
  ["what is found of it", (place) => from(place, ["qualification"], "domain/zone"), "qualification"],
];

export const circleScenarios: readonly Scenario[] = [
  ...circles.map(
    ([what, body, first]): Scenario => ({
      name: `refuses a function of ${what}`,
      operation,
      input: async (world) => {
        const place = await withSchema(world);
        if (first === "codegen" || first === "qualification") await bound(world, place, first);
        return { ...place, body: bodyFor(place, "attribute", body(place)) };
      },
      expect: "subscriptionCycle",
    }),
  ),
  {
    name: "refuses a circle through several functions, and names them in order",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      const [region, zone, size] = ["domain/region", "domain/zone", "domain/size"] as const;
      await bound(world, place, "attribute", from(place, [region], zone, { name: "first" }));
      await bound(world, place, "attribute", from(place, [zone], size, { name: "second" }));
      return { ...place, body: bodyFor(place, "attribute", from(place, [size], region, { name: "third" })) };
    },
    expect: "subscriptionCycle",
    check: ({ text }) => expect(text).toContain("third → first → second → third"),
  },
  {
    name: "sees that the function that makes way is not on the circle any more",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      const [region, zone] = ["domain/region", "domain/zone"] as const;
      await bound(world, place, "attribute", from(place, [region], zone, { name: "first" }));
      await bound(world, place, "attribute", from(place, ["domain/size"], zone, { name: "second" }));
      return { ...place, body: bodyFor(place, "attribute", from(place, [zone], region, { name: "third" })) };
    },
    expect: 200,
  },
  ...(["codegen", "qualification"] as const).map(
    (kind): Scenario => ({
      name: "refuses one that would wait for what is computed of it",
      operation: kind === "codegen" ? "bindings.createCodegen" : "bindings.createQualification",
      input: async (world) => {
        const place = await withSchema(world);
        const source = kind === "codegen" ? "code" : "qualification";
        await bound(world, place, "attribute", from(place, [source], "domain/zone"));
        return { ...place, body: bodyFor(place, kind) };
      },
      expect: "subscriptionCycle",
    }),
  ),
];
