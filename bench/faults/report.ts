import type { Machine } from '../machine.ts';
import type { Outcome } from './fault.ts';

const HEAD = ['fault', 'rounds', 'what was done', 'what must hold', 'result', 'seconds'] as const;
const BEGIN = '<!-- faults: written by `npm run faults` -->';
const END = '<!-- faults: end -->';

const cellsOf = ({ name, rounds, done, holds, result, seconds }: Outcome): string[] => [
  name,
  String(rounds),
  done,
  holds,
  result,
  seconds.toFixed(0),
];

/** For a terminal: the two sentences go below their line. */
export function terminalTable(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  return outcomes
    .map(({ name, rounds, done, holds, result, seconds, notes }) =>
      [
        `${result.padEnd(7)} | ${name.padEnd(width)} | ${String(rounds).padStart(3)} x | ${seconds.toFixed(0).padStart(4)} s`,
        `        done: ${done}`,
        `        must hold: ${holds}`,
        ...notes.map((note) => `        - ${note}`),
      ].join('\n'),
    )
    .join('\n');
}

/** The table of docs/reliability.md, with when and on what. */
export function documentTable(machine: Machine, outcomes: readonly Outcome[]): string {
  const { date, cores, cpuModel, memoryGib, system, node, postgres, loadAverage } = machine;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${cores} cores (${cpuModel}), ${memoryGib.toFixed(0)} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}, load average ${loadAverage.toFixed(2)} at the start.`,
    '',
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...outcomes.map((outcome) => line(cellsOf(outcome))),
    '',
    'Figures:',
    '',
    ...outcomes.map(({ name, notes }) => `- **${name}**: ${notes.join('; ')}`),
  ].join('\n');
}

/** `page` with `table` between its two marks. @throws when it has not both */
export function withTable(page: string, table: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has lost its marks ${BEGIN} … ${END}.`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${table}\n\n${page.slice(to)}`;
}
