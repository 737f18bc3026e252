import {
  type Component,
  type Geometry,
  getComponentName,
  isByView,
  isRecord,
  type Managing,
  type Spec,
  valueIn,
} from "./managed.ts";

/** Those of the ops of a management function that bring components about. */
interface Ops {
  readonly create?: Readonly<Record<string, Spec>>;
  readonly update?: Readonly<Record<string, Spec>>;
  readonly delete?: readonly string[];
}

/**
 * The ops that make what a component manages what `specs` say, by name: what is missing is created, what differs is
 * updated with what differs alone, what is of another kind is replaced, and what is no more among them is deleted,
 * unless it is to be kept. Without a difference there are no ops.
 */
export function converge(
  input: Managing,
  specs: Readonly<Record<string, Spec>>,
  options?: { keep?: boolean },
): Ops {
  if (!isRecord(input) || !isRecord(input.components) || !isRecord(specs))
    throw new TypeError(
      "template.converge takes what main is called with, and the components that are wanted by name",
    );
  const names = namesOf(input);
  const create: Record<string, Spec> = {};
  const update: Record<string, Spec> = {};
  const gone: string[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const [id, second] = names.get(name) ?? [];
    if (second !== undefined)
      throw new Error(`several managed components are named "${name}": template.converge finds them by name`);
    const component = id === undefined ? undefined : input.components[id];
    if (id === undefined || component === undefined) create[name] = spec;
    else if (isOtherKind(component, spec.kind ?? input.thisComponent?.kind)) {
      gone.push(id);
      create[name] = spec;
    } else {
      const different = difference(input, names, component, spec);
      if (Object.keys(different).length > 0) update[id] = different;
    }
  }
  if (options?.keep !== true)
    for (const [id, component] of Object.entries(input.components))
      if (!Object.hasOwn(specs, getComponentName(component) ?? "")) gone.push(id);
  return {
    ...(Object.keys(create).length === 0 ? {} : { create }),
    ...(Object.keys(update).length === 0 ? {} : { update }),
    ...(gone.length === 0 ? {} : { delete: gone }),
  };
}

type Names = ReadonlyMap<string, readonly string[]>;

function namesOf({ components }: Managing): Names {
  const names = new Map<string, string[]>();
  for (const [id, component] of Object.entries(components)) {
    const name = getComponentName(component) ?? "";
    names.set(name, [...(names.get(name) ?? []), id]);
  }
  return names;
}

const isOtherKind = ({ kind }: Component, wanted: string | undefined): boolean =>
  kind !== undefined && wanted !== undefined && kind.toLowerCase() !== wanted.toLowerCase();

function difference(input: Managing, names: Names, component: Component, spec: Spec): Spec {
  const attributes = Object.entries(spec.attributes ?? {}).filter(
    ([pointer, value]) => !pointer.endsWith("/-") && !isAt(names, component, pointer, value),
  );
  const geometry = Object.entries(geometriesOf(input, spec)).filter(
    ([view, place]) => !holds(component.geometry?.[view], place),
  );
  return {
    ...(holds(component.properties, spec.properties) ? {} : { properties: spec.properties ?? {} }),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...(geometry.length === 0 ? {} : { geometry: Object.fromEntries(geometry) }),
  };
}

function geometriesOf(
  { currentView = "DEFAULT" }: Managing,
  { geometry }: Spec,
): Readonly<Record<string, Geometry>> {
  if (geometry === undefined) return {};
  return isByView(geometry) ? geometry : { [currentView]: geometry };
}

/** Whether an attribute is what is wanted of it: the same subscription, or the same value without one. */
function isAt(names: Names, component: Component, pointer: string, wanted: unknown): boolean {
  const source = component.sources?.[pointer];
  if (!isRecord(wanted) || !Object.hasOwn(wanted, "$source"))
    return source === undefined && holds(valueIn(component, pointer), wanted);
  const { $source } = wanted;
  if (!isRecord($source)) return source === undefined && valueIn(component, pointer) === undefined;
  if (Object.hasOwn($source, "value"))
    return source === undefined && holds(valueIn(component, pointer), $source["value"]);
  const named = String($source["component"]);
  const [id = named] = names.get(named) ?? [];
  return (
    source !== undefined &&
    // Whoever names the manager itself, or somebody that it does not manage, says so by id to be recognized.
    source.component.toUpperCase() === id.toUpperCase() &&
    source.path === $source["path"] &&
    source.func === $source["func"]
  );
}

/** Whether a value has all that is wanted of it; objects may have more, since schemas add to them. */
function holds(value: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, at) => holds(value[at], one) && holds(one, value[at]))
    );
  if (!isRecord(wanted)) return value === wanted || (wanted === null && value === undefined);
  return isRecord(value) && Object.entries(wanted).every(([name, one]) => holds(value[name], one));
}
