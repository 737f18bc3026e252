import { isObject, type Json } from "./json.ts";
import type { Setting, Settings } from "./overlay.ts";
import { keySegments, nameSegment } from "./pointers.ts";
import { memberKey, type Prop } from "./props.ts";
import { computeValues, type ReadValue, type Vals } from "./values.ts";

/** A value that a function makes of a component, under the key where it stands. */
export interface DrivenValue {
  readonly key: string;
  readonly value: Json;
  /** The name of an attribute's function, to be remembered as a fact; codegen and qualifications stand under theirs. */
  readonly by?: string;
}

/** What the pseudo subscriptions read that put the results of functions in their places. */
const functionSource = ":function";

const factPrefix = ":by";

/** The key that says which function an attribute's value comes from: a fact about the component, its name as value. */
export const drivenKey = (key: string): string => `${factPrefix}${key}`;

/** The name of the function that the value under a key comes from; undefined where none makes it. */
export function drivenBy(vals: Vals, key: string): string | undefined {
  const name = vals[drivenKey(key)];
  return typeof name === "string" ? name : undefined;
}

/** The key of what a codegen function or a qualification of that name makes. */
export const resultKey = (kind: "codegen" | "qualification", name: string): string =>
  `/${kind === "codegen" ? "code" : "qualification"}/${nameSegment(name)}`;

const isResult = (key: string): boolean => key.startsWith("/code/") || key.startsWith("/qualification/");

/**
 * Whether what is set says itself what stands under a key: at it, below it, or as a subscription or "unset" above it.
 * An object that was set as a whole leaves the members that it does not name to the schema, and so to its functions.
 */
export function isOverridden(settings: Settings, key: string): boolean {
  if (Object.hasOwn(settings, key)) return true;
  let above = "";
  for (const segment of keySegments(key)) {
    above += `/${segment}`;
    const setting = Object.hasOwn(settings, above) ? settings[above] : undefined;
    if (setting !== undefined && !("v" in setting)) return true;
  }
  const below = `${key}/`;
  return Object.keys(settings).some((one) => one.startsWith(below));
}

/** What the values of one component are computed from. */
export interface Driven {
  readonly root: Prop;
  readonly settings: Settings;
  readonly read: ReadValue;
  readonly id: string;
  /** What functions made; those that are overridden are left out. */
  readonly driven: readonly DrivenValue[];
}

/** A component's values with what functions made of it, and `/resource_value` filled from its resource's payload. */
export function computeDriven({ root, settings, read, id, driven }: Driven): Vals {
  const results = new Map<string, Json>();
  const whole: Record<string, Setting> = {};
  const drive = ({ key, value, by }: DrivenValue): void => {
    if (isOverridden(settings, key)) return;
    results.set(key, value);
    whole[key] = { s: [functionSource, key], f: functionSource };
    if (by !== undefined) whole[drivenKey(key)] = { v: by };
  };
  for (const one of driven) drive(one);
  const compute = (): Vals =>
    results.size === 0
      ? computeValues(root, settings, read, id)
      : computeValues(
          root,
          { ...settings, ...whole },
          (source, path, func) => (source === functionSource ? results.get(path) : read(source, path, func)),
          id,
        );
  const vals = compute();
  const values = resourceValues(root, vals);
  if (values.length === 0) return vals;
  for (const one of values) drive(one);
  return compute();
}

/** What `/resource_value` takes from the payload: members of the same names. */
function resourceValues(root: Prop, vals: Vals): DrivenValue[] {
  const top = root.children.get("resource_value");
  const payload = vals["/resource/payload"];
  if (top === undefined || top.children.size === 0 || typeof payload !== "string") return [];
  const parsed = parse(payload);
  if (!isObject(parsed)) return [];
  return [...top.children.values()].flatMap((member): DrivenValue[] => {
    const key = memberKey("/resource_value", member);
    const value = Object.hasOwn(parsed, member.name) ? parsed[member.name] : undefined;
    return value === undefined || value === null || Object.hasOwn(vals, key) ? [] : [{ key, value }];
  });
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What functions made of a component when it was computed last, to be carried over until it is computed again. */
export const carriedOver = (last: Vals): DrivenValue[] =>
  Object.entries(last).flatMap(([key, value]): DrivenValue[] => {
    if (isResult(key)) return [{ key, value }];
    if (!key.startsWith(`${factPrefix}/`) || typeof value !== "string") return [];
    const driven = key.slice(factPrefix.length);
    const made = last[driven];
    return made === undefined ? [] : [{ key: driven, value: made, by: value }];
  });
