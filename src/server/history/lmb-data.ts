import type { Database } from '#server/platform/database.ts';
import { findHistory, withPositions } from '#server/streams/scope.ts';
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
import { type CodeColumn, codeStretches } from './code-stretches.ts';
import { codeTotals } from './code-totals.ts';
import { lastDay } from './last-day.ts';
import { lookUpsOf } from './look-ups.ts';
import { cutOf, readRange, segmentsOf } from './range.ts';
import { screenPath } from './screen-path.ts';
import { speedPoints } from './speed-points.ts';

/**
 * Up to a million readings, eleven days of one every second, all are read. Beyond, so that no answer takes long, those
 * at the start of 20,000 slots spread over the range, and the lowest and highest speed of every 5 minutes.
 */
const EFFORT = { readAll: 1_000_000, count: 20_000, most: 30 };

/** Query of GET /api/berend/get/data. */
export type LmbQuestion = {
  readonly start: string;
  readonly end: string;
  readonly loggerid: string;
  /** Buckets. */
  readonly points: number;
};

/**
 * Speed, machine status, track data and position of an LMB logger over a range (LOG-03 to LOG-06), never more points
 * than asked for: two speeds per bucket, one stretch per bucket.
 * @param now ms
 * @param looked what is to be done before somebody sees where it was
 * @throws ProblemError 400 range, 404 not the caller's
 */
export async function lmbData(
  db: Database,
  scope: Scope,
  { start, end, loggerid, points }: LmbQuestion,
  now: number,
  looked: (streamId: number, range: Range) => Promise<void> = async () => {},
): Promise<LmbData> {
  const range = readRange(start, end, now);
  const history = await findHistory(db, scope, loggerid, ['logger']);
  await looked(history.streamId, range);
  const bucketMs = chartBucketMs(range.to - range.from, points);
  const segments = segmentsOf(range, history.own);
  const lookUps = await lookUpsOf(db, history.streamId, segments, EFFORT);
  const rolled = lookUps.most === null ? [] : segments.flatMap((segment) => cutOf(segment).whole ?? []);
  const codes = (column: CodeColumn) =>
    codeStretches(db, history, range, column, { most: points, bucketMs, lookUps });
  const [speed, machinestatus, spoor, spoorstand, totals, path, day] = await Promise.all([
    speedPoints(db, history.streamId, range, lookUps, bucketMs, rolled),
    codes('machinestatus'),
    codes('spoor'),
    codes('spoorstand'),
    lookUps.most === null ? codeTotals(db, history.streamId, segments, lookUps) : null,
    scope.actions.has('see-routes') ? screenPath(db, withPositions(scope, history, range), range) : [],
    lastDay(db, history, { from: range.to, to: Math.max(range.to, now) }),
  ]);
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
    totals,
    lastDay: day,
  };
}

const legend = (lines: readonly LegendLine[]) => lines.map((line) => ({ ...line }));
