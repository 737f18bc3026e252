import type { Patch, Setting } from "./overlay.ts";

/** The keys that a key lies below, the nearest first. */
export function ancestorsOf(key: string): string[] {
  const found: string[] = [];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    found.push(key.slice(0, end));
  }
  return found;
}

/** Whether a stored key is another one, or lies below it. */
export const isBelow = (key: string, other: string): boolean => key === other || key.startsWith(`${other}/`);

/** Whether the patch takes away or covers what stands below a key. */
export const hidesBelow = (patch: Patch, key: string): boolean => {
  const setting: Setting | null | undefined = Object.hasOwn(patch, key) ? patch[key] : undefined;
  return setting === null || (setting !== undefined && !("v" in setting));
};
