import { performance } from "node:perf_hooks";
import autocannon from "autocannon";

/** One line of the report: how ours compares with the bare thing, measured side by side in this run. */
export interface Ratio {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly bare: number;
  /** `ours / bare`: of rates more is better, of durations less. */
  readonly ratio: number;
  readonly wanted: string;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Runs both by turns, so that what disturbs the machine disturbs both, and takes the medians. */
export async function sideBySide(
  name: string,
  unit: string,
  wanted: string,
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Ratio> {
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours());
    theirs.push(await bare());
  }
  const [a, b] = [median(mine), median(theirs)];
  return { name, unit, ours: a, bare: b, ratio: a / b, wanted };
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Requests a second that an address answers over `seconds` with 16 connections; throws when any answer is not `status`. */
export async function rate(
  url: string,
  headers: Record<string, string>,
  status: number,
  seconds = 3,
): Promise<number> {
  const result = await autocannon({ url, headers, connections: 16, duration: seconds });
  const wrong = Object.entries(result.statusCodeStats ?? {}).filter(([code]) => Number(code) !== status);
  if (wrong.length > 0 || result.errors > 0) {
    throw new Error(`${url} was answered with ${JSON.stringify(wrong)} and ${result.errors} errors`);
  }
  return result.requests.average;
}

/** The report as a table, then as one line of JSON. */
export function print(ratios: readonly Ratio[]): void {
  const rows = ratios.map((row) => [
    row.name,
    `${row.ours.toFixed(1)} ${row.unit}`,
    `${row.bare.toFixed(1)} ${row.unit}`,
    row.ratio.toFixed(2),
    row.wanted,
  ]);
  const head = ["what", "ours", "bare", "ratio", "wanted"];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [head, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
  console.log(JSON.stringify({ ratios }));
}
