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

const RESULTS_HEAD = `# Measured by \`npm run bench\`

Each number stands beside its reference of the same run; ratios are the median of adjacent pairs. What each row
measures, and how, is said at the top of its file in \`bench/\`.

`;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What bench/results.md says of one bench: '## name' and what it was measured on. */
function section(name: string, machine: Machine, rows: readonly Row[]): string {
  const { cores, cpuModel, memoryGib, system, node, postgres, date, loadAverage } = machine;
  const warning = loadWarning(machine);
  return [
    `## ${name}`,
    '',
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${cores} cores (${cpuModel}), ${memoryGib.toFixed(0)} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}, load average ${loadAverage.toFixed(2)} at the start.`,
    '',
    ...(warning ? [`**${warning}**`, ''] : []),
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...rows.map((row) => line(cellsOf(row))),
    '',
    ...rows.flatMap(({ what, notes }) => [`### ${what}`, '', ...notes.map((note) => `- ${note}`), '']),
  ].join('\n');
}

/**
 * bench/results.md after a run of some benches.
 * @param page the one before; the sections of others in it stay
 * @param names of all benches, in the order of the sections
 */
export function resultsPage(
  page: string,
  names: readonly string[],
  machine: Machine,
  measured: ReadonlyMap<string, readonly Row[]>,
): string {
  const before = new Map(
    page
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => [/^## (.*)/.exec(text)?.[1], text.trimEnd()]),
  );
  const sections = names.flatMap((name) => {
    const rows = measured.get(name);
    return (rows ? section(name, machine, rows).trimEnd() : before.get(name)) ?? [];
  });
  return `${RESULTS_HEAD}${sections.join('\n\n')}\n`;
}
