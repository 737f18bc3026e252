import packaged from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";
import type { Json } from "../../server/domain/json.ts";
import { createSandbox, type Run, type Sandbox } from "../../server/sandbox/sandbox.ts";
import { type Ratio, sideBySide, timed, typical } from "./measure.ts";

/** The bare engine, in this process. */
export const bareEngine = (): Promise<QuickJSWASMModule> =>
  newQuickJSWASMModuleFromVariant("default" in packaged ? packaged.default : packaged);

/** A qualification of about 2 KB: checks the fields of a component one by one, as people write them. */
const checks = Array.from(
  { length: 14 },
  (_, at) =>
    `  if (typeof domain.field${at} !== "string" || domain.field${at}.length < ${at}) problems.push("field${at} is too short");\n`,
).join("");
const body = `(input) {
  const domain = input.domain ?? {};
  const problems = [];
${checks}  const open = (domain.rules ?? []).filter((rule) => rule.source === "0.0.0.0/0" && rule.port !== 443);
  for (const rule of open) problems.push("port " + rule.port + " is open to everybody");
  if (problems.length > 0) return { result: "failure", message: problems.join("\\n") };
  return { result: "success" };
}`;
export const source = `async function main${body}`;

/** A component of about 10 KB. */
export const input: Json = {
  domain: {
    ...Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`field${at}`, "value ".repeat(4)])),
    rules: Array.from({ length: 130 }, (_, port) => ({
      port,
      source: "10.0.0.0/8",
      protocol: "tcp",
      note: "internal",
    })),
  },
  code: {},
  resource: { status: "ok", payload: { id: "x" } },
  secrets: {},
};

const run: Run = { code: source, handler: "main", input };

/** Fails the bench when a run does not do its work: a fast failure is no speed. */
async function expectSuccess(sandbox: Sandbox, asked: Run): Promise<void> {
  const outcome = await sandbox.run(asked);
  if (outcome.ended !== "ok") throw new Error(`the function ended with ${JSON.stringify(outcome)}`);
}

/** The bare engine in this process: a fresh runtime, the code, the call, the result as JSON; nothing else. */
export function bareCall(engine: QuickJSWASMModule): void {
  const runtime = engine.newRuntime();
  const context = runtime.newContext();
  const call = `(async${body.replace("(input)", "function (input)")})(JSON.parse(${JSON.stringify(JSON.stringify(input))})).then((result) => { globalThis.result = JSON.stringify(result); })`;
  context.unwrapResult(context.evalCode(call.replace("(asyncfunction", "(async function"))).dispose();
  runtime.executePendingJobs();
  const result = context.getProp(context.global, "result");
  if (context.getString(result) !== '{"result":"success"}') throw new Error("the bare call did not work");
  result.dispose();
  context.dispose();
  runtime.dispose();
}

/** Milliseconds of one of `count` runs, `together` at a time. */
export async function eachOf(count: number, together: number, work: () => Promise<void>): Promise<number> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  return (await timed(() => Promise.all(Array.from({ length: together }, lane)))) / count;
}

/** What a qualification costs: warm beside the bare engine, many at once, and cold beside warm. */
export async function benchSandbox(): Promise<Ratio[]> {
  const engine = await bareEngine();
  const sandbox = createSandbox({ children: 2 });
  try {
    await eachOf(300, 8, () => expectSuccess(sandbox, run));
    for (let call = 0; call < 100; call++) bareCall(engine);
    const warm = await sideBySide({
      name: "a warm qualification, beside the same call in the bare engine",
      unit: "ms",
      wanted: "at most 3",
      rounds: 7,
      ours: () => typical(100, () => expectSuccess(sandbox, run)),
      bare: () => typical(100, () => bareCall(engine)),
    });
    const many = await sideBySide({
      name: "qualifications with two children, beside the wanted 400",
      unit: "runs/s",
      wanted: "at least 1",
      rounds: 5,
      ours: async () => 1000 / (await eachOf(600, 16, () => expectSuccess(sandbox, run))),
      bare: () => Promise.resolve(400),
    });
    let version = 0;
    const cold = await sideBySide({
      name: "a cold qualification (new code, new child), beside a warm one",
      unit: "ms",
      wanted: "at most 50",
      rounds: 7,
      ours: async () => {
        // Children stand by; this one has never run anything.
        const fresh = createSandbox({ children: 1, spareChildren: 0 });
        await fresh.prepare();
        version++;
        const code = `${source}\n// ${version}`;
        const ms = await timed(() => expectSuccess(fresh, { ...run, code }));
        await fresh.close();
        return ms;
      },
      bare: () => typical(50, () => expectSuccess(sandbox, run)),
    });
    return [warm, many, cold];
  } finally {
    await sandbox.close();
  }
}
