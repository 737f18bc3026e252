import type { ShippedFunction } from "./shipped.ts";
import { source } from "./source.ts";

/** What a simulated provider makes of components of a schema. */
export interface Simulated {
  /** What it is called in log lines: `network`. */
  readonly noun: string;
  /** In front of the ids that it gives: `net`. */
  readonly prefix: string;
  /** The member of the payload that holds the id. */
  readonly idMember: string;
  /** Members of `domain` that the provider tells of a resource. */
  readonly told: readonly string[];
  /** What it does on the way, each step taking a moment. */
  readonly steps: readonly string[];
  /** What else a new one has, as the text of an object literal's members; `id` is in scope. */
  readonly born?: string;
  /** How long a step takes, in milliseconds; 200 unless it says so. */
  readonly stepMs?: number;
  /** TypeScript that may return early with an error before anything is made; `domain` is in scope. */
  readonly refusal?: string;
}

/**
 * Create, refresh, update and destroy of a provider that is only simulated: they touch nothing outside, and what they
 * record is made of the component. Their first log line says so.
 */
export function simulatedActions(simulated: Simulated): ShippedFunction[] {
  const { noun, idMember, told, stepMs = 200 } = simulated;
  const said = [
    `const told = (domain, id) => ({`,
    `  ${idMember}: id,`,
    ...told.map((name) => `  ${name}: domain.${name} ?? null,`),
    `});`,
    `const say = (text) => console.log("[simulated, offline] " + text);`,
    `const moment = () => new Promise((resolve) => setTimeout(resolve, ${stepMs}));`,
  ].join("\n");
  const what = (verb: string): string =>
    `${verb} the ${noun} in a simulated provider: nothing outside is touched`;
  const suffix = noun
    .split(" ")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return [
    {
      kind: "action",
      actionKind: "Create",
      name: `create${suffix}`,
      displayName: `Create ${noun}`,
      description: what("Makes"),
      code: createCode(simulated, said),
    },
    {
      kind: "action",
      actionKind: "Refresh",
      name: `refresh${suffix}`,
      displayName: `Refresh ${noun}`,
      description: what("Looks at"),
      code: source`// Tells again what was recorded: a simulated provider has no memory of its own.
async function main({ properties }: Input): Promise<Output> {
  const payload = properties.resource?.payload;
  console.log("[simulated, offline] looking at the ${noun} " + properties.si?.name);
  if (!payload) return { status: "error", message: "there is no ${noun} to look at: create it first" };
  return { status: "ok", payload };
}
`,
    },
    {
      kind: "action",
      actionKind: "Update",
      name: `update${suffix}`,
      displayName: `Update ${noun}`,
      description: what("Changes"),
      code: source`// Brings the recorded ${noun} in line with the component.
async function main({ properties }: Input): Promise<Output> {
  const before = properties.resource?.payload;
  if (!before) return { status: "error", message: "there is no ${noun} to change: create it first" };
  say("changing " + before.${idMember});
  await moment();
  const payload = { ...before, ...told(properties.domain ?? {}, before.${idMember}) };
  return { status: "ok", payload };
}
${said}
`,
    },
    {
      kind: "action",
      actionKind: "Destroy",
      name: `destroy${suffix}`,
      displayName: `Destroy ${noun}`,
      description: what("Removes"),
      code: source`async function main({ properties }: Input): Promise<Output> {
  const id = properties.resource?.payload?.${idMember} ?? properties.si?.resourceId;
  if (!id) return { status: "ok" };
  console.log("[simulated, offline] removing " + id);
  return { status: "ok" };
}
`,
    },
  ];
}

const createCode = ({ noun, prefix, steps, born = "", refusal = "" }: Simulated, said: string): string =>
  source`// Makes the ${noun} in a simulated provider: nothing leaves this server.
async function main({ properties }: Input): Promise<Output> {
  const existing = properties.resource?.payload;
  if (existing) return { status: "error", message: "the ${noun} exists already", payload: existing };
  const domain = properties.domain ?? {};
  ${refusal}
  const id = "${prefix}-" + crypto.randomUUID().slice(0, 8);
  say("creating the ${noun} " + properties.si?.name + " as " + id);
  for (const step of ${JSON.stringify(steps)}) {
    await moment();
    say(step);
  }
  return { status: "ok", resourceId: id, payload: { ...told(domain, id), ...{ ${born} } } };
}
${said}
`;
