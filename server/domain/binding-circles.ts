import { overlap } from "./bindings.ts";
import { type Binding, codegenInputs, qualificationInputs } from "./functions.ts";
import { refuse } from "./refusal.ts";

/** What one function reads of a component, and what it makes there; pointers. */
export interface Flow {
  readonly name: string;
  readonly reads: readonly string[];
  readonly writes: string;
}

/** What the resource is known by becomes values by itself. */
const resourceFlow: Flow = {
  name: "si:resourcePayloadToValue",
  reads: ["/resource/payload"],
  writes: "/resource_value",
};

/** What tells a binding's flow. */
export type Flowing = Pick<Binding, "kind" | "output" | "arguments" | "inputs"> & {
  readonly func: { readonly name: string };
};

/** What a binding reads and makes within a component; undefined for those that make no value. */
export function flowOf(binding: Flowing): Flow | undefined {
  const { name } = binding.func;
  switch (binding.kind) {
    case "attribute":
      return binding.output === undefined
        ? undefined
        : {
            name,
            reads: (binding.arguments ?? []).flatMap(({ path }) => path ?? []),
            writes: binding.output,
          };
    case "codegen":
      return { name, reads: roots(binding.inputs ?? codegenInputs), writes: `/code/${name}` };
    case "qualification":
      return { name, reads: roots(binding.inputs ?? qualificationInputs), writes: `/qualification/${name}` };
    default:
      return undefined;
  }
}

const roots = (names: readonly string[]): string[] => names.map((name) => `/${name}`);

/**
 * The names of the functions that would wait for each other in a circle once `added` is among `bindings`, the first
 * one last again; undefined when it closes none.
 */
export function functionCircle(bindings: readonly Flowing[], added: Flow): string[] | undefined {
  const flows = [...bindings.flatMap((binding) => flowOf(binding) ?? []), resourceFlow, added];
  const before = new Map<Flow, Flow | undefined>([[added, undefined]]);
  const open = [added];
  for (let flow = open.shift(); flow !== undefined; flow = open.shift()) {
    const { writes } = flow;
    for (const reader of flows) {
      if (!reader.reads.some((path) => overlap(path, writes))) continue;
      if (reader === added) return [...wayTo(flow, before), added.name];
      if (before.has(reader)) continue;
      before.set(reader, flow);
      open.push(reader);
    }
  }
  return undefined;
}

/** Refuses a binding with which functions would wait for each other. */
export function checkCircle(bindings: readonly Flowing[], added: Flowing): void {
  const flow = flowOf(added);
  const circle = flow && functionCircle(bindings, flow);
  if (circle === undefined) return;
  refuse("subscriptionCycle", `functions would wait for each other in a circle: ${circle.join(" → ")}`);
}

function wayTo(flow: Flow, before: ReadonlyMap<Flow, Flow | undefined>): string[] {
  const way: string[] = [];
  for (let at: Flow | undefined = flow; at !== undefined; at = before.get(at)) way.unshift(at.name);
  return way;
}
