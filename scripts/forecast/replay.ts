import { type ChargingSession, findSessions } from '#server/charging-sessions/find-sessions.ts';
import { type BucketSlices, clipReadings } from '#server/history/bucket-slices.ts';
import {
  type CurrentChargingSession,
  forecastFullCharge,
  isForecastDue,
  type PastChargingSession,
} from '#shared/domain/charge-forecast.ts';
import { bucketsOf, FULL_PERCENT, findIntervals, readingRangeFor } from '#shared/domain/figures.ts';
import { type ChargeForecasts, chargeForecastsOf, type Forecast } from '#shared/domain/forecast-record.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import { readingsIn } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';

const HOUR_MS = 3_600_000;
/** Duration of a charge at its first forecast: shorter charges are usually not charging sessions. */
const MIN_CHARGE_MS = 5 * 60_000;
const KEPT_MS = 90 * 24 * HOUR_MS;

/**
 * Returns the forecasts that the portal would have made during a machine's charging sessions, each from the readings until then.
 * @param readings in order of time
 */
export async function replayForecasts(readings: readonly Reading[]): Promise<ChargeForecasts[]> {
  const newest = readings.at(-1)?.time ?? 0;
  const slices = slicesIn(readings);
  const sessions = await findSessions(slices, { from: readings[0]?.time ?? 0, to: newest + 1 });
  const found: ChargeForecasts[] = [];
  for (const [n, session] of sessions.entries()) {
    const past = sessions.slice(0, n).filter(({ from }) => from > session.from - KEPT_MS);
    const one = chargeForecastsOf(session, await forecastsOf(readings, session, past.map(pastOf)));
    if (one) found.push(one);
  }
  return found;
}

const pastOf = ({ from, highestWatts, course }: ChargingSession): PastChargingSession => ({
  from,
  watts: highestWatts,
  course,
});

/** Returns the portal's forecasts during a session, each from the readings until its time. */
async function forecastsOf(
  readings: readonly Reading[],
  { from, to, course }: ChargingSession,
  past: readonly PastChargingSession[],
): Promise<Forecast[]> {
  const made: Forecast[] = [];
  let last: number | undefined;
  const { firstPercent = 0, reachedMs } = course;
  const looks = [
    { ms: MIN_CHARGE_MS, percent: 0 },
    ...reachedMs.map((ms, n) => ({ ms, percent: firstPercent + n })),
  ]
    .filter(({ ms, percent }) => ms >= MIN_CHARGE_MS && percent < FULL_PERCENT)
    .sort((a, b) => a.ms - b.ms);
  for (const { ms, percent } of looks) {
    const at = from + ms + 60_000;
    if (at >= to || (last !== undefined && percent < last)) continue;
    if (last !== undefined && !isForecastDue(percent + 1, last)) continue;
    const known = readingsIn(readings, { from: from - HOUR_MS, to: at });
    const [session] = await findSessions(slicesIn(known), { from, to: at });
    const present = session && presentOf(session);
    if (!present || !isForecastDue(present.percent, last)) continue;
    const range = forecastFullCharge(past, present);
    if (!range) continue;
    last = present.percent;
    made.push({ at: present.at, ...range });
  }
  return made;
}

function presentOf({ to, socTo, highestWatts, course }: ChargingSession): CurrentChargingSession | undefined {
  const known = socTo.filter((percent) => percent !== undefined);
  if (known.length === 0) return undefined;
  return { at: to, percent: known.reduce((a, b) => a + b) / known.length, watts: highestWatts, course };
}

/** Returns bucket slices like openBucketSlices (src/server/history), from readings in memory. */
function slicesIn(readings: readonly Reading[]): BucketSlices {
  const buckets = bucketsOf(readings);
  const around: BucketSlices['around'] = async (range) => {
    const found = readingsIn(readings, readingRangeFor(range));
    return { readings: found, ...findIntervals(found) };
  };
  return {
    around,
    within: async (range) => clipReadings(await around(range), range),
    async of({ from, to }) {
      const found = readingsIn(readings, readingRangeFor({ from, to }));
      const cut = bucketsOf(found, findIntervals(found), { from, to });
      return [...(to - from > 24 * HOUR_MS ? buckets : cut)]
        .map(([start, bucket]) => ({
          from: Math.max(start, from),
          to: Math.min(start + BUCKET_MS, to),
          bucket,
        }))
        .sort((a, b) => a.from - b.from);
    },
  };
}
