import type { BenchContext } from './context.ts';
import { type Comparison, median } from './statistics.ts';

/** A row of the result table: a measurement beside the reference that was measured in the same run (docs/performance.md). */
export type BenchRow = {
  readonly what: string;
  readonly measured: string;
  readonly reference?: string;
  /** Median over all measured pairs of the ratio of the portal's value to the reference's value. */
  readonly ratio?: number;
  readonly toReach: string;
  readonly reached: boolean;
  /** The value of each round and other numbers, which are only written into the JSON file of the run. */
  readonly details?: readonly string[];
};

export type Bench = (context: BenchContext) => Promise<readonly BenchRow[]>;

/** Formats a number as '6,048'. */
export const wholeNumber = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** Returns the targets, joined by a comma, without those that are undefined. */
const marks = (...all: readonly (string | undefined)[]): string => all.filter((one) => one).join(', ');

/** Returns the row of a rate in `unit` (`/s`, ` readings/s`) that was measured in pairs with a reference. */
export function rateRow(
  what: string,
  { ours, reference, ratio, rounds }: Comparison,
  to: { unit: string; beside: string; leastRatio?: number; least?: number; details?: readonly string[] },
): BenchRow {
  const { unit, beside, leastRatio, least, details = [] } = to;
  return {
    what,
    measured: `${wholeNumber(ours)}${unit}`,
    reference: `${wholeNumber(reference)}${unit} ${beside}`,
    ratio,
    toReach: marks(
      least === undefined ? undefined : `>= ${wholeNumber(least)}${unit}`,
      leastRatio === undefined ? undefined : `>= ${leastRatio} x`,
    ),
    reached: ours >= (least ?? 0) && ratio >= (leastRatio ?? 0),
    details: [`pairs: ${rounds}`, ...details],
  };
}

/** Returns the row of a time: the median of `timesMs`, with the target that the median is at most `mostMs`. */
export function timeRow(
  what: string,
  timesMs: readonly number[],
  mostMs: number,
  more: Partial<BenchRow> = {},
): BenchRow {
  const ms = median(timesMs);
  const digits = mostMs < 50 ? 1 : 0;
  return {
    what,
    measured: `${ms.toFixed(digits)} ms`,
    toReach: `<= ${wholeNumber(mostMs)} ms`,
    reached: ms <= mostMs,
    ...more,
    details: [`each, ms: ${timesMs.map((one) => one.toFixed(digits)).join(' ')}`, ...(more.details ?? [])],
  };
}

const HEAD = ['benchmark', 'measured', 'reference', 'ratio', 'target'] as const;

const cellsOf = (
  bench: string,
  { what, measured, reference, ratio, toReach, reached }: BenchRow,
): string[] => [
  `${bench}: ${what}`,
  measured,
  reference ?? '–',
  ratio === undefined ? '–' : `${ratio.toFixed(2)} x`,
  reached ? toReach : `NO: ${toReach}`,
];

export type BenchResults = ReadonlyMap<string, readonly BenchRow[]>;

/** Returns the rows with aligned columns, for a terminal. */
export function textTable(measured: BenchResults): string {
  const rows = [...measured].flatMap(([bench, own]) => own.map((row) => cellsOf(bench, row)));
  const lines = [[...HEAD], ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
    .map((line) => line.trimEnd())
    .join('\n');
}

const RESULTS_HEAD = `# Results of \`npm run bench\`

Each reference is measured in the same run; a ratio is the median of adjacent pairs. \`NO\` before a target means that it was not
reached. The date is that of the last complete run, or of a later run of some benchmarks with \`--record\`. A row's name begins with
its benchmark, whose file \`*.bench.ts\` begins with a comment on what the rows measure. The JSON file of a run has the value of each
round.

| ${[...HEAD, 'date'].join(' | ')} |
|${'---|'.repeat(HEAD.length + 1)}
`;

/**
 * Returns bench/results.md after a run.
 * @param page the page before the run; rows of benchmarks that did not run stay
 * @param names of all benchmarks, in the order of the table
 */
export function resultsPage(
  page: string,
  names: readonly string[],
  date: Date,
  measured: BenchResults,
): string {
  const before = page.split('\n');
  const day = date.toISOString().slice(0, 10);
  const lines = names.flatMap(
    (name) =>
      measured.get(name)?.map((row) => `| ${[...cellsOf(name, row), day].join(' | ')} |`) ??
      before.filter((line) => line.startsWith(`| ${name}: `)),
  );
  return `${RESULTS_HEAD}${lines.join('\n')}\n`;
}
