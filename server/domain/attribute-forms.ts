import { describe, isDeeperThan, isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import { maximumDepth } from "./limits.ts";
import { parsePointer } from "./pointers.ts";
import { refuse } from "./refusal.ts";

/** What a subscription names, as the request spells it. */
export interface Link {
  readonly component: string;
  readonly path: string;
  readonly func: string | undefined;
}

/** What the value of one attribute asks for. */
export type Form =
  | { readonly does: "set"; readonly value: Json }
  | { readonly does: "subscribe"; readonly link: Link }
  | { readonly does: "unset" };

const expected = 'expected {"component": …, "path": …}, {"value": …} or null';

/** Reads the value of an attribute: a literal, or what a `$source` member says. */
export function formOf(key: string, value: Json): Form {
  if (isDeeperThan(value, maximumDepth)) {
    refuse("invalidRequest", `attributes ${key}: expected a value nested at most ${maximumDepth} deep`);
  }
  if (!isObject(value) || !Object.hasOwn(value, "$source")) return { does: "set", value };
  const beside = Object.keys(value).filter((name) => name !== "$source");
  if (beside.length > 0) {
    refuse(
      "invalidRequest",
      `attributes ${key}: expected nothing beside $source, found ${beside.join(", ")}; a literal object that contains $source is written {"$source": {"value": …}}`,
    );
  }
  const source = memberOf(value, "$source") ?? null;
  if (source === null) return { does: "unset" };
  if (!isObject(source))
    return refuse("invalidRequest", `attributes ${key}: $source: ${expected}, found ${describe(source)}`);
  return formOfSource(key, source);
}

function formOfSource(key: string, source: JsonObject): Form {
  // Deprecated: a subscription always replaces what was there.
  const names = Object.keys(source).filter((name) => name !== "keep_existing_subscriptions");
  if (names.length === 0) return { does: "unset" };
  if (names.includes("value")) {
    if (names.length === 1) return { does: "set", value: memberOf(source, "value") ?? null };
    return refuse(
      "invalidRequest",
      `attributes ${key}: $source: expected nothing beside value, found ${names.filter((name) => name !== "value").join(", ")}`,
    );
  }
  const unknown = names.filter((name) => name !== "component" && name !== "path" && name !== "func");
  if (unknown.length > 0)
    refuse("invalidRequest", `attributes ${key}: $source: ${expected}, found ${unknown.join(", ")}`);
  const component = textMember(key, source, "component");
  const path = textMember(key, source, "path");
  if (!path.startsWith("/") || parsePointer(path) === undefined) {
    refuse(
      "invalidRequest",
      `attributes ${key}: $source.path: expected a path such as /domain/region, found ${describe(path)}`,
    );
  }
  const func = memberOf(source, "func") ?? null;
  return {
    does: "subscribe",
    link: { component, path, func: func === null ? undefined : textMember(key, source, "func") },
  };
}

function textMember(key: string, source: JsonObject, name: string): string {
  const value = memberOf(source, name);
  if (typeof value === "string") return value;
  const found = value === undefined ? "nothing" : describe(value);
  return refuse("invalidRequest", `attributes ${key}: $source.${name}: expected a string, found ${found}`);
}
