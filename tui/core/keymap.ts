import { type Binding, helpGroups, keyName } from "./binding.ts";
import { globalBindings } from "./keys-global.ts";
import { listBindings } from "./keys-list.ts";
import type { Model } from "./model.ts";
import { screenOf, screens } from "./screens/index.ts";

/** The bindings of a screen; the more special ones first, and the first that has a key gets it. */
export const bindingsOf = (model: Model): readonly Binding[] => [
  ...screenOf(model.route.screen).bindings,
  ...listBindings,
  ...globalBindings,
];

export const findBinding = (model: Model, key: string): Binding | undefined =>
  bindingsOf(model).find(({ keys }) => keys.includes(key));

/** Keys that two bindings of one screen claim; the second would never be reached. */
export function clashes(): readonly string[] {
  return screens.flatMap(({ id, bindings }) => {
    const seen = new Set<string>();
    return [...bindings, ...listBindings, ...globalBindings].flatMap(({ keys }) =>
      keys.flatMap((key) => {
        if (seen.has(key)) return [`${id}: ${key}`];
        seen.add(key);
        return [];
      }),
    );
  });
}

/** Every key of every screen as text, for documents and goldens. */
export function keyMapText(): string {
  const section = (title: string, bindings: readonly Binding[]): string => {
    const ordered = helpGroups.flatMap((group) => bindings.filter((binding) => binding.group === group));
    const lines = ordered.map(({ keys, does }) => `  ${keys.map(keyName).join(" ").padEnd(14)} ${does}`);
    return [title, ...lines].join("\n");
  };
  return [
    section("everywhere", globalBindings),
    section("lists", listBindings),
    ...screens.map(({ title, bindings }) => section(title.toLowerCase(), bindings)),
    "",
  ].join("\n\n");
}
