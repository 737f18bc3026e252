import type { StoredFunction } from "../domain/functions.ts";
import { intrinsicDefinition, intrinsicNames } from "../domain/intrinsics.ts";
import { idOf } from "./ids.ts";

/** The id of a function that every workspace has, the same in all of them. */
export const intrinsicId = (name: string): string => idOf(`intrinsic ${name}`);

const names = new Map(intrinsicNames.map((name) => [intrinsicId(name), name]));

/** The name of the function that every workspace has under that id; undefined when there is none. */
export const intrinsicNameOf = (funcId: string): string | undefined => names.get(funcId);

/** The function that every workspace has under that id; undefined when there is none. */
export function findIntrinsic(funcId: string): StoredFunction | undefined {
  const name = intrinsicNameOf(funcId);
  const definition = name === undefined ? undefined : intrinsicDefinition(name);
  return definition && { ...definition, id: funcId };
}
