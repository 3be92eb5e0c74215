import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import { countBadLine, LogError, type LogStats } from '#server/telemetry/decode/log-outcome.ts';
import { type LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import { amsterdamInstant, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { describeBadRow } from './csv-errors.ts';
import { CsvRows } from './csv-rows.ts';
import { readCsvNumber, readCsvTime } from './csv-time.ts';
import type { LmbCsvHeader } from './lmb-csv-header.ts';

const TIMES = '12-4-2025 08:00:00 of 2026-06-01T10:00:00Z';
const SEPARATORS = [',', ';', '\t'];

/**
 * Decodes the rows of an LMB CSV, part by part, into readings. A cell has a decimal comma or a decimal point. A time without a zone
 * is Amsterdam time. Of rows that were read earlier only the time is read again: in October one hour occurs twice, and the rows
 * before a time determine which of the two it is in.
 */
export class LmbCsv {
  readonly readings: SecondReadingBuilder;
  readonly #header: LmbCsvHeader;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #from: LogOffset;
  readonly #rows: CsvRows;
  readonly #times = new AmsterdamTimes();
  #before: LocalTime | undefined;

  /**
   * Creates the decoder.
   * @param headerEnd place at which the rows begin
   * @param from place in the file; the rows before it were decoded into readings earlier
   */
  constructor(header: LmbCsvHeader, headerEnd: LogOffset, clock: LogClock, stats: LogStats, from: LogOffset) {
    this.#header = header;
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
    this.readings = new SecondReadingBuilder(header.signals.map(({ name }) => name));
    this.#rows = new CsvRows(header.separator, headerEnd, (row, place) => this.#readRow(row, place));
  }

  /** Place in the file before which all rows are in finished readings. */
  get place(): LogOffset {
    const here = this.readings.unfinishedFrom ?? this.#rows.place;
    return here.byteOffset < this.#from.byteOffset ? this.#from : here;
  }

  /** Reads the next bytes. @throws LogError 'header' or 'coarse times' */
  push(piece: Uint8Array): void {
    this.#rows.push(piece);
  }

  /** Ends the text. @param cut whether reading stopped before the end of the text; an incomplete last row then counts as a bad line */
  end(cut: boolean): void {
    if (!cut) this.#rows.end();
    else if (this.#rows.rest.length > 0) this.#countBad(this.#rows.rest, this.#rows.place);
    this.readings.finish();
  }

  #countBad(row: readonly string[] | Uint8Array, place: LogOffset): void {
    const { separator, columnCount } = this.#header;
    countBadLine(this.#stats, place.line + 1, () => describeBadRow(row, separator, columnCount, TIMES));
  }

  #readRow(row: readonly string[] | Uint8Array, place: LogOffset): void {
    const { columnCount, timeColumn, signals } = this.#header;
    const cells = row instanceof Uint8Array ? undefined : row;
    const stats = this.#stats;
    const isNew = place.byteOffset >= this.#from.byteOffset;
    const cell = cells?.length === columnCount ? cells[timeColumn] : undefined;
    const instant = cell === undefined ? undefined : this.#instantOf(cell, place);
    if (!isNew) return;
    if (cells === undefined || instant === undefined) {
      if (stats.frames === 0 && cells !== undefined) this.#requireSeparator(cells, place);
      this.#countBad(row, place);
      return;
    }
    stats.frames += 1;
    const time = this.#clock.realDate(instant);
    if (time === undefined) {
      stats.refusedTimes += 1;
      return;
    }
    this.readings.at(time, place.byteOffset, place.line);
    stats.decodedFrames += 1;
    signals.forEach(({ column }, slot) => {
      const text = cells[column];
      if (text === undefined || text === '') return;
      const value = readCsvNumber(text, true);
      if (value === undefined || !this.readings.set(slot, value)) stats.skippedValues += 1;
    });
  }

  /** Returns milliseconds since 1970; undefined when the cell is no time, or a time that does not exist in Amsterdam. */
  #instantOf(cell: string, place: LogOffset): number | undefined {
    const time = readLmbTime(cell);
    if (time === undefined || typeof time === 'number') return this.#times.note(time);
    // Excel hides the seconds and saves only the visible text, so all rows of a minute would become one reading.
    if (!time.hasSeconds && this.#before?.hasSeconds === false && time.clock === this.#before.clock) {
      throw new LogError('coarse times', {
        kind: 'csv-times-without-seconds',
        line: place.line + 1,
        time: cell,
      });
    }
    this.#before = time;
    const isNew = place.byteOffset >= this.#from.byteOffset;
    if (isNew) this.#stats.localTimes = (this.#stats.localTimes ?? 0) + 1;
    return this.#times.instantOf(time);
  }

  /** Rejects a file whose first row has a different separator than the header, because none of its rows could be read. */
  #requireSeparator(cells: readonly string[], place: LogOffset): void {
    const { separator, columnCount } = this.#header;
    const row = cells.join(separator);
    const other = SEPARATORS.find((one) => one !== separator && row.split(one).length >= columnCount);
    if (cells.length === columnCount || other === undefined) return;
    throw new LogError('header', {
      kind: 'csv-other-separator',
      line: place.line + 1,
      separator: other,
      expected: separator,
    });
  }
}

/** Pattern of times as Excel writes them in the Netherlands: '12-4-2025 8:00:00,5' and '12/04/2025 08:00'. */
const DUTCH = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/;

/** A time without a zone, as a clock shows it. `hasSeconds`: the cell contains seconds. */
type LocalTime = { readonly clock: string; readonly ms: number; readonly hasSeconds: boolean };

/** Returns milliseconds since 1970 when the cell has a zone (ISO 8601) or an epoch; otherwise the local time. */
function readLmbTime(cell: string): number | LocalTime | undefined {
  const time = readCsvTime(cell, true);
  if (typeof time === 'number') return time;
  if (time === 'no zone') return localTime(`${cell}Z`, !/[T ]\d\d:\d\d$/.test(cell));
  const [matched, day, month, year, hour, minute, second, fraction = '0'] = DUTCH.exec(cell) ?? [];
  if (matched === undefined) return undefined;
  const two = (text = '0') => text.padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${two(second)}.${fraction}Z`;
  return localTime(iso, second !== undefined);
}

/** Returns the local time; undefined for an impossible date. @param asUtc the time with Z, by which an impossible date is detected */
function localTime(asUtc: string, hasSeconds: boolean): LocalTime | undefined {
  const wall = readCsvTime(asUtc, true);
  if (typeof wall !== 'number') return undefined;
  const clock = new Date(wall).toISOString().slice(0, 19).replace('T', ' ');
  return { clock, ms: wall % 1000, hasSeconds };
}

/**
 * Converts times of an Amsterdam clock to instants, in the order of the file. One hour occurs twice when summer time ends: a time is
 * in its second occurrence if the row before is later than the time would be in the first occurrence, and otherwise in the first.
 */
class AmsterdamTimes {
  #before: number | undefined;

  /** Returns milliseconds since 1970; undefined in the hour that summer time skips. */
  instantOf({ clock, ms }: LocalTime): number | undefined {
    const first = amsterdamInstant(clock, 'first');
    const second = amsterdamInstant(clock, 'last');
    if (first === undefined || second === undefined || wallClockOf(first) !== clock)
      return this.note(undefined);
    const before = this.#before;
    const isSecond = before !== undefined && before > first + ms && before <= second + ms;
    return this.note((isSecond ? second : first) + ms);
  }

  /** Records the instant of a row whose time has a zone. */
  note(instant: number | undefined): number | undefined {
    if (instant !== undefined) this.#before = instant;
    return instant;
  }
}
