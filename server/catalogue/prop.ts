import type { PropDefinition, PropKind } from "../domain/props.ts";

type More = Partial<Omit<PropDefinition, "name" | "kind">>;

/** A property that holds one value. */
export const scalar = (name: string, kind: PropKind, more: More = {}): PropDefinition => ({
  name,
  kind,
  ...more,
});

/** A text. */
export const text = (name: string, more: More = {}): PropDefinition => scalar(name, "string", more);

/** A text that is one of a few. */
export const choice = (name: string, values: readonly string[], more: More = {}): PropDefinition =>
  text(name, {
    widget: { kind: "select", options: values.map((value) => ({ label: value, value })) },
    ...(values[0] === undefined ? {} : { defaultValue: values[0] }),
    ...more,
  });

/** A list of what `entry` describes. */
export const listOf = (name: string, entry: PropDefinition): PropDefinition => ({
  name,
  kind: "array",
  entry,
});

/** A map from text to what `entry` describes. */
export const mapOf = (name: string, entry: PropDefinition): PropDefinition => ({ name, kind: "map", entry });

/** An object with these members. */
export const object = (name: string, ...children: PropDefinition[]): PropDefinition => ({
  name,
  kind: "object",
  children,
});

/** Labels that every resource of the sample's cloud can carry. */
export const tags = mapOf("Tags", text("Tag"));
