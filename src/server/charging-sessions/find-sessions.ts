import type { BucketSlice, BucketSlices } from '#server/history/bucket-slices.ts';
import { sumOfSlices } from '#server/history/bucket-slices.ts';
import { type ChargeLevel, type ChargingCurve, chargingCurveOf } from '#shared/domain/charge-forecast.ts';
import { energyByHour, startOfHour } from '#shared/domain/charging-tariffs.ts';
import { bucketStart, FULL_PERCENT, type SignalInterval } from '#shared/domain/figures.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, isRunning, MIN_CHARGING_FLAG } from '#shared/domain/machine-status.ts';
import { MAX_PACK_COUNT, preferredNameByPack } from '#shared/domain/packs.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { isChargingFlag, type Reading } from '#shared/domain/signal.ts';

/** A longer time without charging ends a session. */
export const MAX_SESSION_PAUSE_MS = 10 * 60_000;
/** Minimum charging time or energy of a session. */
const MIN_SESSION_MS = 5 * 60_000;
const MIN_SESSION_MJ = 0.2 * 3.6e9;
/** If the plug is pulled within this time after the charging current ended, it counts as the reason of the session's end. */
const UNPLUGGED_WITHIN_MS = 2 * 60_000;

/** A session takes its place from a position that is at most this much older than the start of the session. */
const PLACED_WITHIN_MS = 10 * 60_000;

export type SessionEndReason = 'vol' | 'geen gegevens' | 'losgekoppeld' | 'gestopt';

/** A charging session (docs/figures.md section 13); ms, mJ, W, %. */
export type ChargingSession = Range & {
  readonly chargingMs: number;
  readonly fullMs: number;
  readonly chargedMj: number;
  readonly highestWatts: number | undefined;
  /** Charge levels at the beginning and the end of the session in %, by pack number less 1. */
  readonly socFrom: readonly (number | undefined)[];
  readonly socTo: readonly (number | undefined)[];
  readonly position: Position | undefined;
  /** How the session ends if it is over; when a session is read, stored-sessions.ts determines whether it is over. */
  readonly ended: SessionEndReason;
  readonly course: ChargingCurve;
  /** Energy in mJ of each clock hour, from the hour in which the session began. */
  readonly chargedHours: readonly number[];
};

/**
 * Returns the charging sessions that begin in a range.
 * @param range begins where no session is in progress
 */
export async function findSessions(slices: BucketSlices, range: Range): Promise<ChargingSession[]> {
  const charging = (await slices.of(range)).filter(({ bucket }) => bucket.chargingMs > 0);
  const found: ChargingSession[] = [];
  let from: number | undefined;
  for (const [n, slice] of charging.entries()) {
    from ??= Math.min(...(await chargedIn(slices, slice)).map((interval) => interval.from));
    const next = charging[n + 1];
    // Between two consecutive buckets no pause is long enough to end a session.
    if (next && bucketStart(next.from) - bucketStart(slice.from) <= BUCKET_MS) continue;
    const to = Math.max(...(await chargedIn(slices, slice)).map((interval) => interval.to));
    if (next && next.from - to < MAX_SESSION_PAUSE_MS) {
      const nextFrom = Math.min(...(await chargedIn(slices, next)).map((interval) => interval.from));
      if (nextFrom - to < MAX_SESSION_PAUSE_MS) continue;
    }
    const session = await sessionOf(slices, { from, to });
    if (session) found.push(session);
    from = undefined;
  }
  return found;
}

/** Returns the charging intervals in a slice, cut at its ends. */
async function chargedIn(slices: BucketSlices, slice: BucketSlice): Promise<Range[]> {
  const { intervals } = await slices.within(slice);
  const found = intervals
    .filter((interval) => interval.of === 'charger' && interval.charges)
    .map(({ from, to }: SignalInterval) => ({ from: Math.max(from, slice.from), to: Math.min(to, slice.to) }))
    .filter(({ from, to }) => from < to);
  // A week whose readings were removed has no intervals: the whole slice counts, because its roll-up shows a charge.
  return found.length > 0 ? found : [slice];
}

async function sessionOf(slices: BucketSlices, { from, to }: Range): Promise<ChargingSession | undefined> {
  const found = await slices.of({ from, to });
  const { chargingMs, fullMs, chargedMj } = sumOfSlices(found);
  if (chargingMs < MIN_SESSION_MS && chargedMj < MIN_SESSION_MJ) return undefined;
  const powers = found.flatMap(({ bucket }) => bucket.chargeWatts ?? []);
  const atBegin = await slices.around({ from, to: from + 1 });
  const atEnd = await slices.around({ from: to, to: to + 1 });
  const socFrom = withFirst(percentsAt(atBegin.readings, from), atBegin.readings, from);
  const socTo = percentsAt(atEnd.readings, to);
  return {
    from,
    to,
    chargingMs,
    fullMs,
    chargedMj,
    highestWatts: powers.length > 0 ? Math.max(...powers) : undefined,
    socFrom,
    socTo,
    position: placeOf(atBegin.readings, from),
    ended: endOf(atEnd.readings, to, socTo),
    chargedHours:
      energyByHour(
        found.map((slice) => ({ from: slice.from, mj: slice.bucket.chargedMj })),
        startOfHour(from),
      )?.hours ?? [],
    course: chargingCurveOf(from, [
      ...levelAt(from, socFrom),
      ...found.flatMap(levelIn),
      ...levelAt(to, socTo),
    ]),
  };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

/** Returns the mean charge level of the packs at an instant; an empty list if no pack's level is known. */
function levelAt(at: number, percents: ChargingSession['socFrom']): ChargeLevel[] {
  const known = percents.filter((percent) => percent !== undefined);
  return known.length > 0 ? [{ at, percent: mean(known) }] : [];
}

/** Returns the mean charge level of the packs in a slice, as of the middle of the slice. */
const levelIn = ({ from, to, bucket }: BucketSlice): ChargeLevel[] =>
  levelAt(
    (from + to) / 2,
    bucket.packs.map((sums) => sums && sums.sumMilli / sums.count / 1000),
  );

/** Returns the last value of each signal at `time` by its name, for values that are still valid. */
function valuesAt(readings: readonly Reading[], time: number): Map<string, number> {
  const values = new Map<string, number>();
  for (const reading of readings)
    if (reading.time <= time && time - reading.time <= MAX_GAP_MS)
      for (const name in reading.signals) values.set(name, reading.signals[name] as number);
  return values;
}

function percentsAt(readings: readonly Reading[], time: number): (number | undefined)[] {
  const values = valuesAt(readings, time);
  const names = preferredNameByPack(values.keys());
  return Array.from({ length: MAX_PACK_COUNT }, (_, pack) => {
    const name = names.get(pack + 1);
    return name === undefined ? undefined : values.get(name);
  });
}

/** Fills in the first later value of each pack that has no value at `time`. */
function withFirst(
  percents: readonly (number | undefined)[],
  readings: readonly Reading[],
  time: number,
): (number | undefined)[] {
  const filled = [...percents];
  for (const { time: at, signals } of readings) {
    if (at <= time || at - time > MAX_GAP_MS) continue;
    for (const [pack, name] of preferredNameByPack(Object.keys(signals))) filled[pack - 1] ??= signals[name];
  }
  return filled;
}

function placeOf(readings: readonly Reading[], from: number): Position | undefined {
  const known = readings.flatMap(({ time, signals }) => {
    const isNear = from - time <= PLACED_WITHIN_MS && time - from <= MAX_GAP_MS;
    const position = isNear ? positionOf(signals) : undefined;
    return position ? [{ time, position }] : [];
  });
  return (known.findLast(({ time }) => time <= from) ?? known[0])?.position;
}

function endOf(
  readings: readonly Reading[],
  to: number,
  socTo: readonly (number | undefined)[],
): SessionEndReason {
  const percents = socTo.filter((percent) => percent !== undefined);
  if (percents.length > 0 && percents.reduce((a, b) => a + b) / percents.length >= FULL_PERCENT) return 'vol';
  const after = readings.filter(({ time }) => time > to);
  if (!after.some(({ time }) => time <= to + MAX_GAP_MS)) return 'geen gegevens';
  const values = valuesAt(readings, to);
  const moments = [
    values,
    ...after
      .filter(({ time }) => time <= to + UNPLUGGED_WITHIN_MS)
      .map(({ time }) => valuesAt(readings, time)),
  ];
  // Without a ChargingCurrent only the battery's current showed that the machine charged.
  if (!values.has('ChargingCurrent')) return moments.some(runsAt) ? 'losgekoppeld' : 'gestopt';
  const flags = moments.map(flagIn);
  const isSilent =
    (flags[0] ?? 0) >= MIN_CHARGING_FLAG && (values.get('ChargingCurrent') ?? 0) > CHARGING_ABOVE_AMPS;
  return isSilent || flags.some((value) => value !== undefined && value < MIN_CHARGING_FLAG)
    ? 'losgekoppeld'
    : 'gestopt';
}

const runsAt = (values: ReadonlyMap<string, number>): boolean =>
  isRunning({ MotorSpeed: values.get('MotorSpeed') });

function flagIn(values: ReadonlyMap<string, number>): number | undefined {
  const flags = [...values].filter(([name]) => isChargingFlag(name)).map(([, value]) => value);
  return flags.length > 0 ? Math.max(...flags) : undefined;
}
