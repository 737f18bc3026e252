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

/** Two things to compare, each giving one figure a turn. */
export interface Comparison extends Pick<Ratio, "name" | "unit" | "wanted"> {
  /** How often each gets its turn. */
  readonly rounds: number;
  /** Turns before the first that counts, for both. */
  readonly warmUps?: number;
  readonly ours: () => Promise<number>;
  readonly bare: () => Promise<number>;
}

const middle = <T>(sorted: readonly T[]): T | undefined => sorted[Math.floor(sorted.length / 2)];

/**
 * Runs both by turns, so that what disturbs the machine disturbs both, and takes the turn with the median ratio: an hour
 * that swings shifts both figures of a turn, and its ratio little.
 */
export async function sideBySide(compared: Comparison): Promise<Ratio> {
  const { name, unit, wanted, rounds, warmUps = 0 } = compared;
  const turn = async () => {
    const [ours, bare] = [await compared.ours(), await compared.bare()];
    return { ours, bare, ratio: ours / bare };
  };
  for (let unheard = 0; unheard < warmUps; unheard++) await turn();
  const turns: Awaited<ReturnType<typeof turn>>[] = [];
  for (let round = 0; round < rounds; round++) turns.push(await turn());
  const median = middle(turns.sort((a, b) => a.ratio - b.ratio));
  if (median === undefined) throw new Error(`${name} has no rounds`);
  return { name, unit, ...median, wanted };
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds that `work` usually takes: the median of `times` runs. */
export async function typical(times: number, work: () => unknown): Promise<number> {
  const all: number[] = [];
  for (let run = 0; run < times; run++) all.push(await timed(work));
  return middle(all.sort((a, b) => a - b)) ?? Number.NaN;
}

/** Turns of 3 s before those that count: a server is as fast as it gets after some 50,000 requests. */
export const warmUps = 2;

/** Connections that ask at once wherever a rate is measured, of ours and of the bare thing alike. */
export const connections = 16;

/** Requests a second that an address answers over `seconds`; throws when any answer is not `status`. */
export function rate(
  url: string,
  headers: Readonly<Record<string, string>>,
  status: number,
  options: { readonly seconds?: number; readonly requests?: readonly autocannon.Request[] } = {},
): Promise<number> {
  const { seconds = 3, requests } = options;
  return counted(url, status, {
    url,
    headers: { ...headers },
    connections,
    duration: seconds,
    ...(requests === undefined ? {} : { requests: [...requests] }),
  });
}

async function counted(url: string, status: number, options: autocannon.Options): Promise<number> {
  const result = await autocannon(options);
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
    `${figure(row.ours)} ${row.unit}`,
    `${figure(row.bare)} ${row.unit}`,
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

const figure = (value: number): string => value.toFixed(value < 10 ? 3 : 1);
