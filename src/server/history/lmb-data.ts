import type { Database } from '#server/platform/database.ts';
import { findHistory, restrictToVisiblePositions } from '#server/streams/scope.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Scope } from '#shared/domain/access.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  type LegendLine,
  MACHINE_STATUS_LEGEND,
  RAIL_GEAR_LEGEND,
  TRACK_LEGEND,
} from '#shared/domain/rail-legend.ts';
import { findRailCodeIntervals, type RailCodeIntervals } from './code-intervals.ts';
import { sumStatusCodeDurations } from './code-totals.ts';
import { lastDay } from './last-day.ts';
import { type RailSignal, readRail } from './rail-readings.ts';
import { ownedSegmentsOf, parseRange, splitSegment } from './range.ts';
import { screenPath } from './screen-path.ts';
import { findSpeedExtremes, readRollupSpeeds } from './speed-points.ts';

/** Query of GET /api/berend/get/data. */
export type LmbDataQuery = {
  readonly start: string;
  readonly end: string;
  readonly loggerid: string;
  readonly points: number;
};

/**
 * Returns speed, machine status, track data and position of an LMB logger over a range (LOG-03 to LOG-06), with a
 * limited number of points: two speeds and one code interval per bucket.
 * @param now ms
 * @param noteView called before any position is read, to audit that a person views where the logger was
 * @throws ProblemError 400 for the range, 404 when the logger is not the caller's
 */
export async function lmbData(
  db: Database,
  scope: Scope,
  { start, end, loggerid, points }: LmbDataQuery,
  now: number,
  noteView: (streamId: number, range: Range) => Promise<void> = async () => {},
): Promise<LmbData> {
  const range = parseRange(start, end, now);
  const history = await findHistory(db, scope, loggerid, ['logger']);
  await noteView(history.streamId, range);
  const bucketMs = chartBucketMs(range.to - range.from, points);
  const segments = ownedSegmentsOf(range, history.own);
  const [parts, path, day] = await Promise.all([
    readRail(db, history.streamId, segments),
    scope.actions.has('see-routes')
      ? screenPath(db, restrictToVisiblePositions(scope, history, range), range)
      : [],
    lastDay(db, history, { from: range.to, to: Math.max(range.to, now) }),
  ]);
  const areAll = parts.every((part) => part.areAll);
  const rolled = areAll ? [] : segments.flatMap((segment) => splitSegment(segment).whole ?? []);
  const codes = (signal: RailSignal) =>
    pointsOf(parts.map((part) => findRailCodeIntervals(part, signal, { most: points, bucketMs })));
  const speeds = await readRollupSpeeds(db, history.streamId, rolled, bucketMs);
  const speed = findSpeedExtremes(parts, speeds, range, bucketMs);
  const [machinestatus, spoor, spoorstand] = [codes('Machinestatus'), codes('Spoor'), codes('Spoorstand')];
  const location = path.map(({ lat, lon, time }) => ({ lat, lon, time }));
  return {
    spoor,
    spoorstand,
    legendas: {
      machinestatus: legend(MACHINE_STATUS_LEGEND),
      spoordata: legend([...TRACK_LEGEND, ...RAIL_GEAR_LEGEND]),
    },
    speed: [{ name: 'speed', data: speed, colors: [] }],
    machinestatus: [{ name: 'machinestatus', data: machinestatus, colors: legend(MACHINE_STATUS_LEGEND) }],
    spoordata: [
      { name: 'spoor', data: spoor, colors: legend(TRACK_LEGEND) },
      { name: 'spoorstand', data: spoorstand, colors: legend(RAIL_GEAR_LEGEND) },
    ],
    location,
    position: location.at(-1) ?? null,
    totals: areAll ? sumStatusCodeDurations(parts) : null,
    lastDay: day,
  };
}

const pointsOf = (parts: readonly RailCodeIntervals[]): LmbData['spoor'] =>
  parts.flatMap(({ intervals }) =>
    intervals.map(({ value, from, to }) => {
      const [_start, _stop] = [new Date(from).toISOString(), new Date(to).toISOString()];
      return { _time: _start, _value: value, _start, _stop };
    }),
  );

const legend = (lines: readonly LegendLine[]) => lines.map((line) => ({ ...line }));
