import { readIsoTime } from '#server/telemetry/decode/csv/csv-time.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import {
  countBadLine,
  LogError,
  type LogStats,
  printableLineStart,
} from '#server/telemetry/decode/log-outcome.ts';
import { type LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { BadLine } from '#shared/domain/delivery-findings/format-texts.ts';
import { NEW_SEGMENT, positionOf } from '#shared/domain/position.ts';
import { type GpxPoint, GpxPoints } from './gpx-points.ts';

/** Names of the values, by their slot in the readings. */
const NAMES = ['LATITUDE', 'LONGITUDE', 'Speed', 'ELEVATION', NEW_SEGMENT];
const LATITUDE = 0;
const LONGITUDE = 1;
const SPEED = 2; // in km/h
const ELEVATION = 3; // in m
const SEGMENT = 4; // its value is 1 at the first point of a segment

const KMH_PER_MS = 3.6;
/** Pattern of an xsd:decimal, also with an exponent, because some recorders write one. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Decodes a GPX, part by part, into readings: position, speed and elevation. A point without a readable time, or without a valid
 * position, is left out and counted as a bad line.
 */
export class GpxLog {
  readonly readings = new SecondReadingBuilder(NAMES);
  readonly #points = new GpxPoints((point) => this.#readPoint(point));
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #from: LogOffset;
  #pointCount = 0;
  #timedCount = 0;
  /** Whether a segment began and none of its points could be read yet. */
  #isNewSegment = false;

  /**
   * Creates the decoder.
   * @param from place in the file; the points before it were decoded into readings earlier, but all tags before it are read again
   */
  constructor(clock: LogClock, stats: LogStats, from: LogOffset) {
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
  }

  /** Place in the file before which all points are in finished readings. */
  get place(): LogOffset {
    const { at, line } = this.#points.place;
    const here = this.readings.unfinishedFrom ?? { byteOffset: at, line };
    return here.byteOffset < this.#from.byteOffset ? this.#from : here;
  }

  /** Reads the next bytes. @throws LogError 'corrupt' or 'header' */
  push(piece: Uint8Array): void {
    this.#points.push(piece);
  }

  /**
   * Ends the text.
   * @param cut whether reading stopped before the end of the text
   * @throws LogError 'no times', 'truncated', 'corrupt' or 'header'; a second call with `cut` then finishes the remaining readings
   */
  end(cut: boolean): void {
    if (!cut) {
      this.#points.end();
      if (this.#timedCount === 0) throw noTrack(this.#pointCount, this.#points.planned);
    }
    this.readings.finish();
  }

  #readPoint(point: GpxPoint): void {
    const stats = this.#stats;
    if (point.beginsSegment) this.#isNewSegment = true;
    const recorded = readTime(point.time ?? '');
    this.#pointCount += 1;
    if (typeof recorded === 'number') this.#timedCount += 1;
    const position = positionOf({ LATITUDE: numberOf(point.lat), LONGITUDE: numberOf(point.lon) });
    if (point.at < this.#from.byteOffset) {
      if (typeof recorded === 'number' && position !== undefined) this.#isNewSegment = false;
      return;
    }
    if (typeof recorded !== 'number' || position === undefined) {
      countBadLine(stats, point.line + 1, () => badPoint(point));
      return;
    }
    stats.frames += 1;
    const time = this.#clock.realDate(recorded);
    if (time === undefined) {
      stats.refusedTimes += 1;
      return;
    }
    stats.decodedFrames += 1;
    this.readings.at(time, point.at, point.line);
    if (this.#isNewSegment) this.readings.set(SEGMENT, 1);
    this.#isNewSegment = false;
    this.readings.set(LATITUDE, position.lat);
    this.readings.set(LONGITUDE, position.lon);
    this.#setNumber(SPEED, point.speed, KMH_PER_MS, 0); // a phone reports -1 for an unknown speed
    this.#setNumber(ELEVATION, point.ele, 1, Number.NEGATIVE_INFINITY);
  }

  #setNumber(slot: number, text: string | undefined, factor: number, least: number): void {
    if (text === undefined || text === '') return;
    const value = numberOf(text) * factor;
    if (!(value >= least) || !this.readings.set(slot, value)) this.#stats.skippedValues += 1;
  }
}

function noTrack(points: number, { route, waypoints }: GpxPoints['planned']): LogError {
  if (points === 0)
    return new LogError('no times', { kind: waypoints > 0 ? 'gpx-of-waypoints' : 'gpx-without-track' });
  return new LogError('no times', { kind: route === points ? 'gpx-of-route' : 'gpx-without-times' });
}

function badPoint({ lat = '', lon = '', time = '' }: GpxPoint): Omit<BadLine, 'line'> {
  return {
    text: printableLineStart(`<trkpt lat="${lat}" lon="${lon}"><time>${time}</time>`),
    expected: 'gpx',
  };
}

/** Returns milliseconds since 1970. A time without a zone is UTC, according to the schema of GPX 1.1 (wptType, `time`). */
function readTime(text: string): number | undefined {
  const time = readIsoTime(text);
  if (time !== 'no zone') return time;
  const inUtc = readIsoTime(`${text}Z`);
  return inUtc === 'no zone' ? undefined : inUtc;
}

/** Returns the number in a text; NaN when the text is no number. */
function numberOf(text: string | undefined): number {
  const trimmed = text?.trim() ?? '';
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}
