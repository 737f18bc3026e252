import { describe, expect, it } from "vitest";
import type { Json } from "../../../server/domain/json.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value } = sandboxFixture();

/** What a management function that returns this is given back. */
const of = (expression: string, input: Json = {}): Promise<Json | undefined> =>
  value(`const main = (input) => ${expression}`, { input });
const refused = async (expression: string): Promise<string> => {
  const { outcome } = await run(`const main = (input) => { ${expression} }`);
  return outcome.ended === "threw" ? outcome.message : JSON.stringify(outcome);
};

/** The corner of a place in cells of the usual size. */
const cell = (column: number, row: number) => ({ x: column * 300, y: row * 180 });

describe("layout", () => {
  it.each<[what: string, expression: string, places: Json]>([
    [
      "rows below each other",
      'layout.rows([["a", "b"], "c"])',
      { a: cell(0, 0), b: cell(1, 0), c: cell(0, 1) },
    ],
    [
      "columns beside each other",
      'layout.columns([["a", "b"], "c"])',
      { a: cell(0, 0), b: cell(0, 1), c: cell(1, 0) },
    ],
    [
      "a grid",
      'layout.grid(["a", "b", "c"], { columns: 2 })',
      { a: cell(0, 0), b: cell(1, 0), c: cell(0, 1) },
    ],
    [
      "a grid of its own width",
      'Object.values(layout.grid(["a", "b", "c", "d", "e"])).map(({ x, y }) => [x, y])',
      [
        [0, 0],
        [300, 0],
        [600, 0],
        [0, 180],
        [300, 180],
      ],
    ],
    ["nothing", "[layout.rows([]), layout.grid([]), layout.tree({})]", [{}, {}, {}]],
    [
      "a corner, a size and a gap",
      'layout.rows([["a", "b"]], { x: 10, y: 20, width: 100, height: 50, gap: 5 })',
      { a: { x: 10, y: 20 }, b: { x: 115, y: 20 } },
    ],
    ["a view", 'layout.rows(["a"], { view: "Network" })', { a: { Network: { x: 0, y: 0 } } }],
    [
      "a tree: what reads stands below what it reads from, in the middle",
      `layout.tree({
        net: {},
        left: { attributes: { "/domain/net": { $source: { component: "net", path: "/si/name" } } } },
        right: { attributes: { "/domain/net": { $source: { component: "net", path: "/si/name" } } } },
        vm: { attributes: { "/domain/a": { $source: { component: "right", path: "/x" } }, "/domain/b": { $source: { component: "net", path: "/x" } } } },
      })`,
      { net: { x: 150, y: 0 }, left: cell(0, 1), right: cell(1, 1), vm: { x: 150, y: 360 } },
    ],
    [
      "a tree to the right",
      'layout.tree({ a: {}, b: { attributes: { "/x": { $source: { component: "a", path: "/x" } } } } }, { direction: "right" })',
      { a: cell(0, 0), b: cell(1, 0) },
    ],
    [
      "a tree in the order of what is read",
      `layout.tree({
        a: {}, b: {},
        ofB: { attributes: { "/x": { $source: { component: "b", path: "/x" } } } },
        ofA: { attributes: { "/x": { $source: { component: "a", path: "/x" } } } },
      })`,
      { a: cell(0, 0), b: cell(1, 0), ofA: cell(0, 1), ofB: cell(1, 1) },
    ],
    [
      "a tree of what a function is given, by id or by name",
      `layout.tree({
        "01A": { properties: { si: { name: "net" } } },
        "01B": { properties: { si: { name: "vm" } }, sources: { "/domain/net": { component: "01A", path: "/x" } } },
        "01C": { properties: { si: { name: "other" } }, sources: { "/domain/net": { component: "vm", path: "/x" } } },
      })`,
      { "01A": cell(0, 0), "01B": cell(0, 1), "01C": cell(0, 2) },
    ],
    [
      "a circle",
      `Object.keys(layout.tree({
        a: { attributes: { "/x": { $source: { component: "b", path: "/x" } } } },
        b: { attributes: { "/x": { $source: { component: "a", path: "/x" } } } },
        c: { attributes: { "/x": { $source: { component: "c", path: "/x" } }, "/y": { $source: null } } },
      })).sort()`,
      ["a", "b", "c"],
    ],
    [
      "places among what is wanted",
      'layout.place({ a: { kind: "K" }, b: {} }, layout.rows(["a"]))',
      { a: { kind: "K", geometry: { x: 0, y: 0 } }, b: {} },
    ],
    [
      "views beside others",
      'layout.place({ a: { geometry: { One: { x: 1 } } } }, layout.rows(["a"], { view: "Two" }))',
      { a: { geometry: { One: { x: 1 }, Two: { x: 0, y: 0 } } } },
    ],
  ])("gives %s", async (_, expression, places) => {
    expect(await of(expression)).toEqual(places);
  });

  it("takes a chain that is as long as a function may make it", async () => {
    const deepest = await of(
      'Math.max(...Object.values(layout.tree(Object.fromEntries(Array.from({ length: 200 }, (_, at) => ["c" + at, { attributes: { "/x": { $source: { component: "c" + (at - 1), path: "/x" } } } }])))).map(({ y }) => y))',
    );
    expect(deepest).toBe(199 * 180);
  });

  it.each([
    ["layout.rows('a')", "layout.rows takes a list of keys, found string"],
    ["layout.rows([5])", "layout.rows takes keys, found number"],
    ["layout.columns([['a', 'a']])", 'layout.columns was given "a" twice'],
    ["layout.grid(['a'], { columns: 0 })", "layout.grid takes a whole number of columns from 1, found 0"],
    ["layout.grid(['a'], { gap: 'wide' })", "layout.grid takes a number as gap, found wide"],
    ["layout.tree([])", "layout.tree takes components, or what is wanted of them, by key"],
    ["layout.tree({}, { direction: 'up' })", 'layout.tree takes "down" or "right" as direction, found "up"'],
    ["layout.place({}, { a: {} })", 'layout.place has a place for "a", which is not wanted'],
    ["layout.circle", "layout.circle is not available to functions: rows, columns, grid, tree, place are"],
  ])("says why not: %s", async (expression, message) => {
    expect(await refused(expression)).toBe(message);
  });
});

const component = (name: string, more: Record<string, Json> = {}): Json => ({
  kind: "Subnet",
  properties: { si: { name }, domain: { Zone: "a", Tags: { team: "x" }, Ports: [80], Public: false } },
  sources: { "/domain/NetworkId": { component: "01NET", path: "/resource_value/NetworkId" } },
  geometry: { DEFAULT: { x: 0, y: 0, width: 240 } },
  ...more,
});

describe("template", () => {
  it.each<[what: string, expression: string, is: Json]>([
    [
      "the variables of its component, as one's own",
      "(() => { const c = { properties: { domain: { a: { b: 1 } } } }; const v = template.variables(c); v.a.b = 2; return [v, c.properties.domain.a.b]; })()",
      [{ a: { b: 2 } }, 1],
    ],
    ["no variables", "[template.variables({}), template.variables({ properties: { si: {} } })]", [{}, {}]],
    [
      "views by the variables in their names",
      `template.updateVarsInViews({ env: "test", n: { at: 2 } }, {
        a: { kind: "K", geometry: { "{{env}} {{ n.at }}": { x: 1 }, Plain: { y: 2 } } },
        b: { geometry: { x: 5 } },
        c: {},
      })`,
      {
        a: { kind: "K", geometry: { "test 2": { x: 1 }, Plain: { y: 2 } } },
        b: { geometry: { x: 5 } },
        c: {},
      },
    ],
    [
      "no complaint about a prefix that nobody has",
      "template.checkUniqueNamePrefix('b', { x: { properties: { si: { name: 'ab' } } } }) ?? null",
      null,
    ],
    [
      "no complaint about names of one's own",
      "template.checkUniqueNamePrefix('a', { x: { properties: { si: { name: 'ab' } } } }, ['ab']) ?? null",
      null,
    ],
  ])("gives %s", async (_, expression, is) => {
    expect(await of(expression)).toEqual(is);
  });

  it.each([
    [
      "template.updateVarsInViews({}, { a: { geometry: { '{{env}}': {} } } })",
      'the view "{{env}}" is named by the variable "env", which is no text, number or boolean',
    ],
    [
      "template.updateVarsInViews({}, [])",
      "template.updateVarsInViews takes variables, and what is wanted of components by name",
    ],
    [
      "template.converge({ components: { a: { properties: { si: { name: 'n' } } }, b: { properties: { si: { name: 'n' } } } } }, { n: {} })",
      'several managed components are named "n": template.converge finds them by name',
    ],
    [
      "template.converge({}, {})",
      "template.converge takes what main is called with, and the components that are wanted by name",
    ],
    [
      "template.render",
      "template.render is not available to functions: variables, updateVarsInViews, converge, checkUniqueNamePrefix, getComponentName, sourceOrValue are",
    ],
  ])("says why not: %s", async (expression, message) => {
    expect(await refused(expression)).toBe(message);
  });
});

describe("template.converge", () => {
  const input = {
    thisComponent: { kind: "Environment", properties: { si: { name: "env" } } },
    components: { "01A": component("one") },
    currentView: "DEFAULT",
  };
  const source = (more: Record<string, Json> = {}): Json => ({
    $source: { component: "01NET", path: "/resource_value/NetworkId", ...more },
  });
  it.each<[what: string, specs: Json, ops: Json]>([
    ["nothing, where all is as wanted", { one: { kind: "subnet" } }, {}],
    [
      "nothing, where attributes and places are what is wanted",
      {
        one: {
          kind: "Subnet",
          attributes: {
            "/domain/Zone": "a",
            "/domain/Tags": { team: "x" },
            "/domain/Ports": [80],
            "/domain/NetworkId": source(),
            "/domain/Gone": { $source: null },
            "/domain/Public": { $source: { value: false } },
            "/domain/Ports/-": 81,
          },
          properties: { domain: { Zone: "a" } },
          geometry: { x: 0, y: 0 },
        },
      },
      {},
    ],
    [
      "what is missing is created",
      { one: { kind: "Subnet" }, two: { kind: "Subnet", attributes: { "/domain/Zone": "b" } } },
      { create: { two: { kind: "Subnet", attributes: { "/domain/Zone": "b" } } } },
    ],
    [
      "what differs is updated, and no more than that",
      {
        one: {
          kind: "Subnet",
          attributes: { "/domain/Zone": "b", "/domain/Public": false },
          geometry: { x: 0 },
        },
      },
      { update: { "01A": { attributes: { "/domain/Zone": "b" } } } },
    ],
    [
      "another source, and a value instead of one",
      {
        one: {
          kind: "Subnet",
          attributes: { "/domain/NetworkId": source({ path: "/other" }), "/domain/Zone": source() },
        },
      },
      {
        update: {
          "01A": {
            attributes: { "/domain/NetworkId": source({ path: "/other" }), "/domain/Zone": source() },
          },
        },
      },
    ],
    [
      "a subscription that is to end",
      {
        one: {
          kind: "Subnet",
          attributes: { "/domain/NetworkId": "fixed", "/domain/Zone": { $source: null } },
        },
      },
      {
        update: {
          "01A": { attributes: { "/domain/NetworkId": "fixed", "/domain/Zone": { $source: null } } },
        },
      },
    ],
    [
      "lists are whole",
      { one: { kind: "Subnet", attributes: { "/domain/Ports": [80, 443] } } },
      { update: { "01A": { attributes: { "/domain/Ports": [80, 443] } } } },
    ],
    [
      "properties",
      { one: { kind: "Subnet", properties: { domain: { Zone: "c" } } } },
      { update: { "01A": { properties: { domain: { Zone: "c" } } } } },
    ],
    [
      "places, view by view",
      { one: { kind: "Subnet", geometry: { DEFAULT: { x: 0 }, Other: { x: 1, y: 1 } } } },
      { update: { "01A": { geometry: { Other: { x: 1, y: 1 } } } } },
    ],
    [
      "what is of another kind is replaced",
      { one: { kind: "Network" } },
      { create: { one: { kind: "Network" } }, delete: ["01A"] },
    ],
    ["a kind that is not said is the manager's", { one: {} }, { create: { one: {} }, delete: ["01A"] }],
    ["what is no more wanted is deleted", {}, { delete: ["01A"] }],
  ])("%s", async (_, specs, ops) => {
    expect(await of(`template.converge(input, ${JSON.stringify(specs)})`, input)).toEqual(ops);
  });

  it("knows a subscription by the name of what it leads to", async () => {
    const both = {
      ...input,
      components: {
        "01A": component("one"),
        "01B": component("two", { sources: { "/domain/NetworkId": { component: "01A", path: "/x" } } }),
      },
    };
    const wanted = {
      one: { kind: "Subnet" },
      two: {
        kind: "Subnet",
        attributes: { "/domain/NetworkId": { $source: { component: "one", path: "/x" } } },
      },
    };
    expect(await of(`template.converge(input, ${JSON.stringify(wanted)})`, both)).toEqual({});
  });

  it("keeps what is not wanted where it is told so", async () => {
    expect(await of("template.converge(input, {}, { keep: true })", input)).toEqual({});
  });
});
