import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../server/domain/json.ts";
import { listProps } from "../../../server/domain/prop-list.ts";
import { isContainer, type Prop } from "../../../server/domain/props.ts";
import type { Vals } from "../../../server/domain/values.ts";
import { literalChange } from "./arbitraries.ts";
import { props, unset, web } from "./sample.ts";
import { fits, rows, valuesOf } from "./searching.ts";

describe("an attribute", () => {
  const vals = valuesOf({
    "/si/name": "Web One",
    "/domain/size": 3,
    "/domain/ratio": 1.5,
    "/domain/public": true,
    "/domain/policy": { Allow: ["x"] },
    "/domain/labels": { env: "Prod", "a/b": "slash", "#x": "hash" },
    "/domain/ports": [80, 443],
    "/domain/tags": [{ Key: "k1", Value: "v1", Parts: [7] }, { Key: "k2" }],
    "/domain/network/cidr": "10.0.0.0/8",
    "/domain/network/a~1b ~0c": "odd",
    "/domain/grid": [["a", "b"], ["c"]],
    "/domain/image": "",
    "/domain/password": "null",
  });
  it.each(
    rows([
      // Paths: the end of the pointer at a slash, or the whole of it, in any letter case.
      ["cidr:10", true],
      ["CIDR:10", true],
      ["network/cidr:10", true],
      ["work/cidr:10", false],
      ["/domain/network/cidr:10", true],
      ["/Domain/Network/Cidr:10", true],
      ["/network/cidr:10", false],
      ["/cidr:10", false],
      ["domain/size:3", true],
      ["a~1b:odd", false],
      ["ize:3", false],
      // Elements by position, entries by key.
      ["ports/0:80", true],
      ["/domain/ports/1:443", true],
      ["ports/2:443", false],
      ["1:443", true],
      ["env:prod", true],
      ["labels/env:prod", true],
      ["a~1b:slash", true],
      ["#x:hash", true],
      ["tags/0/Key:k1", true],
      ["tags/1/Key:k1", false],
      ["Key:k2", true],
      ["Parts/0:7", true],
      ["grid/0/1:b", true],
      ["grid/1/0:c", true],
      ["grid/1/1:", false],
      // Texts.
      ["region:eu", true],
      ["region:EU", true],
      ["region:u-", true],
      ['region:"eu-1"', true],
      ['region:"eu"', false],
      ['region:"eu', true],
      ["region:e*1", true],
      ["region:*", true],
      ["region:us|eu", true],
      ["region:us,eu", true],
      ["region:us", false],
      ["image:*", true],
      ['image:""', true],
      ["password:null", true],
      ['policy:"allow"', false],
      ["policy:allow", true],
      // Numbers of the same kind and value.
      ["size:3", true],
      ['size:"3"', true],
      ['size:"3', true],
      ["size:3.0", false],
      ["size:3e0", false],
      ["size:03", false],
      ["size:*", false],
      ["size:3*", false],
      ["size:", true],
      ["ratio:1.5", true],
      ["ratio:1.50", true],
      ["ratio:15e-1", true],
      ["ratio:1", false],
      ["ratio:.5", false],
      // Booleans and null as whole words.
      ["public:true", true],
      ["public:TRUE", true],
      ['public:"true"', true],
      ["public:tru", false],
      ["public:*", false],
      ["public:false", false],
      ["size:null", false],
      ["mtu:1500", true],
      ["cell:", false],
      // Unset counts as null, or as the default; every property of the schema is there.
      ["internal:x", true],
      ["tags/1/Value:none", true],
      ["Arn:null", true],
      ["Arn:NULL", true],
      ['Arn:"null"', true],
      ["Arn:nul", false],
      ["Arn:", true],
      ["Arn:*", false],
      ["!Arn:*", true],
      ["!region:*", false],
      ["nowhere:", false],
      ["nowhere:null", false],
      ["!nowhere:*", true],
      ["Cloud:", false],
      // Containers are there; what is in one is no value of its own, nothing in it is null.
      ["labels:", true],
      ["labels:*", false],
      ["labels:null", false],
      ["tags/0:", true],
      ["tags/0:null", false],
      ["tagsByName:null", true],
      ["network:null", false],
      ["code:null", true],
      ["tags/2:", false],
      ["/domain:", true],
      ["domain:", true],
      ["/:", false],
      [":", false],
      [":x", false],
      // A fact or an attribute.
      ["name:one", true],
      ["name:nobody", false],
    ]),
  )("%j: %s", (query, expected) => {
    expect(fits(query, { vals })).toBe(expected);
  });

  it("of an element has its schema's defaults and no value else", () => {
    expect(fits("tags/1/Parts:", { vals })).toBe(true);
    const bare = valuesOf({ "/domain/tags": [{ Value: "v" }, null] });
    expect(fits("tags/0/Key:null", { vals: bare })).toBe(true);
    expect(fits("tags/1:", { vals: bare })).toBe(true);
    expect(fits("tags/1:null", { vals: bare })).toBe(true);
    expect(fits("tags/0:null", { vals: bare })).toBe(false);
  });

  it("that was unset by hand hides its default", () => {
    expect(fits("region:null", { vals: valuesOf({ "/domain/region": unset }) })).toBe(true);
    expect(fits("region:null", { vals: valuesOf({}) })).toBe(false);
  });

  it("that reads another component has the value read; parts of what is copied whole are found", () => {
    const copied = valuesOf(
      {
        "/domain/region": web("/domain/region"),
        "/domain/tags": web("/domain/tags"),
        "/domain/labels": web("/domain/labels"),
        "/domain/size": web("/domain/size"),
      },
      {
        "/domain/region": "us-9",
        "/domain/tags": [{ Key: "first" }, { Key: "second", Other: "no" }],
        "/domain/labels": { team: "Blue" },
      },
    );
    expect(fits("region:us-9", { vals: copied })).toBe(true);
    expect(fits("tags/1/Key:second", { vals: copied })).toBe(true);
    expect(fits("tags/0/Value:null", { vals: copied })).toBe(true);
    expect(fits("Other:", { vals: copied })).toBe(false);
    expect(fits("team:blue", { vals: copied })).toBe(true);
    expect(fits("size:null", { vals: copied })).toBe(true);
  });

  it("beside a word: !, and, or join both", () => {
    expect(fits("web cidr:10", { vals })).toBe(true);
    expect(fits("web !cidr:10", { vals })).toBe(false);
    expect(fits("nobody | !(size:4 | ratio:2)", { vals })).toBe(true);
  });
});

/** Every attribute of a component with its kind and value, as the API lists properties: another way to the same. */
function listed(
  vals: Vals,
): { readonly pointer: string; readonly kind: Prop["kind"]; readonly value: Json }[] {
  const kinds = new Map<string, Prop["kind"]>();
  const visit = (prop: Prop): void => {
    kinds.set(prop.id, prop.kind);
    for (const child of [...prop.children.values(), ...(prop.entry === undefined ? [] : [prop.entry])])
      visit(child);
  };
  visit(props);
  return [...props.children.values()].flatMap((top) => [
    ...(isContainer(top.kind)
      ? []
      : [{ pointer: `/${top.name}`, kind: top.kind, value: vals[`/${top.name}`] ?? null }]),
    ...listProps({ props, vals, root: top.name, hidden: true, idOf: (key) => key }).map((one) => ({
      pointer: one.pointer,
      kind: kinds.get(one.propId) ?? "object",
      value: one.value,
    })),
  ]);
}

function naive(name: string, term: string, vals: Vals): boolean {
  const lower = name.toLowerCase();
  return listed(vals).some(({ pointer, kind, value }) => {
    const path = pointer.toLowerCase();
    if (lower.startsWith("/") ? path !== lower : !path.endsWith(`/${lower}`)) return false;
    if (term === "") return true;
    if (isContainer(kind)) return value === null && term === "null";
    return typeof value === "string" ? value.toLowerCase().includes(term) : JSON.stringify(value) === term;
  });
}

it("attributes are found exactly as a search of all listed properties finds them", () => {
  const names = [
    "region",
    "size",
    "labels/x",
    "x",
    "ports/0",
    "1",
    "tags",
    "Key",
    "tags/0/value",
    "Parts/0",
    "cidr",
  ];
  const name = fc.constantFrom(
    ...names,
    "network/mtu",
    "/domain/tags/1/key",
    "tagsByName/y/Value",
    "y",
    "grid/0/1",
  );
  const term = fc.constantFrom("", "a", "b", "none", "null", "0", "1", "1500", "true", "false");
  fc.assert(
    fc.property(fc.array(literalChange, { maxLength: 6 }), name, term, (changes, path, wanted) => {
      let vals: Vals = {};
      try {
        vals = valuesOf(Object.fromEntries(changes));
      } catch {
        return; // What the rules refuse is not there to be found.
      }
      expect(fits(`${path}:${wanted}`, { name: "-", vals })).toBe(naive(path, wanted, vals));
    }),
    { numRuns: 5_000 },
  );
});
