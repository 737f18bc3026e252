/** Where a definition keeps properties, and what leads to them in a component. */
const lists = {
  props: "/domain",
  secretProps: "/secrets",
  resourceProps: "/resource_value",
  secretDefinition: "/secret_definition",
};

/** Deeper than any property may lie; what refers to itself ends here. */
const maximumDepth = 100;

/** Throws unless `text` is a Joi description that a schema can be built of again: values are judged by that schema. */
export function checkFormat(text: string): void {
  const joi = Reflect.get(globalThis, "Joi") as { build(description: unknown): unknown };
  try {
    joi.build(JSON.parse(text));
  } catch (error) {
    throw new TypeError(
      `expected a validation format that Joi can build of its description, such as Joi.string().min(3), which no function of one's own is part of: ${reasonIn(error)}`,
    );
  }
}

/** Throws unless that is so of all formats of a definition, naming the property; what is no definition is not looked at. */
export function checkFormats(definition: unknown): void {
  for (const [list, at] of Object.entries(lists))
    for (const prop of membersOf(memberOf(definition, list))) walk(prop, at, 0);
}

function walk(prop: unknown, parent: string, depth: number): void {
  if (depth > maximumDepth) return;
  const at = `${parent}/${String(memberOf(prop, "name"))}`;
  const format = memberOf(prop, "validationFormat");
  if (typeof format === "string" && format !== "" && isJson(format)) {
    try {
      checkFormat(format);
    } catch (error) {
      throw new TypeError(`property ${at}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const child of membersOf(memberOf(prop, "children"))) walk(child, at, depth + 1);
  const entry = memberOf(prop, "entry");
  if (entry !== undefined) walk(entry, at, depth + 1);
}

/** Joi's own complaint: of a description that it marks up, the line below the markup. */
function reasonIn(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours, which Joi puts into messages
  const lines = text.replace(/\u001b\[\d+m/g, "").split("\n");
  const [line = ""] = text.startsWith("{") ? lines.slice(-1) : lines;
  return line.replace(/^\[\d+\] /, "");
}

const membersOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** What is no JSON is refused with its place by who reads the definition. */
function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
