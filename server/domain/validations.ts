import { isArray, isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import type { Settings } from "./overlay.ts";
import { pointerOf } from "./places.ts";
import { formatPointer } from "./pointers.ts";
import type { Prop } from "./props.ts";

/** The members of a component whose properties a schema declares, formats included. */
export const judgedMembers = ["domain", "secrets", "resource_value"] as const;

const known = new WeakMap<Prop, boolean>();

/** Whether a property, or one below it, has a validation format. */
function hasFormats(prop: Prop): boolean {
  const found =
    known.get(prop) ??
    (prop.definition.validationFormat !== undefined ||
      (prop.entry !== undefined && hasFormats(prop.entry)) ||
      [...prop.children.values()].some(hasFormats));
  known.set(prop, found);
  return found;
}

/** A component as its values are judged. */
export interface JudgedComponent {
  readonly root: Prop;
  /** As functions see it. */
  readonly properties: JsonObject;
  readonly settings: Settings;
  /** Whether the component of a subscription is there. */
  readonly shows: (componentId: string) => boolean;
}

/** Whether the root of a component's properties has a validation format where values are judged. */
export const isJudged = (root: Prop): boolean =>
  judgedMembers.some((name) => {
    const member = root.children.get(name);
    return member !== undefined && hasFormats(member);
  });

/**
 * What `si:validation` is called with: each format once, and each value that has one, by its pointer. A value
 * that is not set is among them, unless it is subscribed to a component that is there: it may yet come.
 */
export function validationInput({ root, properties, settings, shows }: JudgedComponent): JsonObject {
  const formats = new Map<string, number>();
  const values: JsonObject[] = [];
  const awaited = Object.entries(settings).flatMap(([key, setting]) =>
    "s" in setting && shows(setting.s[0]) ? (pointerOf(settings, key) ?? []) : [],
  );
  const waits = (at: string): boolean =>
    awaited.some((pointer) => at === pointer || at.startsWith(`${pointer}/`));
  const walk = (prop: Prop, at: string, value: Json | undefined): void => {
    if (!hasFormats(prop)) return;
    const { validationFormat } = prop.definition;
    const isSet = value !== undefined && value !== null;
    if (validationFormat !== undefined && (isSet || !waits(at))) {
      const format = formats.get(validationFormat) ?? formats.size;
      formats.set(validationFormat, format);
      values.push({ at, format, ...(isSet ? { value: judgedValue(prop, validationFormat, value) } : {}) });
    }
    const { entry } = prop;
    const below = (name: string): string => at + formatPointer([name]);
    if (prop.kind === "object") {
      for (const member of prop.children.values())
        walk(member, below(member.name), isObject(value) ? memberOf(value, member.name) : undefined);
    } else if (entry !== undefined && isArray(value)) {
      for (const [position, element] of value.entries()) walk(entry, below(String(position)), element);
    } else if (entry !== undefined && isObject(value)) {
      for (const [name, one] of Object.entries(value)) walk(entry, below(name), one);
    }
  };
  for (const name of judgedMembers) {
    const member = root.children.get(name);
    if (member !== undefined) walk(member, formatPointer([name]), memberOf(properties, name));
  }
  return { formats: [...formats.keys()], values };
}

/** A JSON property holds text: judged is what that says, unless the format is one of texts. */
function judgedValue({ kind }: Prop, format: string, value: Json): Json {
  if (kind !== "json" || typeof value !== "string") return value;
  const described = parsed(format);
  return isObject(described) && memberOf(described, "type") === "string" ? value : (parsed(value) ?? value);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
