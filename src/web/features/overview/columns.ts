import { COLUMN_KEYS, type ColumnKey } from './fleet-row.ts';

/** '?kolommen=accu,werktijd'; without: all. What is none is left out, and the machine is always one. */
export function columnsOf(search: URLSearchParams): readonly ColumnKey[] {
  const named = search.get('kolommen')?.split(',');
  return named ? COLUMN_KEYS.filter((key) => key === 'machine' || named.includes(key)) : COLUMN_KEYS;
}

/** The address's search with these columns in it. */
export function withColumns(search: URLSearchParams, columns: readonly ColumnKey[]): URLSearchParams {
  const next = new URLSearchParams(search);
  if (COLUMN_KEYS.every((key) => columns.includes(key))) next.delete('kolommen');
  else next.set('kolommen', COLUMN_KEYS.filter((key) => columns.includes(key) && key !== 'machine').join());
  return next;
}
