import { scalar, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { source } from "./source.ts";

/** Of the seconds that a function may take. */
const maximumSeconds = 100;

const waiting = source`// Waits for the seconds of the component, a log line each, and fails if it is asked to.
async function main({ properties }: Input): Promise<Output> {
  const { Seconds = 5, Fail = false, FailureMessage } = properties.domain ?? {};
  if (!(Seconds >= 0 && Seconds <= ${maximumSeconds}))
    return { status: "error", message: "Seconds is 0 to ${maximumSeconds}, found " + Seconds };
  for (let second = 1; second <= Seconds; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    console.log("waited " + second + " of " + Seconds + " seconds");
  }
  if (Fail) return { status: "error", message: FailureMessage ?? "failed, as it was asked to" };
  return { status: "ok", resourceId: "wait", payload: { WaitedSeconds: Seconds } };
}
`;

/** An action that lasts, to try things out. */
export const wait: ShippedSchema = {
  name: "Wait",
  category: "Trying Out",
  color: "#8A8F98",
  description: "An action that lasts some seconds, tells them in its log, and fails if it is asked to",
  domain: [
    scalar("Seconds", "integer", {
      defaultValue: 5,
      description: `How long it takes, at most ${maximumSeconds}`,
    }),
    scalar("Fail", "boolean", { defaultValue: false, description: "Whether it fails at the end" }),
    text("FailureMessage", { description: "What it says then" }),
    text("After", { description: "Subscribe to another component's resource_value to wait for it" }),
  ],
  resourceValue: [scalar("WaitedSeconds", "integer")],
  functions: [
    {
      kind: "action",
      actionKind: "Create",
      name: "wait",
      displayName: "Wait",
      description: "Waits, and records for how long",
      code: waiting,
    },
    {
      kind: "action",
      actionKind: "Manual",
      name: "waitAgain",
      displayName: "Wait again",
      description: "Waits once more",
      code: waiting,
    },
    {
      kind: "action",
      actionKind: "Destroy",
      name: "forget",
      displayName: "Forget",
      description: "Takes the record away",
      code: source`async function main(): Promise<Output> {
  return { status: "ok" };
}
`,
    },
    {
      kind: "qualification",
      name: "secondsAreInRange",
      displayName: "Seconds are in range",
      description: "Whether the action can take that long",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const seconds = domain?.Seconds ?? 5;
  if (seconds >= 0 && seconds <= ${maximumSeconds}) return { result: "success" };
  return { result: "failure", message: "Seconds is 0 to ${maximumSeconds}, found " + seconds };
}
`,
    },
  ],
};
