import { SIGNALS } from '#shared/domain/signal.ts';
import { HIGHEST_VALUE_COLUMNS, LOWEST_VALUE_COLUMNS, SUM_COLUMNS } from './rollup-columns.ts';

const LISTS: Readonly<Record<string, readonly string[]>> = {
  signal: SIGNALS.map(({ column }) => column),
  sum: SUM_COLUMNS.map(({ column }) => column),
  low: LOWEST_VALUE_COLUMNS.map(({ column }) => column),
  high: HIGHEST_VALUE_COLUMNS.map(({ column }) => column),
};

/**
 * Expands the lists of columns that the SQL in the folders `sql` shares with TypeScript: `{{in_$}}` becomes
 * `in_latitude, in_longitude, …`, once for every signal's column, and `{{sum: $ = r.$ + excluded.$}}` is expanded for
 * the sums of the roll-up.
 */
export const expandSqlColumnLists = (sql: string): string =>
  sql.replace(/\{\{(?:(\w+): )?(.*?)\}\}/gs, (_, name: string | undefined, text: string) => {
    const list = LISTS[name ?? 'signal'];
    if (list === undefined) throw new Error(`The SQL asks for ${name}, which expand-sql.ts does not have.`);
    return list.map((column) => text.replaceAll('$', () => column)).join(', ');
  });
