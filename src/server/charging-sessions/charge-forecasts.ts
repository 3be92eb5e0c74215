import { ownedSegmentsOf } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { SessionForecast } from '#shared/contract/charging-sessions.ts';
import { forecastFullCharge, isForecastDue } from '#shared/domain/charge-forecast.ts';
import {
  chargeForecastsOf,
  forecastRecordOf,
  type Forecast as StoredRange,
} from '#shared/domain/forecast-record.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readSessions, type StoredSession } from './stored-sessions.ts';

const DAYS = 90;
const DAY_MS = 86_400_000;
/** Maximum number of sessions that are read. */
const MOST = 400;
const IN_RECORD = 20;

/**
 * Stores a forecast of when a machine will be full, if it charges and a forecast is due; until one is due, the previous forecast
 * applies. Called after the machine's sessions were recomputed. Two processes may store two forecasts, which does no harm.
 * @param now ms
 */
export async function storeForecast(db: Database, streamId: number, now: number): Promise<void> {
  const since = await ownedSince(db, streamId);
  const range = { from: Math.max(since, now - DAYS * DAY_MS), to: now };
  const [newest] = await readSessions(db, streamId, [range], 1, now);
  if (!newest || newest.ended !== null) return;
  const percent = percentOf(newest);
  const forecasts = await readForecasts(db, streamId, [{ from: newest.from, to: now }]);
  if (percent === undefined || !isForecastDue(percent, forecasts.at(-1)?.percent)) return;
  const past = (await readSessions(db, streamId, [{ ...range, to: newest.from }], MOST, now)).reverse();
  const full = forecastFullCharge(past, { ...newest, at: newest.to, percent });
  if (!full) return;
  await shardForStream(db, streamId).query(
    `insert into telemetry.charge_forecast (stream_id, at, percent, from_time, to_time) values ($1, $2, $3, $4, $5)
     on conflict (stream_id, at) do nothing`,
    [streamId, new Date(newest.to), percent, new Date(full.from), new Date(full.to)],
  );
}

/** Returns the time in ms since which the present owner has owned the stream. */
async function ownedSince(db: Database, streamId: number): Promise<number> {
  const { rows } = await db.query<{ from: number }>(
    `select date_part('epoch', valid_from) * 1000 as "from" from ownership where stream_id = $1 and valid_to = 'infinity'`,
    [streamId],
  );
  return rows[0]?.from ?? Number.POSITIVE_INFINITY;
}

/** Returns the mean of the known levels of the packs; undefined if no level is known. */
function percentOf({ socTo }: StoredSession): number | undefined {
  const known = socTo.filter((percent) => percent != null);
  return known.length > 0 ? known.reduce((a, b) => a + b) / known.length : undefined;
}

type StoredForecast = StoredRange & { readonly percent: number };

/** Returns the stored forecasts in some ranges, in chronological order. */
async function readForecasts(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<StoredForecast[]> {
  const { rows } = await shardForStream(db, streamId).query<StoredForecast>(
    `select date_part('epoch', at) * 1000 as at, date_part('epoch', from_time) * 1000 as "from",
       date_part('epoch', to_time) * 1000 as "to", percent
     from telemetry.charge_forecast where stream_id = $1 and exists (
       select from unnest($2::timestamptz[], $3::timestamptz[]) as own ("from", "to") where at >= "from" and at < "to"
     ) order by at`,
    [streamId, ranges.map(({ from }) => new Date(from)), ranges.map(({ to }) => new Date(to))],
  );
  return rows;
}

/** Returns the newest forecast of the charge in progress, and the accuracy of forecasts made while the caller owned the machine. */
export async function readForecast(db: Database, history: OwnHistory, now: number): Promise<SessionForecast> {
  const { streamId, own } = history;
  const ranges = ownedSegmentsOf({ from: now - DAYS * DAY_MS, to: now }, own);
  const sessions = await readSessions(db, streamId, ranges, MOST, now);
  const forecasts = await readForecasts(db, streamId, ranges);
  const [newest] = sessions;
  const present = newest?.ended === null ? forecasts.findLast(({ at }) => at >= newest.from) : undefined;
  const over = sessions
    .filter(({ ended }) => ended !== null)
    .flatMap((session) => chargeForecastsOf(session, forecasts) ?? []);
  return {
    forecast: present
      ? {
          from: new Date(present.from).toISOString(),
          to: new Date(present.to).toISOString(),
          at: new Date(present.at).toISOString(),
        }
      : null,
    record: forecastRecordOf(over.slice(0, IN_RECORD)),
  };
}
