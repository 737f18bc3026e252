import { define } from "./define.ts";
import type { Host } from "./host.ts";
import { format } from "./inspect.ts";

type Write = (...values: unknown[]) => void;

/** The console: everything becomes log lines while the function runs. Gives what writes a line of our own. */
export function installConsole(host: Host): (line: string) => void {
  const stringify = JSON.stringify;
  let indent = "";
  const writer =
    (stream: "stdout" | "stderr"): Write =>
    (...values) => {
      const text = format(values);
      host.log(stream, stringify(indent === "" ? text : text.replace(/^/gm, indent)));
    };
  const out = writer("stdout");
  const error = writer("stderr");
  const counts = new Map<string, number>();
  define("console", {
    log: out,
    info: out,
    debug: out,
    error,
    warn: error,
    dir: (value: unknown) => out(value),
    table: (value: unknown) => out(value),
    trace: error,
    assert: (holds: unknown, ...values: unknown[]) => {
      if (!holds) error("Assertion failed", ...values);
    },
    count: (label = "default") => {
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      out(`${label}: ${count}`);
    },
    countReset: (label = "default") => {
      counts.delete(label);
    },
    group: (...values: unknown[]) => {
      if (values.length > 0) out(...values);
      indent += "    ";
    },
    groupEnd: () => {
      indent = indent.slice(4);
    },
    time: () => {},
    timeLog: () => {},
    timeEnd: () => {},
  });
  return out;
}
