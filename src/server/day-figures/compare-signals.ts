import type { Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { columnForFigures, columnValues } from '#server/telemetry/readings/columns.ts';
import { readColumnsOf } from '#server/telemetry/readings/read-columns.ts';
import { PACK_STATISTICS } from '#server/telemetry/rollup-columns.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS } from '#shared/domain/machine-status.ts';
import {
  type ComparedBucket,
  type Contradiction,
  findContradiction,
  hourlyChangesOf,
  isEnergyUnknown,
  isEnoughEvidence,
} from '#shared/domain/signal-contradiction.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Maximum time range over which readings are read, to find the energy of hours whose energy is unknown. */
const MAX_READ_RANGE_MS = 6 * HOUR_MS;

/**
 * Compares the charge level of a stream with the measured energy, over the day before its newest reading or, if that is
 * not enough, over seven days, and stores which signal seems wrong.
 * @param from start of the present ownership, or of the present data definition after a contradiction; ms
 * @param newest time of the newest reading, ms
 */
export async function storeSignalContradiction(
  db: Transaction,
  streamId: number,
  from: number,
  newest: number,
): Promise<void> {
  const range = { from: Math.max(from, newest - WEEK_MS), to: newest + 1 };
  const found = await contradictionOf(db, streamId, range);
  await shardForStream(db, streamId).query(
    'update telemetry.day_cursor set compared_at = $2, contradiction = $3 where stream_id = $1',
    [streamId, new Date(newest), found ? JSON.stringify(found) : null],
  );
}

async function contradictionOf(
  db: Transaction,
  streamId: number,
  range: Range,
): Promise<Contradiction | undefined> {
  const buckets = await readCompared(db, streamId, range);
  const lacking = hourlyChangesOf(buckets)
    .filter(isEnergyUnknown)
    .slice(-MAX_READ_RANGE_MS / HOUR_MS);
  const [first, last] = [lacking[0], lacking.at(-1)];
  const read =
    first && last
      ? await readFlow(db, streamId, {
          from: Math.max(first.hour - BUCKET_MS, last.hour + HOUR_MS - MAX_READ_RANGE_MS - BUCKET_MS),
          to: last.hour + HOUR_MS,
        })
      : new Map<number, Flow>();
  const steps = hourlyChangesOf(buckets.map((bucket) => ({ ...bucket, ...read.get(bucket.start) })));
  const ofDay = steps.filter(({ hour }) => hour > range.to - DAY_MS);
  const judged = isEnoughEvidence(ofDay) ? ofDay : steps;
  if (!isEnoughEvidence(judged)) return undefined;
  return findContradiction(judged, {
    capacityKwh: await readCapacity(db, streamId),
    volts: await readVolts(db, streamId, range.to),
  });
}

type Row = {
  readonly numbers: readonly number[];
  readonly packs: readonly (number | null)[] | null;
};

async function readCompared(
  db: Transaction,
  streamId: number,
  { from, to }: Range,
): Promise<ComparedBucket[]> {
  const { rows } = await shardForStream(db, streamId).query<Row>(
    `select array[date_part('epoch', bucket) * 1000, heard_ms, known_ms, running_ms,
         case when charging_current_max > ${CHARGING_ABOVE_AMPS} then charging_ms else 0 end,
         out_mj - in_mj - charged_mj]::float8[] as numbers, packs
     from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 order by bucket`,
    [streamId, new Date(from), new Date(to)],
  );
  return rows.map(({ numbers, packs }) => {
    const [start = 0, heardMs = 0, knownMs = 0, runningMs = 0, chargerMs = 0, netMj = 0] = numbers;
    return { start, heardMs, knownMs, runningMs, chargerMs, netMj, levels: levelsOf(packs ?? []) };
  });
}

const SUM = PACK_STATISTICS.indexOf('sumMilli');
const COUNT = PACK_STATISTICS.indexOf('count');

function levelsOf(packs: NonNullable<Row['packs']>): (number | undefined)[] {
  return Array.from({ length: packs.length / PACK_STATISTICS.length }, (_, pack) => {
    const [sum, count] = [SUM, COUNT].map((element) => packs[pack * PACK_STATISTICS.length + element]);
    return sum != null && count ? sum / count / 1000 : undefined;
  });
}

type Flow = Pick<ComparedBucket, 'netMj' | 'knownMs'>;

/**
 * Returns the energy according to BatteryCurrent per bucket, including energy that contradicts the charge level and
 * counts in no figure.
 */
async function readFlow(db: Transaction, streamId: number, range: Range): Promise<Map<number, Flow>> {
  const sent = await readColumnsOf(db, streamId, range, [
    columnForFigures('BatteryCurrent'),
    columnForFigures('BatteryVoltage'),
  ]);
  const [amps, volts] = [columnValues(sent, 0), columnValues(sent, 1)];
  const usual = meanOf(volts) ?? 700;
  const flows = new Map<number, { netMj: number; knownMs: number }>();
  let last: { readonly time: number; readonly watts: number } | undefined;
  for (const [n, time] of sent.times.entries()) {
    const [ampsNow, voltsNow] = [amps[n] as number, volts[n] as number];
    if (Number.isNaN(ampsNow)) continue;
    if (last && time - last.time <= BUCKET_MS) {
      const start = bucketStart(last.time);
      const flow = flows.get(start) ?? { netMj: 0, knownMs: 0 };
      flow.netMj += last.watts * (time - last.time);
      flow.knownMs += time - last.time;
      flows.set(start, flow);
    }
    last = { time, watts: ampsNow * (Number.isNaN(voltsNow) ? usual : voltsNow) };
  }
  return flows;
}

/** Returns the capacity of all packs in kWh; undefined when it is not entered for each. */
async function readCapacity(db: Transaction, streamId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ batteries: readonly { capacity: number | null }[] }>(
    'select batteries from machine where stream_id = $1',
    [streamId],
  );
  const capacities = (rows[0]?.batteries ?? []).map(({ capacity }) => capacity ?? 0);
  const isEntered = capacities.length > 0 && capacities.every((capacity) => capacity > 0);
  return isEntered ? capacities.reduce((sum, capacity) => sum + capacity) : undefined;
}

/** Number of readings from which the mean voltage is computed. */
const NEWEST = 1_000;

/** Returns the mean BatteryVoltage of the newest readings with one; undefined for none. */
async function readVolts(db: Transaction, streamId: number, to: number): Promise<number | undefined> {
  const newest = await readColumnsOf(
    db,
    streamId,
    { from: to - DAY_MS, to },
    [columnForFigures('BatteryVoltage')],
    NEWEST,
  );
  return meanOf(columnValues(newest, 0));
}

function meanOf(values: Float64Array): number | undefined {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}
