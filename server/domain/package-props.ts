import { isObject, type Json, memberOf } from "./json.ts";
import {
  choiceOf,
  memberObject,
  objectsOf,
  optionalChoice,
  optionalFlag,
  optionalLink,
  optionalObject,
  optionalObjects,
  optionalText,
  type Placed,
  present,
  senseless,
  textOf,
} from "./package-reader.ts";
import { lowerFirst } from "./package-words.ts";
import { formatPointer } from "./pointers.ts";
import type { PropDefinition, PropKind, SuggestedSource, Widget } from "./props.ts";
import { createOnlyOption, usualWidget } from "./widgets.ts";

/** Kinds of properties in the words of package specs, and ours. */
export const specKinds = {
  array: "array",
  boolean: "boolean",
  float: "float",
  json: "json",
  map: "map",
  number: "integer",
  object: "object",
  string: "string",
} as const satisfies Readonly<Record<string, PropKind>>;

/** Kinds of widgets in the words of package specs. */
export const widgetWords = [
  "Array",
  "Checkbox",
  "CodeEditor",
  "Color",
  "ComboBox",
  "Header",
  "Map",
  "Password",
  "Secret",
  "Select",
  "Text",
  "TextArea",
] as const;

/** The label of the option that names the definition of a secret. */
export const secretKindLabel = "secretKind";

/** A function that gives a property its value, as its spec names it. */
export interface PropFunction {
  /** Pointer of the property; undefined inside an array or a map. */
  readonly pointer: string | undefined;
  readonly func: string;
  readonly inputs: readonly Placed[];
  readonly at: string;
}

/** A root property and what gives values below it. */
export interface ReadProps {
  readonly members: readonly PropDefinition[];
  readonly functions: readonly PropFunction[];
}

/** Deepest nesting of the specs of properties: what `checkVariant` refuses with a better message is less. */
const maximumDepth = 40;

/** The members of a root property such as `domain`; the root itself stands at `/<name>`. */
export function readRootProp(spec: Placed, root: string): ReadProps {
  const kind = choiceOf(spec, "kind", kindWords);
  if (kind !== "object") senseless(`${spec.at}.kind`, `expected object, found ${kind}`);
  const found: PropFunction[] = [];
  const { children = [] } = readProp(spec, { pointer: formatPointer([root]), depth: 0, found });
  return { members: children, functions: found };
}

// The keys of the table are its words.
const kindWords = Object.keys(specKinds) as (keyof typeof specKinds)[];

interface Spot {
  readonly pointer: string | undefined;
  readonly depth: number;
  readonly found: PropFunction[];
}

function readProp(spec: Placed, spot: Spot): PropDefinition {
  const { pointer, depth, found } = spot;
  if (depth > maximumDepth) senseless(spec.at, `expected properties nested at most ${maximumDepth} deep`);
  const [name, kind] = [textOf(spec, "name"), choiceOf(spec, "kind", kindWords)];
  const data = optionalObject(spec, "data");
  if (data === undefined) return senseless(`${spec.at}.data`, "expected what the property is, found nothing");
  if (textOf(data, "name") !== name)
    senseless(`${data.at}.name`, `expected the name of ${spec.at}, found another one`);
  const func = optionalText(data, "funcUniqueId");
  const inputs = optionalObjects(data, "inputs");
  if (func !== undefined) found.push({ pointer, func, inputs, at: data.at });
  if (kind === "map") readMapKeys(spec, found);
  const described = readData(data, specKinds[kind]);
  if (kind === "object") {
    const children = present(objectsOf(spec, "entries")).map((entry) => {
      const member = pointer === undefined ? undefined : pointer + formatPointer([textOf(entry, "name")]);
      return readProp(entry, { pointer: member, depth: depth + 1, found });
    });
    return { name, kind, children, ...described };
  }
  if (kind !== "array" && kind !== "map") return { name, kind: specKinds[kind], ...described };
  const entry = readProp(memberObject(spec, "typeProp"), { pointer: undefined, depth: depth + 1, found });
  return { name, kind, entry, ...described };
}

function readMapKeys(spec: Placed, found: PropFunction[]): void {
  for (const key of optionalObjects(spec, "mapKeyFuncs")) {
    textOf(key, "key");
    const inputs = optionalObjects(key, "inputs");
    found.push({ pointer: undefined, func: textOf(key, "funcUniqueId"), inputs, at: key.at });
  }
}

function readData(data: Placed, kind: PropKind): Omit<PropDefinition, "name" | "kind"> {
  const widgetKind = optionalChoice(data, "widgetKind", widgetWords);
  const options = optionalObjects(data, "widgetOptions").map((option) => ({
    label: textOf(option, "label"),
    value: textOf(option, "value"),
  }));
  const optionOf = (label: string): string | undefined =>
    options.find((option) => option.label === label)?.value;
  const secret = widgetKind === "Secret" ? optionOf(secretKindLabel) : undefined;
  const createOnly = optionOf(createOnlyOption.label) ?? "false";
  const shown = options.filter(({ label }) => label !== createOnlyOption.label);
  const widget = secret === undefined ? widgetOf(widgetKind, kind, shown) : undefined;
  return {
    ...defaultOf(data, kind),
    ...describedIn(data),
    ...(createOnly === "false" ? {} : { createOnly: true }),
    ...(secret === undefined ? {} : { secret }),
    ...(widget === undefined ? {} : { widget }),
  };
}

/** What a JSON property holds is text; a default that is data stands for its text. */
function defaultOf(data: Placed, kind: PropKind): { readonly defaultValue?: Json } {
  const value = memberOf(data.object, "defaultValue") ?? null;
  if (value === null) return {};
  return { defaultValue: kind === "json" && typeof value !== "string" ? JSON.stringify(value) : value };
}

function describedIn(data: Placed): Omit<PropDefinition, "name" | "kind"> {
  const documentation = optionalText(data, "documentation");
  const docLink = optionalLink(data, "docLink");
  const validationFormat = readFormat(data);
  const hints = optionalObject(data, "uiOptionals");
  const [sources, targets] = [
    suggestionsIn(hints, "suggestSources"),
    suggestionsIn(hints, "suggestAsSourceFor"),
  ];
  return {
    ...(documentation === undefined || documentation === "" ? {} : { description: documentation }),
    ...(docLink === undefined ? {} : { docLink }),
    ...(optionalFlag(data, "hidden") ? { hidden: true } : {}),
    ...(validationFormat === undefined ? {} : { validationFormat }),
    ...(sources.length === 0 ? {} : { suggestSources: sources }),
    ...(targets.length === 0 ? {} : { suggestAsSourceFor: targets }),
  };
}

const suggestionsIn = (hints: Placed | undefined, name: string): SuggestedSource[] =>
  (hints === undefined ? [] : optionalObjects(hints, name)).map((hint) => ({
    schema: textOf(hint, "schema"),
    prop: textOf(hint, "prop"),
  }));

/** The widget, undefined where it is the usual one of the kind. */
function widgetOf(
  word: (typeof widgetWords)[number] | undefined,
  propKind: PropKind,
  options: NonNullable<Widget["options"]>,
): Widget | undefined {
  const kind = word === undefined ? usualWidget[propKind] : lowerFirst(word);
  if (kind === usualWidget[propKind] && options.length === 0) return undefined;
  return { kind, ...(options.length === 0 ? {} : { options }) };
}

function readFormat(data: Placed): string | undefined {
  const format = optionalText(data, "validationFormat");
  if (format === undefined || isObject(parsed(format))) return format;
  return senseless(`${data.at}.validationFormat`, "expected the JSON text of a Joi description");
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
