import { type Host, hostText } from '../host.ts';
import type { FaultOutcome } from './fault.ts';

const HEAD = ['fault', 'rounds', 'what was done', 'what must hold', 'result', 'duration, s'] as const;
const BEGIN = '<!-- faults: written by `npm run faults` -->';
const END = '<!-- faults: end -->';

const cellsOf = ({ name, rounds, done, holds, result, seconds }: FaultOutcome): string[] => [
  name,
  String(rounds),
  done,
  holds,
  result,
  seconds.toFixed(0),
];

/** Returns the table for a terminal: per fault a line with the result, and below it what was done, what must hold, and the notes. */
export function terminalTable(outcomes: readonly FaultOutcome[]): string {
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

/** Returns the table of docs/reliability.md, with the date and the computer of the measurement. */
export function markdownTable(host: Host, outcomes: readonly FaultOutcome[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    hostText(host),
    '',
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...outcomes.map((outcome) => line(cellsOf(outcome))),
    '',
    'Figures (`8 x bomb 200`: 8 uploads of a bomb got the HTTP status 200):',
    '',
    ...outcomes.map(({ name, notes }) => `- **${name}**: ${notes.join('; ')}`),
  ].join('\n');
}

/**
 * Replaces the table between the two marker comments of docs/reliability.md.
 * @returns the page with the new table
 * @throws if a marker comment is missing
 */
export function replaceTableInPage(page: string, table: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has lost its marks ${BEGIN} … ${END}.`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${table}\n\n${page.slice(to)}`;
}
