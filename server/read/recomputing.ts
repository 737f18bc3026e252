import type { Settings } from "../domain/overlay.ts";
import type { Prop } from "../domain/props.ts";
import { fill, type Template, templateOf } from "../domain/value-templates.ts";
import type { ReadValue } from "../domain/values.ts";
import type { Definition, Recomputed, Rendered } from "../store/rules.ts";
import type { Variant } from "./variants.ts";

/**
 * What is remembered of settings that were computed: they are likely to be computed again, as those of the head are
 * whenever something that they read has changed.
 */
interface Remembered {
  readonly id: string;
  readonly props: Prop;
  readonly schemaName: string;
  /** From the second time on, with what lists show; `none` where it would not save anything. */
  template?: (Template & { readonly rendered: Rendered }) | "none";
}

const remembered = new WeakMap<Settings, Remembered>();

/** Computes a component anew from what it read; undefined when its settings are not known, or cannot be reduced to that. */
export function recompute(
  component: Definition,
  { props, schema }: Variant,
  read: ReadValue,
  render: (vals: Template["vals"]) => Rendered,
): Recomputed | undefined {
  const { id, settings } = component;
  const known = remembered.get(settings);
  if (known?.props !== props || known.schemaName !== schema.name || known.id !== id) {
    remembered.set(settings, { id, props, schemaName: schema.name });
    return undefined;
  }
  known.template ??= renderedOf(templateOf(props, settings, id), render) ?? "none";
  if (known.template === "none") return undefined;
  const { text, vals } = fill(known.template, read);
  return { text, vals, rendered: known.template.rendered };
}

/** Undefined unless nothing that is read has a part in how a list shows the component, or in its resource's values. */
function renderedOf(
  template: Template | undefined,
  render: (vals: Template["vals"]) => Rendered,
): (Template & { readonly rendered: Rendered }) | undefined {
  const isPlain =
    template !== undefined &&
    !Object.hasOwn(template.vals, "/resource/payload") &&
    template.places.every(({ key }) => key.startsWith("/domain/"));
  return isPlain ? { ...template, rendered: render(template.vals) } : undefined;
}
