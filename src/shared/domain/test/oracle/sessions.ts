import type { Reading } from '#shared/domain/signal.ts';
import {
  batteryIntervals,
  chargedIntervals,
  chargerOnlyIntervals,
  largestWatts,
  MJ_PER_KWH,
  sumEnergyIn,
} from './energy.ts';
import { chargingIntervals, FULL_FROM_PERCENT, fullIntervals, isRunning } from './hours.ts';
import { type Place, type Position, positionsOf } from './path.ts';
import { meanSocAt, socByPackAt, socPointsOf } from './soc.ts';
import {
  cableStateAt,
  chargingFlagAt,
  FIVE_MINUTES_IN_MS,
  ownedStreams,
  type Range,
  type ReadingStream,
  rangeLengthMs,
  type SignalPoint,
  timeInsideRangeMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Finds charging sessions, as docs/figures.md section 13 defines. */

const TWO_MINUTES = 120_000;
const TEN_MINUTES = 600_000;

/** mJ. A session counts if it charged at least this energy or lasted at least 5 min. */
const ENOUGH = 0.2 * MJ_PER_KWH;

/** Why a session ended; on the screen 'vol', 'geen gegevens', 'losgekoppeld' and 'gestopt'. */
export type SessionEndCause = 'full' | 'no data' | 'unplugged' | 'stopped';

/** Integers: ms and mJ. */
export type Session = Range & {
  readonly chargingMs: number;
  readonly pausesMs: number;
  readonly chargedMj: number;
  /** Mean power, kW. */
  readonly meanPower: number;
  /** W; undefined where nothing was charged. */
  readonly highestWatts: number | undefined;
  /** The part of chargingMs at a mean charge level of 99 % or more. */
  readonly fullMs: number;
  /** Level by pack, %, at the start and the end. */
  readonly begin: ReadonlyMap<number, number>;
  readonly end: ReadonlyMap<number, number>;
  readonly place: Place | undefined;
  /** Undefined while the session is in progress. */
  readonly ended: SessionEndCause | undefined;
};

/** Groups intervals; in a group each interval begins less than 10 min after the end of the one before. */
function together(intervals: readonly Range[]): Range[][] {
  const groups: Range[][] = [];
  for (const interval of intervals) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last !== undefined && interval.from - last.to < TEN_MINUTES) group?.push(interval);
    else groups.push([interval]);
  }
  return groups;
}

/** Returns the level of each pack at `from`, else the first level within 5 min after `from`. */
function socAtBegin(
  stream: ReadingStream,
  from: number,
  pointsOf: ReadonlyMap<number, readonly SignalPoint[]>,
): Map<number, number> {
  const packs = socByPackAt(stream, from);
  for (const [pack, points] of pointsOf) {
    const first = points.find(({ time }) => time > from && time - from <= FIVE_MINUTES_IN_MS);
    if (!packs.has(pack) && first !== undefined) packs.set(pack, first.value);
  }
  return packs;
}

function placeOf(positions: readonly Position[], from: number): Place | undefined {
  const before = positions.findLast(({ time }) => from - TEN_MINUTES <= time && time <= from);
  const place = before ?? positions.find(({ time }) => from < time && time <= from + FIVE_MINUTES_IN_MS);
  return place === undefined ? undefined : { lat: place.lat, lon: place.lon };
}

/**
 * Returns why a session that charged up to `to` ended; undefined: the session is in progress.
 * @param newest time of the machine's newest reading, under any owner
 * @param now the portal's clock
 */
function endOf(stream: ReadingStream, to: number, newest: number, now: number): SessionEndCause | undefined {
  if (newest - to < TEN_MINUTES && now - newest < TEN_MINUTES) return undefined;
  if ((meanSocAt(stream, to).mean ?? 0) >= FULL_FROM_PERCENT) return 'full';
  const timesUpTo = (last: number): number[] =>
    stream.readings.map(({ time }) => time).filter((time) => to < time && time <= last);
  if (timesUpTo(to + FIVE_MINUTES_IN_MS).length === 0) return 'no data';
  // Only the battery current showed the charging.
  if (stream.track('ChargingCurrent').before(to) === undefined)
    return [to, ...timesUpTo(to + TWO_MINUTES)].some((time) =>
      isRunning(stream.track('MotorSpeed').before(time)),
    )
      ? 'unplugged'
      : 'stopped';
  // The charger's signals stopped while other signals continued.
  if (cableStateAt(stream, to) === 'charging') return 'unplugged';
  return [to, ...timesUpTo(to + TWO_MINUTES)].some((time) => (chargingFlagAt(stream, time) ?? 1) < 1)
    ? 'unplugged'
    : 'stopped';
}

/** Returns the charging sessions in order of time. @param now ms; default: the time of the newest reading */
export function chargingSessions(
  readings: readonly Reading[],
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
  now?: number,
): Session[] {
  const newest = readings.reduce((latest, { time }) => Math.max(latest, time), 0);
  return ownedStreams(readings, ownRanges).flatMap(({ stream }) => {
    const energy = [...batteryIntervals(stream), ...chargerOnlyIntervals(stream)];
    const charged = chargedIntervals(stream);
    const full = fullIntervals(stream);
    const soc = socPointsOf(stream);
    const positions = positionsOf(stream);
    return together(chargingIntervals(stream))
      .map((intervals): Session => {
        const from = intervals[0]?.from ?? 0;
        const to = intervals.at(-1)?.to ?? 0;
        const chargingMs = intervals.map(rangeLengthMs).reduce((a, b) => a + b, 0);
        const chargedMj = sumEnergyIn(energy, 'charged', { from, to });
        return {
          from,
          to,
          chargingMs,
          pausesMs: to - from - chargingMs,
          chargedMj,
          meanPower: chargedMj / chargingMs / 1000,
          highestWatts: largestWatts(charged, { from, to }),
          fullMs: timeInsideRangeMs(full, { from, to }),
          begin: socAtBegin(stream, from, soc),
          end: socByPackAt(stream, to),
          place: placeOf(positions, from),
          ended: endOf(stream, to, newest, now ?? newest),
        };
      })
      .filter(({ chargingMs, chargedMj }) => chargingMs >= FIVE_MINUTES_IN_MS || chargedMj >= ENOUGH);
  });
}
