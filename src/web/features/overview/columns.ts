import { COLUMN_KEYS, type ColumnKey, USUAL_COLUMNS } from './fleet-row.ts';

/** Parses '?kolommen=accu,werktijd'; without it returns the usual columns. Ignores unknown names; always includes the machine. */
export function columnsOf(search: URLSearchParams): readonly ColumnKey[] {
  const named = search.get('kolommen')?.split(',');
  return named ? COLUMN_KEYS.filter((key) => key === 'machine' || named.includes(key)) : USUAL_COLUMNS;
}

/** Returns the query string with these columns. Keeps other parameters. */
export function withColumns(search: URLSearchParams, columns: readonly ColumnKey[]): URLSearchParams {
  const next = new URLSearchParams(search);
  const chosen = COLUMN_KEYS.filter((key) => columns.includes(key));
  if (chosen.join() === USUAL_COLUMNS.join()) next.delete('kolommen');
  else next.set('kolommen', chosen.filter((key) => key !== 'machine').join());
  return next;
}
