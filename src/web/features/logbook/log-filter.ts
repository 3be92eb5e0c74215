import { amsterdamInstant, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { LOG_KINDS, type LogKind } from '#shared/domain/log-kinds.ts';

/** The filter of the log. It is part of the page's address, so that a link shows the same entries. */
export type LogPageFilter = {
  readonly person?: number;
  readonly machine?: string;
  readonly kind?: LogKind;
  /** Unix ms, like `to`. */
  readonly from?: number;
  readonly to?: number;
};

const isKind = (text: string): text is LogKind => Object.hasOwn(LOG_KINDS, text);

/** Reads the filter from the page's address and ignores invalid values, because a user may have typed the address. */
export function logFilterFromUrl(search: URLSearchParams): LogPageFilter {
  const person = Number(search.get('persoon'));
  const machine = search.get('machine')?.trim();
  const kind = search.get('soort') ?? '';
  const from = amsterdamInstant(search.get('van') ?? '', 'first');
  const to = amsterdamInstant(search.get('tot') ?? '', 'last');
  return {
    ...(Number.isSafeInteger(person) && person > 0 && { person }),
    ...(machine && { machine }),
    ...(isKind(kind) && { kind }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

const clock = (ms: number): string => wallClockOf(ms).slice(0, 16).replace(' ', 'T');

/** Returns for example '?machine=L-1&van=2026-11-01T00:00'; '' without a filter. */
export function logSearchOf({ person, machine, kind, from, to }: LogPageFilter): string {
  const search = new URLSearchParams();
  if (kind !== undefined) search.set('soort', kind);
  if (person !== undefined) search.set('persoon', String(person));
  if (machine) search.set('machine', machine);
  if (from !== undefined) search.set('van', clock(from));
  if (to !== undefined) search.set('tot', clock(to));
  return search.size === 0 ? '' : `?${search.toString().replaceAll('%3A', ':')}`;
}

/** Returns the query parameters with which the log's entries are requested. */
export const logQueryOf = ({ from, to, ...view }: LogPageFilter) => ({
  ...view,
  ...(from !== undefined && { from: new Date(from).toISOString() }),
  ...(to !== undefined && { to: new Date(to).toISOString() }),
});

/** Returns the path of the CSV file that contains the entries of the filter. */
export function csvPath(view: LogPageFilter): string {
  const entries = Object.entries(logQueryOf(view)).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(entries);
  return `/api/log/csv${search.size === 0 ? '' : `?${search}`}`;
}
