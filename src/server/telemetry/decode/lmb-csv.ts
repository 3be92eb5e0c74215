import { CsvRows } from './csv-rows.ts';
import { readCsvNumber } from './csv-time.ts';
import type { LmbCsvHeader } from './lmb-csv-header.ts';
import { AmsterdamTimes, type LocalTime, readLmbTime } from './lmb-csv-time.ts';
import type { LogClock } from './log-clock.ts';
import { LogError } from './log-error.ts';
import { countBadLine, type LogStats } from './log-stats.ts';
import { type LogPlace, SecondReadings } from './second-readings.ts';

const SEPARATORS = [',', ';', '\t'];

/**
 * Decodes the rows of an LMB CSV, piece by piece, into readings. A cell's decimals follow a comma or a point. A time
 * without a zone is Amsterdam's. A row that was read earlier is read again for its time only: which of two hours of
 * the same name it is in follows from the rows before it.
 */
export class LmbCsv {
  readonly readings: SecondReadings;
  readonly #header: LmbCsvHeader;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #from: LogPlace;
  readonly #rows: CsvRows;
  readonly #times = new AmsterdamTimes();
  #before: LocalTime | undefined;

  /**
   * @param headerEnd where the rows begin
   * @param from rows before this place are in earlier readings
   */
  constructor(header: LmbCsvHeader, headerEnd: LogPlace, clock: LogClock, stats: LogStats, from: LogPlace) {
    this.#header = header;
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
    this.readings = new SecondReadings(header.signals.map(({ name }) => name));
    this.#rows = new CsvRows(header.separator, headerEnd, (cells, place) => this.#readRow(cells, place));
  }

  /** Everything before this place is in readings that are finished. */
  get place(): LogPlace {
    const here = this.readings.unfinishedFrom ?? this.#rows.place;
    return here.byteOffset < this.#from.byteOffset ? this.#from : here;
  }

  /** @throws LogError 'header' or 'coarse times' */
  push(piece: Uint8Array): void {
    this.#rows.push(piece);
  }

  /** @param cut the text is known to go on; then what stands after the last line end is a bad line */
  end(cut: boolean): void {
    if (!cut) this.#rows.end();
    else if (this.#rows.hasRest) countBadLine(this.#stats, this.#rows.place.line + 1);
    this.readings.finish();
  }

  #readRow(cells: readonly string[] | undefined, place: LogPlace): void {
    const { columnCount, timeColumn, signals } = this.#header;
    const stats = this.#stats;
    const isNew = place.byteOffset >= this.#from.byteOffset;
    const cell = cells?.length === columnCount ? cells[timeColumn] : undefined;
    const instant = cell === undefined ? undefined : this.#instantOf(cell, place);
    if (!isNew) return;
    if (cells === undefined || instant === undefined) {
      if (stats.frames === 0 && cells !== undefined) this.#requireSeparator(cells, place);
      countBadLine(stats, place.line + 1);
      return;
    }
    stats.frames += 1;
    const time = this.#clock.realDate(instant);
    if (time === undefined) {
      stats.refusedTimes += 1;
      this.readings.finish();
      return;
    }
    this.readings.at(time, place.byteOffset, place.line);
    stats.decodedFrames += 1;
    signals.forEach(({ column }, slot) => {
      const text = cells[column];
      if (text === undefined || text === '') return;
      const value = readCsvNumber(text, true);
      if (value === undefined) stats.skippedValues += 1;
      else this.readings.set(slot, value);
    });
  }

  /** ms; undefined when the cell is no time, or one that no clock showed. */
  #instantOf(cell: string, place: LogPlace): number | undefined {
    const time = readLmbTime(cell);
    if (time === undefined || typeof time === 'number') return this.#times.note(time);
    // Excel hides the seconds, and saves what it shows: of a whole minute one reading would be left.
    if (!time.hasSeconds && this.#before?.hasSeconds === false && time.clock === this.#before.clock) {
      throw new LogError(
        'coarse times',
        `CSV, regel ${place.line + 1}: de tijden hebben geen seconden ('${cell}'). Geef de kolom time in Excel de notatie dd-mm-jjjj uu:mm:ss en sla opnieuw op.`,
      );
    }
    this.#before = time;
    const isNew = place.byteOffset >= this.#from.byteOffset;
    if (isNew) this.#stats.localTimes = (this.#stats.localTimes ?? 0) + 1;
    return this.#times.instantOf(time);
  }

  /** Of the first row: with another separator than the header's nothing of the file would be read. */
  #requireSeparator(cells: readonly string[], place: LogPlace): void {
    const { separator, columnCount } = this.#header;
    const row = cells.join(separator);
    const other = SEPARATORS.find((one) => one !== separator && row.split(one).length >= columnCount);
    if (cells.length === columnCount || other === undefined) return;
    const named = (sign: string) => (sign === '\t' ? 'tab' : `'${sign}'`);
    throw new LogError(
      'header',
      `CSV, regel ${place.line + 1}: het scheidingsteken is ${named(other)}, in de eerste regel is het ${named(separator)}.`,
    );
  }
}
