interface Plain {
  readonly [keyword: string]: unknown;
}
const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null;

/**
 * A small value that fits a schema: required members only, the first branch of a union, the fewest elements; texts are
 * `word` as often as their length asks for. For requests that must get past validation, whatever they mean.
 */
export function exampleOf(schema: unknown, word = "value"): unknown {
  if (!isPlain(schema)) return null;
  if ("const" in schema) return schema["const"];
  const [branch] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  if (branch !== undefined) return exampleOf(branch, word);
  switch (schema["type"]) {
    case "object": {
      const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
      const properties = isPlain(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name], word)]));
    }
    case "array":
      return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => exampleOf(schema["items"], word));
    case "integer":
    case "number":
      return Number(schema["minimum"] ?? 1);
    case "boolean":
      return true;
    case "string":
      return word.padEnd(Number(schema["minLength"] ?? 0), word);
    default:
      return word;
  }
}
