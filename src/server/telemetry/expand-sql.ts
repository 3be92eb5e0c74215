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

/** What a bucket of the roll-up holds of its pieces: the same when they come in and when it is made anew. */
const BUCKET_SUMS = `sum(count)::integer as count, sum(running_ms(motor_speed, ms))::bigint as running_ms,
      sum(out_j(battery_current, battery_voltage, ms))::bigint as out_j,
      sum(in_j(battery_current, battery_voltage, is_charging, charging_current, ms))::bigint as in_j,
      sum(charged_j(battery_current, battery_voltage, is_charging, charging_current, charging_voltage, ms))::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count,
      min(speed) as speed_min, max(speed) as speed_max`;

/** Literals, not functions: those would be called every time a statement is planned. */
const CONSTANTS: Readonly<Record<string, number | string>> = {
  BUCKET_MS,
  BUCKET_SUMS,
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
 * `{{signal: '$'}}` for the signals' own names. Numbers and the sums of a bucket by their name: `{{MAX_GAP_MS}}`.
 */
export function expandSql(sql: string): string {
  return sql.replace(/\{\{(?:(\w+): )?(.*?)\}\}/gs, (_, list: string | undefined, text: string) => {
    if (list === undefined && /^[A-Z_]+$/.test(text)) return String(known(CONSTANTS, text));
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
