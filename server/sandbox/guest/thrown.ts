import type { Thrown } from "./host.ts";
import { inspect } from "./inspect.ts";

/** Longest part of an error that is passed on. */
const longest = 10_000;

/** A thrown value in words, whatever was thrown and however it resists. */
export function describeThrown(error: unknown): Thrown {
  if (typeof error !== "object" || error === null || !isError(error))
    return {
      name: "Error",
      message: typeof error === "string" ? bounded(error) : bounded(inspect(error)),
      stack: "",
    };
  const name = textOf(error, "name");
  return {
    name: name === "" ? "Error" : name,
    message: textOf(error, "message"),
    stack: textOf(error, "stack"),
  };
}

function isError(value: object): boolean {
  try {
    return value instanceof Error || typeof Reflect.get(value, "message") === "string";
  } catch {
    return false;
  }
}

function textOf(error: object, member: string): string {
  try {
    const value: unknown = Reflect.get(error, member);
    return typeof value === "string" ? bounded(value) : value === undefined ? "" : bounded(inspect(value));
  } catch {
    return "[unreadable]";
  }
}

const bounded = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)} … (${text.length - longest} more characters)` : text;
