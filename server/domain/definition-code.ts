import type { PropDefinition, SecretDefinition, VariantDefinition, Widget } from "./props.ts";
import { createOnlyOption, usualWidget } from "./widgets.ts";

/**
 * Code of a function that returns this definition, as a person would write it: what {@link buildDefinition} makes of
 * its result is the definition again.
 */
export function definitionCode(
  variant: Pick<VariantDefinition, "domain" | "secrets" | "resourceValue" | "secretDefinition">,
): string {
  const statements = [
    ...variant.domain.map((prop) => `asset.addProp(${propCode(prop, 1)})`),
    ...variant.secrets.map((prop) => secretCode(prop, variant.secretDefinition)),
    ...variant.resourceValue.map((prop) => `asset.addResourceProp(${propCode(prop, 1)})`),
  ];
  return [
    "function main() {",
    "  const asset = new AssetBuilder();",
    ...statements.map((statement) => `  ${statement};`),
    "  return asset.build();",
    "}",
    "",
  ].join("\n");
}

const quote = (value: unknown): string => JSON.stringify(value);

/** `new Name().a().b().build()`, one call a line, `depth` levels in. */
function builder(name: string, calls: readonly string[], depth: number): string {
  const indent = "  ".repeat(depth + 1);
  return [`new ${name}()`, ...[...calls, "build()"].map((call) => `${indent}.${call}`)].join("\n");
}

function secretCode(prop: PropDefinition, definition: SecretDefinition | undefined): string {
  if (definition !== undefined && prop.name === definition.name && prop.secret === definition.name) {
    const calls = [
      `setName(${quote(definition.name)})`,
      ...definition.fields.map((field) => `addProp(${propCode(field, 2)})`),
    ];
    return `asset.defineSecret(${builder("SecretDefinitionBuilder", calls, 1)})`;
  }
  const calls = [
    `setName(${quote(prop.name)})`,
    `setSecretKind(${quote(prop.secret ?? prop.name)})`,
    ...(prop.docLink === undefined ? [] : [`setDocLink(${quote(prop.docLink)})`]),
    ...suggestionCalls(prop),
  ];
  const made = builder("SecretPropBuilder", calls, 1);
  // The builder has no methods for these members.
  const more = [
    ...(prop.description === undefined ? [] : [`documentation: ${quote(prop.description)}`]),
    ...(prop.hidden === true ? ["hidden: true"] : []),
    ...(prop.validationFormat === undefined ? [] : [`validationFormat: ${quote(prop.validationFormat)}`]),
  ];
  return `asset.addSecretProp(${more.length === 0 ? made : `{ ...${made}, ${more.join(", ")} }`})`;
}

function propCode(prop: PropDefinition, depth: number): string {
  const widget = widgetCode(prop, depth + 1);
  const calls = [
    `setName(${quote(prop.name)})`,
    `setKind(${quote(prop.kind)})`,
    ...(prop.description === undefined ? [] : [`setDocumentation(${quote(prop.description)})`]),
    ...(prop.docLink === undefined ? [] : [`setDocLink(${quote(prop.docLink)})`]),
    ...(prop.hidden === true ? ["setHidden(true)"] : []),
    ...(prop.defaultValue === undefined ? [] : [`setDefaultValue(${quote(prop.defaultValue)})`]),
    ...(prop.validationFormat === undefined ? [] : [`setValidationFormat(${quote(prop.validationFormat)})`]),
    ...(widget === undefined ? [] : [`setWidget(${widget})`]),
    ...suggestionCalls(prop),
    ...(prop.children ?? []).map((child) => `addChild(${propCode(child, depth + 1)})`),
    ...(prop.entry === undefined ? [] : [`setEntry(${propCode(prop.entry, depth + 1)})`]),
  ];
  return builder("PropBuilder", calls, depth);
}

const suggestionCalls = ({ suggestSources = [], suggestAsSourceFor = [] }: PropDefinition): string[] => [
  ...suggestSources.map((source) => `suggestSource(${quote(source)})`),
  ...suggestAsSourceFor.map((target) => `suggestAsSourceFor(${quote(target)})`),
];

function widgetCode(prop: PropDefinition, depth: number): string | undefined {
  const given: Widget | undefined = prop.widget;
  if (given === undefined && prop.createOnly !== true) return undefined;
  const calls = [
    `setKind(${quote(given?.kind ?? usualWidget[prop.kind])})`,
    ...(given?.options ?? [])
      .filter(({ label }) => label !== createOnlyOption.label)
      .map(({ label, value }) => `addOption(${quote(label)}, ${quote(value)})`),
    ...(prop.createOnly === true ? ["setCreateOnly()"] : []),
  ];
  return builder("PropWidgetDefinitionBuilder", calls, depth);
}
