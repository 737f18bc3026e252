import { checkComponentName } from "./component-names.ts";
import { managerKey, managerOf, type Setting, type Settings, viewKey } from "./overlay.ts";

/** What a copy is called when the request names no prefix: this, immediately followed by the name. */
const defaultPrefix = "copy of ";

/** The name of a copy, checked. */
export const copyName = (prefix: string | undefined, name: string): string =>
  checkComponentName(`${prefix ?? defaultPrefix}${name}`);

/** How a copy differs from what it was made of. */
export interface Copy {
  readonly name: string;
  readonly viewId: string;
  /** The id of the copy of a component that is copied along; undefined for all others. */
  readonly copyOf: (componentId: string) => string | undefined;
}

/**
 * The settings of a component's copy: everything that is set, but no resource, no deletion mark and no other view.
 * What it reads from or is managed by within the batch it has from the copies; what others manage is not managed twice.
 */
export function copySettings(settings: Settings, { name, viewId, copyOf }: Copy): Settings {
  const copied: Record<string, Setting> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const manager = managerOf(key);
    const newManager = manager === undefined ? undefined : copyOf(manager);
    if (newManager !== undefined) copied[managerKey(newManager)] = setting;
    if (!key.startsWith("/") || key === "/resource" || key.startsWith("/resource/")) continue;
    copied[key] = "s" in setting ? readFromCopy(setting, copyOf) : setting;
  }
  copied["/si/name"] = { v: name };
  copied[viewKey(viewId)] = { v: true };
  return copied;
}

type Subscribed = Extract<Setting, { readonly s: unknown }>;

function readFromCopy(setting: Subscribed, copyOf: Copy["copyOf"]): Setting {
  const [source, path] = setting.s;
  return { ...setting, s: [copyOf(source) ?? source, path] };
}
