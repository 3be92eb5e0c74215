import { instantOf, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { readCsvTime } from './csv-time.ts';

/** '12-4-2025 8:00:00,5' and '12/04/2025 08:00', as Excel writes them in the Netherlands. */
const DUTCH = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/;

/** A time without a zone: what a clock showed. `hasSeconds`: whether the cell says them. */
export type LocalTime = { readonly clock: string; readonly ms: number; readonly hasSeconds: boolean };

/** ms since 1970 where the cell says its zone (ISO 8601, or an epoch), else what a clock showed. */
export function readLmbTime(cell: string): number | LocalTime | undefined {
  const time = readCsvTime(cell, true);
  if (typeof time === 'number') return time;
  if (time === 'no zone') return localTime(`${cell}Z`, !/[T ]\d\d:\d\d$/.test(cell));
  const [matched, day, month, year, hour, minute, second, fraction = '0'] = DUTCH.exec(cell) ?? [];
  if (matched === undefined) return undefined;
  const two = (text = '0') => text.padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${two(second)}.${fraction}Z`;
  return localTime(iso, second !== undefined);
}

/** @param asUtc with Z, so that a date that is none is found out */
function localTime(asUtc: string, hasSeconds: boolean): LocalTime | undefined {
  const wall = readCsvTime(asUtc, true);
  if (typeof wall !== 'number') return undefined;
  const clock = new Date(wall).toISOString().slice(0, 19).replace('T', ' ');
  return { clock, ms: wall % 1000, hasSeconds };
}

/**
 * Turns an Amsterdam clock's times into instants, in the order of the file. In the hour that comes twice when summer
 * time ends, a clock that jumps back has come to the second one; with a first row in that hour it is taken as the
 * first.
 */
export class AmsterdamTimes {
  #before: number | undefined;

  /** ms since 1970; undefined in the hour that summer time skips. */
  instantOf({ clock, ms }: LocalTime): number | undefined {
    const first = instantOf(clock, 'first');
    const second = instantOf(clock, 'last');
    if (first === undefined || second === undefined || wallClockOf(first) !== clock)
      return this.note(undefined);
    const before = this.#before;
    const isSecond = before !== undefined && before > first + ms && before <= second + ms;
    return this.note((isSecond ? second : first) + ms);
  }

  /** Of a row that says its zone itself. */
  note(instant: number | undefined): number | undefined {
    if (instant !== undefined) this.#before = instant;
    return instant;
  }
}
