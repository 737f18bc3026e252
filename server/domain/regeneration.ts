import type { BindingDefinition } from "./functions.ts";
import { findProp, type Prop } from "./props.ts";

/**
 * Whether a binding can stay at work when its variant is made anew: every kind but attribute functions always, these
 * where the property that takes the result and all those that the arguments come from are still there.
 */
export const staysBound = (binding: BindingDefinition, props: Prop): boolean =>
  pathsOf(binding).every((path) => findProp(props, path) !== undefined);

const pathsOf = ({ kind, output, arguments: bound = [] }: BindingDefinition): string[] =>
  kind !== "attribute" ? [] : [output, ...bound.map(({ path }) => path)].filter((path) => path !== undefined);
