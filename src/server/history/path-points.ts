import { AsciiText } from '#server/platform/ascii-text.ts';
import {
  columnForFigures,
  type OneReading,
  type ReadingColumns,
} from '#server/telemetry/readings/columns.ts';
import { SOC_SIGNALS } from '#server/telemetry/readings/signal-columns.ts';
import type { PathPoint } from '#shared/contract/history.ts';

const MINUTE_MS = 60_000;

/** Signals of a point of a path, and their columns. */
export const POINT_SIGNALS = ['LATITUDE', 'LONGITUDE', 'Speed', ...SOC_SIGNALS.map(({ name }) => name)];
export const POINT_COLUMNS = POINT_SIGNALS.map(columnForFigures);
const [LATITUDE, LONGITUDE, SPEED, FIRST_PACK] = [0, 1, 2, 3];

/** Returns the number of packs that a reading at a time (ms) must have for its state of charge to be shown. */
export type PackCountAt = (time: number) => number;

/**
 * Returns the mean of the packs of a reading in %, rounded to thousandths; NaN when it does not have all packs
 * (docs/figures.md section 6).
 */
function socOf(packCount: number, valueAt: (column: number) => number): number {
  let [sum, packs] = [0, 0];
  for (let column = FIRST_PACK; column < POINT_COLUMNS.length; column += 1) {
    const value = valueAt(column);
    if (Number.isNaN(value)) continue;
    sum += value;
    packs += 1;
  }
  return packs > 0 && packs === packCount ? Math.floor((sum / packs) * 1000 + 0.5) / 1000 : Number.NaN;
}

/** Returns a reading with a position as a point. The values of a reading are those of POINT_COLUMNS. */
export function pathPointOf({ time, values }: OneReading, packsAt: PackCountAt): PathPoint {
  const valueAt = (column: number): number => values[column] ?? Number.NaN;
  const [speed, soc] = [valueAt(SPEED), socOf(packsAt(time), valueAt)];
  return {
    lat: valueAt(LATITUDE),
    lon: valueAt(LONGITUDE),
    time: new Date(time).toISOString(),
    ...(!Number.isNaN(speed) && { speed }),
    ...(!Number.isNaN(soc) && { soc }),
  };
}

/** Bytes of an average point in JSON. */
const POINT_BYTES = 120;

/**
 * Returns the readings with a position as JSON without the brackets: `{"lat":…},{…}`. Making objects of them first would cost more than
 * everything else for a long path.
 * The columns are those of POINT_COLUMNS.
 */
export function jsonOfPoints({ times, values }: ReadingColumns, packsAt: PackCountAt, before = ''): Buffer {
  const json = new AsciiText(POINT_BYTES * times.length);
  const addTime = openClock(json);
  for (let n = 0; n < times.length; n += 1) {
    const valueAt = (column: number): number => values[column]?.[n] ?? Number.NaN;
    const [lat, time] = [valueAt(LATITUDE), times[n] as number];
    if (Number.isNaN(lat)) continue;
    const [speed, soc] = [valueAt(SPEED), socOf(packsAt(time), valueAt)];
    json.add(json.length === 0 ? before : ',');
    json.add('{"lat":').addNumber(lat).add(',"lon":').addNumber(valueAt(LONGITUDE)).add(',"time":"');
    addTime(time);
    json.add('"');
    if (!Number.isNaN(speed)) json.add(',"speed":').addNumber(speed);
    if (!Number.isNaN(soc)) json.add(',"soc":').addNumber(soc);
    json.add('}');
  }
  return json.toBytes();
}

/** Returns a fast toISOString() for ordered instants, which adds to `json`: within one minute only the seconds are formatted again. */
function openClock(json: AsciiText): (ms: number) => void {
  let minute = Number.NaN;
  let text = '';
  return (ms) => {
    const now = Math.floor(ms / MINUTE_MS);
    if (now !== minute) {
      minute = now;
      text = new Date(now * MINUTE_MS).toISOString().slice(0, 17); // 2026-11-21T08:00:
    }
    const rest = ms - now * MINUTE_MS;
    const seconds = Math.floor(rest / 1000);
    json
      .add(text)
      .addDigits(seconds, 2)
      .add('.')
      .addDigits(rest - seconds * 1000, 3)
      .add('Z');
  };
}
