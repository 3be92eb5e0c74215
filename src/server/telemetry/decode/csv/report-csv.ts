import { headingOf } from '#shared/domain/reports/column.ts';
import { SIGNALS } from '#shared/domain/signal.ts';

/** Headings of the times in the portal's own report 'Metingen'. Only the UTC time is unambiguous for every row (52.10). */
const UTC_TIME = 'tijd (utc)';
const LOCAL_TIME = 'tijd (amsterdam)';

const NAMES = new Map(SIGNALS.map(({ name, word, unit }) => [headingOf({ title: word, unit }), name]));

/** Returns whether the headings are those of the portal's own report 'Metingen'. */
export const isReportHead = (headings: readonly string[]): boolean =>
  headings[0]?.toLowerCase() === LOCAL_TIME && headings[1]?.toLowerCase() === UTC_TIME;

/**
 * Converts headings of 'Metingen' to headings of a CSV of signals. The UTC time becomes 'time', the Amsterdam time gets no name and
 * is skipped, and a signal of the catalogue gets the name under which it is stored. Any other signal has its own name in the report,
 * followed by its unit; the unit is removed.
 */
export const toSignalHeader = (headings: readonly string[]): string[] =>
  headings.map((heading, column) => {
    if (column < 2) return column === 1 ? 'time' : '';
    const plain = heading.replace(/^'/, '');
    return NAMES.get(plain) ?? withoutUnit(plain);
  });

function withoutUnit(heading: string): string {
  const begin = heading.lastIndexOf(' (');
  return begin > 0 && heading.endsWith(')') ? heading.slice(0, begin) : heading;
}
