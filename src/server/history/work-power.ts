import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { SUM_COLUMNS } from '#server/telemetry/rollup-columns.ts';
import { AMSTERDAM, amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { powerKw, powerShare, type Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment, segmentsOf } from './range.ts';

const { rollup } = telemetryTables();

const MS_PER_HOUR = 3_600_000;

/** `AvgPower` in kW, null when it is not known. */
type Power = { readonly hours: number; readonly AvgPower: number | null };
export type WorkPower = Pick<Power, 'AvgPower'> & {
  /** The share of the running time off the cable that it is of; null without running time. */
  readonly known: number | null;
  readonly days: (Power & { readonly date: string })[];
};

/**
 * Mean power while running off the cable (docs/figures.md section 5; MDET-05): of the whole range, and of the days in
 * Amsterdam on which it ran or its power is known. A 5-minute bucket belongs to the day that it begins in.
 */
export async function workPower(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
): Promise<WorkPower> {
  const segments = await Promise.all(
    segmentsOf(range, own).map((segment) => readDays(db, streamId, segment)),
  );
  const days = new Map<string, Work>();
  for (const [date, work] of segments.flat()) days.set(date, added(days.get(date), work));
  const all = [...days.values()].reduce<Work>(added, NOTHING);
  return {
    AvgPower: powerKw(all) ?? null,
    known: powerShare(all) ?? null,
    days: [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, work]) => ({ date, hours: work.runningMs / MS_PER_HOUR, AvgPower: powerKw(work) ?? null }))
      .filter(({ hours, AvgPower }) => hours > 0 || AvgPower !== null),
  };
}

const NAMES = ['runningMs', 'cableMs', 'runKnownMs', 'runOutMj', 'runInMj'] as const;
type Work = Pick<Sums, (typeof NAMES)[number]>;
const NOTHING: Work = { runningMs: 0, cableMs: 0, runKnownMs: 0, runOutMj: 0, runInMj: 0 };
const added = (a: Work = NOTHING, b: Work): Work =>
  Object.fromEntries(NAMES.map((name) => [name, a[name] + b[name]])) as Work;

const COLUMNS = SUM_COLUMNS.filter(({ name }) => (NAMES as readonly string[]).includes(name));

async function readDays(db: Database, streamId: number, segment: Segment): Promise<[string, Work][]> {
  const { whole, ends } = cutOf(segment);
  const cut = await readCutEnds(db, streamId, segment, ends);
  const days = cut.map(([start, bucket]): [string, Work] => [amsterdamDay(start), bucket]);
  if (!whole) return days;
  const { rows } = await db.query<Work & { date: string }>(
    `select to_char(bucket at time zone '${AMSTERDAM}', 'YYYY-MM-DD') as date,
       ${COLUMNS.map(({ name, column }) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')}
     from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
    [streamId, new Date(whole.from), new Date(whole.to)],
  );
  return [...days, ...rows.map(({ date, ...work }): [string, Work] => [date, work])];
}
