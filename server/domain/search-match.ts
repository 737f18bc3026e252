import type { DiffStatus } from "./pages.ts";
import type { Prop } from "./props.ts";
import type { SearchQuery, Term } from "./search-query.ts";
import { asciiLower, type Searchable, textTest, valueTest } from "./search-text.ts";
import { elementPaths, type Path, type SchemaPaths, type Shape, schemaPaths } from "./search-values.ts";

/** One component as search sees it. */
export interface Subject {
  readonly id: string;
  /** Its name in lower case. */
  readonly lowerName: string;
  readonly diff: DiffStatus;
  readonly shape: Shape;
  /** One for each path of the shape. */
  readonly values: readonly Searchable[];
}

/** What search knows of a component by its variant; made by {@link variantFacts}. */
export interface VariantFacts {
  readonly lowerSchema: string;
  readonly lowerCategory: string;
  /** Whether there is a newer variant of the schema. */
  readonly upgradable: boolean;
  readonly paths: SchemaPaths;
  /** The attributes of elements, by shape. */
  elements(shape: Shape): SchemaPaths;
}

/** Gathers what search knows of the components of a variant. */
export function variantFacts(variant: {
  readonly schemaName: string;
  readonly category: string;
  readonly upgradable: boolean;
  readonly props: Prop;
}): VariantFacts {
  const { schemaName, category, upgradable, props } = variant;
  const known = new WeakMap<Shape, SchemaPaths>();
  return {
    lowerSchema: asciiLower(schemaName),
    lowerCategory: asciiLower(category),
    upgradable,
    paths: schemaPaths(props),
    elements: (shape) => {
      const paths = known.get(shape) ?? elementPaths(props, shape);
      known.set(shape, paths);
      return paths;
    },
  };
}

/** Whether a component fits a query. */
export type Match = (subject: Subject, facts: VariantFacts) => boolean;

/** Makes a query's test; use it for one search, since it remembers what it finds out about shapes. */
export function compileSearch(query: SearchQuery): Match {
  switch (query.does) {
    case "and": {
      const parts = query.parts.map(compileSearch);
      return (subject, facts) => parts.every((part) => part(subject, facts));
    }
    case "or": {
      const parts = query.parts.map(compileSearch);
      return (subject, facts) => parts.some((part) => part(subject, facts));
    }
    case "not": {
      const part = compileSearch(query.part);
      return (subject, facts) => !part(subject, facts);
    }
    case "component":
      return componentTest(query.term);
    case "attribute":
      return attributeTest(query.name, query.terms);
  }
}

/** How many tests a query takes for one component. */
export function countTests(query: SearchQuery): number {
  if (query.does === "not") return countTests(query.part);
  if (query.does === "attribute") return Math.max(1, query.terms.length);
  return query.does === "component" ? 1 : query.parts.reduce((sum, part) => sum + countTests(part), 1);
}

function componentTest(term: Term): Match {
  const isText = textTest(term);
  const id = term.text.toUpperCase();
  return (subject, facts) =>
    isText(subject.lowerName) ||
    isText(facts.lowerSchema) ||
    isText(facts.lowerCategory) ||
    subject.id === id;
}

function attributeTest(name: string, terms: readonly Term[]): Match {
  const planOf = attributePlans(name);
  if (terms.length === 0) return (subject, facts) => planOf(subject.shape, facts).exists;
  const facts = terms.flatMap((term) => factTest(name, term) ?? []);
  const tests = terms.map(valueTest);
  const fits = (value: Searchable): boolean => tests.some((test) => test(value));
  const fitsNull = fits(null);
  return (subject, variant) => {
    for (const fact of facts) if (fact(subject, variant)) return true;
    const plan = planOf(subject.shape, variant);
    if (fitsNull && plan.unset) return true;
    for (const slot of plan.slots) if (fits(subject.values[slot])) return true;
    return false;
  };
}

/** The rule of a name that stands for more than attributes; undefined for every other name. */
function factTest(name: string, term: Term): Match | undefined {
  const word = asciiLower(term.text);
  const isText = textTest(term);
  switch (name) {
    case "name":
      return ({ lowerName }) => isText(lowerName);
    case "schema":
      return (_, { lowerSchema }) => isText(lowerSchema);
    case "category":
      return (_, { lowerCategory }) => isText(lowerCategory);
    case "id":
      return ({ id }) => asciiLower(id) === word;
    case "upgradable":
    case "upgradeable":
    case "isupgradable":
    case "isupgradeable":
      return (_, { upgradable }) => upgradable === (word !== "false");
    case "diff":
    case "hasdiff":
    case "diffstatus":
      return ({ diff }) => diffWords[diff].includes(word);
    default:
      return undefined;
  }
}

/** What stands for each difference from the head, in lower case. */
const diffWords: Readonly<Record<DiffStatus, readonly string[]>> = {
  Added: ["true", "", "added"],
  Modified: ["true", "", "modified", "changed"],
  Removed: ["true", "", "removed", "deleted"],
  None: [],
};

/** Which attributes of a shape a name means. */
interface Plan {
  /** Positions of their values. */
  readonly slots: readonly number[];
  /** Whether the component has such an attribute, with a value or without. */
  readonly exists: boolean;
  /** Whether one of them has no value. */
  readonly unset: boolean;
}

/** Finds the attributes that a name means: by the whole pointer, or by its last parts. */
function attributePlans(name: string): (shape: Shape, facts: VariantFacts) => Plan {
  const tail = `/${name}`;
  const isMeant = name.startsWith("/")
    ? ({ lower }: Path) => lower === name
    : ({ lower }: Path) => lower.endsWith(tail);
  const meantIn = (paths: SchemaPaths): Meant => ({
    scalars: paths.scalars.filter(isMeant),
    containers: paths.containers.filter(isMeant),
  });
  const make = (shape: Shape, always: Meant, elements: Meant): Plan => {
    const slots: number[] = [];
    const set = new Set<string>();
    for (const [slot, path] of shape.paths.entries()) {
      if (!isMeant(path)) continue;
      slots.push(slot);
      set.add(path.pointer);
    }
    const isUnset = ({ pointer }: Path): boolean => !set.has(pointer);
    // A container has a value while it or anything in it does.
    const isBare = (path: Path): boolean =>
      isUnset(path) && !shape.paths.some(({ pointer }) => pointer.startsWith(`${path.pointer}/`));
    const meant = [always, elements];
    return {
      slots,
      unset: meant.some(({ scalars, containers }) => scalars.some(isUnset) || containers.some(isBare)),
      exists:
        slots.length > 0 || meant.some(({ scalars, containers }) => scalars.length + containers.length > 0),
    };
  };
  const known = new Map<VariantFacts, { readonly always: Meant; readonly plans: Map<Shape, Plan> }>();
  let last: { readonly shape: Shape; readonly facts: VariantFacts; readonly plan: Plan } | undefined;
  return (shape, facts) => {
    if (last?.shape === shape && last.facts === facts) return last.plan;
    const ofVariant = known.get(facts) ?? { always: meantIn(facts.paths), plans: new Map() };
    known.set(facts, ofVariant);
    const plan = ofVariant.plans.get(shape) ?? make(shape, ofVariant.always, meantIn(facts.elements(shape)));
    ofVariant.plans.set(shape, plan);
    last = { shape, facts, plan };
    return plan;
  };
}

/** What a name means among the attributes of a schema. */
interface Meant {
  readonly scalars: readonly Path[];
  readonly containers: readonly Path[];
}
