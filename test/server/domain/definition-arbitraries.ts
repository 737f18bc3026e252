import fc from "fast-check";
import type { PropDefinition, PropKind, VariantDefinition } from "../../../server/domain/props.ts";
import { usualWidget, widgetKinds } from "../../../server/domain/widgets.ts";

/** What code can declare of a variant. */
export type Declared = Pick<VariantDefinition, "domain" | "secrets" | "resourceValue" | "secretDefinition">;

const text = fc
  .string({ unit: "grapheme", maxLength: 12 })
  .map((found) => found.replaceAll("\0", "").toWellFormed());
const filled = text.filter((found) => found !== "" && found !== "__proto__");
const suggestion = fc.record({ schema: text, prop: text });
const scalars = ["string", "integer", "float", "boolean", "json"] as const;
const defaults: Readonly<Record<(typeof scalars)[number], fc.Arbitrary<string | number | boolean>>> = {
  string: text,
  integer: fc.maxSafeInteger(),
  float: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((found) => (Object.is(found, -0) ? 0 : found)),
  boolean: fc.boolean(),
  json: fc.json(),
};

const option = fc.record({ label: filled.filter((label) => label !== "secretKind"), value: text });
const widgetOf = (kind: PropKind) =>
  fc
    .record({
      kind: fc.constantFrom(...widgetKinds.filter((one) => one !== "secret")),
      options: fc.array(option, { maxLength: 2 }),
    })
    .filter(({ kind: widget, options }) => widget !== usualWidget[kind] || options.length > 0)
    .map(({ kind: widget, options }) => ({ kind: widget, ...(options.length === 0 ? {} : { options }) }));

const described = {
  description: filled,
  docLink: fc.constantFrom("https://example.org/a#b", "http://example.org"),
  hidden: fc.constant(true),
  validationFormat: fc.constantFrom('{"type":"string"}', '{"type":"number","rules":[{"name":"integer"}]}'),
  suggestSources: fc.array(suggestion, { minLength: 1, maxLength: 2 }),
  suggestAsSourceFor: fc.array(suggestion, { minLength: 1, maxLength: 2 }),
};
const more = (kind: PropKind, some: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record(
    { ...described, createOnly: fc.constant(true), widget: widgetOf(kind), ...some },
    { requiredKeys: [] },
  );

const { prop } = fc.letrec<{ prop: PropDefinition; members: PropDefinition[] }>((tie) => ({
  members: fc.uniqueArray(tie("prop"), { selector: ({ name }) => name, maxLength: 3 }),
  prop: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .tuple(filled, fc.constantFrom(...scalars))
      .chain(([name, kind]) =>
        more(kind, { defaultValue: defaults[kind] }).map((rest) => ({ name, kind, ...rest })),
      ),
    fc
      .tuple(filled, tie("members"), more("object"))
      .map(([name, children, rest]) => ({ name, kind: "object" as const, children, ...rest })),
    fc
      .tuple(filled, fc.constantFrom("array" as const, "map" as const), tie("prop"))
      .chain(([name, kind, entry]) => more(kind).map((rest) => ({ name, kind, entry, ...rest }))),
  ),
}));

const members = fc.uniqueArray(prop, { selector: ({ name }) => name, maxLength: 4 });
const secret = fc
  .tuple(filled, filled, fc.record(described, { requiredKeys: [] }))
  .map(([name, kind, rest]): PropDefinition => ({ name, kind: "string", ...rest, secret: kind }));

/** Every definition in its normal form. */
export const declared: fc.Arbitrary<Declared> = fc
  .record({
    domain: members,
    secrets: fc.uniqueArray(secret, { selector: ({ name }) => name, maxLength: 3 }),
    resourceValue: members,
    defined: fc.option(fc.record({ name: filled, fields: members.filter((fields) => fields.length > 0) })),
  })
  .map(({ domain, secrets, resourceValue, defined }) => {
    if (defined === null) return { domain, secrets, resourceValue };
    const own: PropDefinition = { name: defined.name, kind: "string", secret: defined.name };
    const others = secrets.filter(({ name }) => name !== defined.name);
    return { domain, secrets: [own, ...others], resourceValue, secretDefinition: defined };
  });
