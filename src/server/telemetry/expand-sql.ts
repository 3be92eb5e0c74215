import { DEFAULT_VOLTS } from '#shared/domain/battery.ts';
import { BUCKET_MS, MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, CHARGING_FLAG_FROM, RUNNING_ABOVE_RPM } from '#shared/domain/machine-status.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { MOST_NAMES } from './newest-signals.ts';

const LISTS: Readonly<Record<string, readonly string[]>> = {
  column: SIGNALS.map(({ column }) => column),
  tail: SIGNALS.filter(({ tail }) => tail).map(({ column }) => column),
  signal: SIGNALS.map(({ name }) => name),
};

/** Literals, not functions: those would be called every time a statement is planned. */
const NUMBERS: Readonly<Record<string, number>> = {
  BUCKET_MS,
  CHARGING_ABOVE_AMPS,
  CHARGING_FLAG_FROM,
  DEFAULT_VOLTS,
  MAX_GAP_MS,
  MOST_NAMES,
  RUNNING_ABOVE_RPM,
};

/**
 * Fills in what the SQL in the folders `sql` shares with TypeScript. Lists of signals: `{{in_$}}` becomes
 * `in_latitude, in_longitude, …`, once for every column; `{{tail: tail_$ = r.$}}` for those of the tail,
 * `{{signal: '$'}}` for the signals' own names. Numbers: `{{MAX_GAP_MS}}`.
 */
export function expandSql(sql: string): string {
  return sql.replace(/\{\{(?:(\w+): )?(.*?)\}\}/gs, (_, list: string | undefined, text: string) => {
    if (list === undefined && /^[A-Z_]+$/.test(text)) return String(known(NUMBERS, text));
    return known(LISTS, list ?? 'column')
      .map((name) => text.replaceAll('$', () => name))
      .join(', ');
  });
}

function known<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name];
  if (found === undefined) throw new Error(`The SQL asks for ${name}, which expand-sql.ts does not have.`);
  return found;
}
