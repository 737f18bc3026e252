import fc from "fast-check";
import type { Json } from "../../../server/domain/json.ts";

/** Few texts on purpose: accidental equality is where merging breaks. */
const text = fc.constantFrom("a", "b", "");
const mapKey = fc.constantFrom("x", "y", "#01J", "a/b", "~2");
const position = fc.constantFrom("0", "1", "2", "-");
const integer = fc.integer({ min: 0, max: 2 });
const unset: fc.Arbitrary<Json> = fc.constantFrom<Json>({ $source: null }, { $source: {} });

const orNothing = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 6, arbitrary: value },
    { weight: 1, arbitrary: fc.constant<Json>(null) },
    { weight: 1, arbitrary: unset },
  );
const orNull = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant<Json>(null) });

const integers: fc.Arbitrary<Json> = fc.array(orNull(integer), { maxLength: 4 });
const tag: fc.Arbitrary<Json> = fc.record(
  { Key: orNull(text), Value: orNull(text), Parts: integers },
  { requiredKeys: [] },
);
const tags: fc.Arbitrary<Json> = fc.array(orNull(tag), { maxLength: 3 });
const mapOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.dictionary(mapKey, orNull(value), { maxKeys: 3 });
const rows: fc.Arbitrary<Json> = fc.array(fc.array(orNull(text), { maxLength: 3 }), { maxLength: 3 });
const network: fc.Arbitrary<Json> = fc.record(
  { cidr: orNull(text), mtu: orNull(integer) },
  { requiredKeys: [] },
);

type Change = readonly [key: string, value: Json];
const at = (key: fc.Arbitrary<string>, value: fc.Arbitrary<Json>): fc.Arbitrary<Change> =>
  fc.tuple(key, orNothing(value));
const escaped = mapKey.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1"));

/** One attribute of the sample's schema with a value; positions may be past the end of their array. */
export const literalChange: fc.Arbitrary<Change> = fc.oneof(
  at(fc.constantFrom("/si/name", "/domain/region", "/domain/policy", "/domain/network/cidr"), text),
  at(fc.constantFrom("/domain/size", "/domain/network/mtu"), integer),
  at(fc.constant("/domain/network"), network),
  at(fc.constant("/domain/ports"), integers),
  at(
    position.map((index) => `/domain/ports/${index}`),
    integer,
  ),
  at(fc.constant("/domain/tags"), tags),
  at(
    position.map((index) => `/domain/tags/${index}`),
    tag,
  ),
  at(
    position.map((index) => `/domain/tags/${index}/Key`),
    text,
  ),
  at(
    fc.tuple(position, position).map(([a, b]) => `/domain/tags/${a}/Parts/${b}`),
    integer,
  ),
  at(fc.constant("/domain/labels"), mapOf(text)),
  at(
    escaped.map((key) => `/domain/labels/${key}`),
    text,
  ),
  at(fc.constant("/domain/tagsByName"), mapOf(tag)),
  at(
    escaped.map((key) => `/domain/tagsByName/${key}/Key`),
    text,
  ),
  at(fc.constant("/domain/grid"), rows),
  at(
    fc.tuple(position, position).map(([a, b]) => `/domain/grid/${a}/${b}`),
    text,
  ),
  at(fc.constant("/domain"), fc.record({ size: integer, ports: integers, network }, { requiredKeys: [] })),
);

/** A subscription to a component by id; the kinds fit. */
export const subscriptionTo = (component: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc
    .tuple(
      component,
      fc.constantFrom(
        ["/domain/size", "/domain/ports/0"],
        ["/domain/size", "/domain/size"],
        ["/domain/ports", "/domain/ports"],
        ["/domain/ports/0", "/domain/size"],
        ["/domain/network", "/domain/network"],
        ["/domain/tags/0", "/domain/tags/1"],
        ["/domain/region", "/domain/region"],
        ["/domain/region", "/domain/tags/0/Key"],
      ),
    )
    .map(([id, [to = "", from = ""]]) => [to, { $source: { component: id, path: from } }] as const);

/** Any JSON value with few shapes, `__proto__` and friends among the names. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, -1, 1.5, "", "a", "é", "\u2028"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor", "10", "9"), tie("value"), {
      maxKeys: 4,
    }),
  ),
})).value;
