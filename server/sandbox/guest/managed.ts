/** Where a component stands in a view. */
export interface Geometry {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

/** One geometry for the view at hand, or one for each view by its name. */
export type Geometries = Geometry | Readonly<Record<string, Geometry>>;

/** A component as a management function is given it. */
export interface Component {
  readonly kind?: string;
  readonly properties?: { readonly si?: { readonly name?: string }; readonly domain?: object };
  readonly sources?: Readonly<Record<string, Source>>;
  readonly geometry?: Readonly<Record<string, Geometry>>;
}

/** What an attribute is subscribed to. */
export interface Source {
  readonly component: string;
  readonly path: string;
  readonly func?: string;
}

/** A component as a management function wants it: what stands under its name in `ops.create`. */
export interface Spec {
  readonly kind?: string;
  readonly properties?: object;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly geometry?: Geometries;
}

/** What a management function is called with, as far as helpers look at it. */
export interface Managing {
  readonly thisComponent?: Component;
  readonly components: Readonly<Record<string, Component>>;
  readonly currentView?: string;
}

/** The name of a component, undefined without one. */
export const getComponentName = (component: Component): string | undefined => component.properties?.si?.name;

/** Whether it is an object with members: no list, not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether geometries are told view by view. */
export const isByView = (given: Geometries): given is Readonly<Record<string, Geometry>> =>
  Object.values(given).some(isRecord);

/** The value at a pointer of a component's properties, undefined where there is none. */
export function valueIn(component: Component, pointer: string): unknown {
  let value: unknown = component.properties;
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
