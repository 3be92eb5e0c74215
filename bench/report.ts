import { type Machine, QUIET_LOAD } from './machine.ts';
import type { Row } from './row.ts';

const HEAD = ['what', 'measured', 'reference', 'ratio', 'reach', 'ok?'] as const;

const cellsOf = ({ what, measured, reference, ratio, reach, reached }: Row): string[] => [
  what,
  measured,
  reference ?? '–',
  ratio === undefined ? '–' : `${ratio.toFixed(2)} x`,
  reach,
  reached ? 'yes' : 'NO',
];

/** The rows with aligned columns, for a terminal. */
export function textTable(rows: readonly Row[]): string {
  const lines = [[...HEAD], ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

/** The load of others is in every number: the warning says so; undefined on a quiet machine. */
export const loadWarning = ({ loadAverage, cores }: Machine): string | undefined =>
  loadAverage > QUIET_LOAD
    ? `Warning: the load average was ${loadAverage.toFixed(2)} at the start, on ${cores} cores: others were working too, and the numbers are lower than this machine can do.`
    : undefined;

/** bench/results.md. */
export function resultsPage(machine: Machine, rows: readonly Row[]): string {
  const { cores, cpuModel, memoryGib, system, node, postgres, date, loadAverage } = machine;
  const warning = loadWarning(machine);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# Measured by `npm run bench`',
    '',
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${cores} cores (${cpuModel}), ${memoryGib.toFixed(0)} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}, load average ${loadAverage.toFixed(2)} at the start.`,
    '',
    ...(warning ? [`**${warning}**`, ''] : []),
    'Each number stands beside its reference of the same run; ratios are the median of adjacent pairs. What each row',
    'measures, and how, is said at the top of its file in `bench/`.',
    '',
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...rows.map((row) => line(cellsOf(row))),
    '',
    '## Rounds',
    '',
    ...rows.flatMap(({ what, notes }) => [`### ${what}`, '', ...notes.map((note) => `- ${note}`), '']),
  ].join('\n');
}
