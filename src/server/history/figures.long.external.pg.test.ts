import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnHistory } from '#server/streams/scope.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { acceptDelivery, type ClockState } from '#shared/domain/test/oracle/accept.ts';
import {
  computeDisplayedEnergies,
  computeEnergies,
  computePowerShare,
  energyFedBackByDay,
  powerOfDays,
  computeWorkPower as theirPower,
} from '#shared/domain/test/oracle/energy.ts';
import { hourMeter } from '#shared/domain/test/oracle/hours.ts';
import { distanceMetres, pathPoints } from '#shared/domain/test/oracle/path.ts';
import { ORACLE_SEED_NUMBERS, randomMachine } from '#shared/domain/test/oracle/random-machine.ts';
import { socPoints, socSummary, sumValuesByBucket } from '#shared/domain/test/oracle/soc.ts';
import { activityBands, statusSums } from '#shared/domain/test/oracle/status.ts';
import { dayChart } from './day-chart.ts';
import { operatingHours } from './operating-hours.ts';
import { readEnergyFedBack } from './power-back.ts';
import { screenPath } from './screen-path.ts';
import { storeTestReadings } from './test/readings.ts';
import { workPower } from './work-power.ts';

const HOUR = 3_600_000;
const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function newStream(): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into stream (kind, serial, alias) select 'machine', 'S-' || count(*), 'x' from stream returning id`,
  );
  const id = rows[0]?.id as number;
  await database.pool.query('insert into latest (stream_id) values ($1)', [id]);
  return id;
}

/** Stores a machine's readings late, repeated and in batches. */
async function storeMachine(seed: number) {
  const machine = randomMachine(seed, { size: 250 });
  const streamId = await newStream();
  await openPartitions(database.pool, () => 0).ensure(
    machine.stored.map(({ time }) => time),
    undefined,
  );
  const clocks: ClockState = new Map();
  const readings = machine.deliveries.flatMap((delivery) => {
    const result = acceptDelivery(delivery, clocks);
    return 'refusal' in result ? [] : [{ streamId, ...result.reading, receivedAt: result.received }];
  });
  const half = readings.length >> 1;
  await storeReadings(database.pool, readings.slice(half));
  await storeReadings(database.pool, readings.slice(0, half));
  return { ...machine, streamId };
}

/** Limits a range to the time from ten minutes before the first reading to ten minutes after the last, so that it can be requested. */
const asked = (range: Range, stored: readonly Reading[]): Range => ({
  from: Math.max(range.from, (stored[0]?.time ?? 0) - 600_000),
  to: Math.min(range.to, (stored.at(-1)?.time ?? 0) + 600_000),
});

describe.each(ORACLE_SEED_NUMBERS)('the figures of machine %i', (seed) => {
  let machine: Awaited<ReturnType<typeof storeMachine>>;
  beforeAll(async () => {
    machine = await storeMachine(seed);
  });
  const cases = (): [Range, OwnHistory][] =>
    machine.ranges.flatMap((range) =>
      [[ALWAYS], machine.ownRanges].map((own): [Range, OwnHistory] => [
        asked(range, machine.stored),
        { streamId: machine.streamId, own },
      ]),
    );

  test('the figures for power and energy of any range equal the oracle’s (MDET-05, TEST-01, INGEST-06, 12.A2, 12.A3, 12.A8, 15.7c)', async () => {
    for (const [range, history] of cases()) {
      const { stored } = machine;
      const power = await workPower(database.pool, history, range);
      expect(power.AvgPower).toEqual(theirPower(stored, range, history.own));
      expect(power.days).toEqual(
        powerOfDays(stored, range, history.own).map(({ day, hours, power }) => ({
          date: day,
          hours,
          AvgPower: power,
        })),
      );
      const share = computePowerShare(stored, range, history.own);
      if (power.known !== null || share !== null) expect(power.known ?? 1).toBe(share ?? 1);
      const { kWh, known, days } = await readEnergyFedBack(database.pool, history, range);
      const theirs = computeEnergies(stored, range, history.own);
      expect(kWh).toBe(theirs.fedBackMj / 3.6e9);
      expect(days.map(({ date, kWh }) => ({ date, kWh })).filter((day) => day.kWh > 0)).toEqual(
        energyFedBackByDay(stored, range, history.own),
      );
      expect(known === null).toBe(computeDisplayedEnergies(stored, range, history.own).fedBack === null);
    }
  });

  test("the figures for operating hours contain all hours of the machine, and the hours in the caller's ownership (MDET-08, 12.A14)", async () => {
    const { stored, streamId, ownRanges } = machine;
    const { total, owned } = hourMeter(stored, 0, ownRanges);
    const later = (stored.at(-1)?.time ?? 0) + HOUR;
    expect(await operatingHours(database.pool, { streamId, own: ownRanges }, later)).toEqual({
      hours: total,
      ...(ownRanges[0]?.from !== Number.NEGATIVE_INFINITY || ownRanges.length > 1 ? { ownHours: owned } : {}),
    });
  });

  test('the figures of a range equal the oracle’s: sums, distance, bands, and the charge of every pack (MDET-12, 12.A1, 12.A15, 15.5e, 15.5l)', async () => {
    for (const [range, history] of cases()) {
      const { stored } = machine;
      const chart = await dayChart(database.pool, history, range, 600);
      const sums = statusSums(stored, range, history.own);
      expect(chart.seconds).toEqual({
        running: sums.runningMs / 1000,
        charging: sums.chargingMs / 1000,
        off: sums.offMs / 1000,
        unknown: Math.max(0, sums.noDataMs) / 1000,
      });
      expect(chart.distance).toBeCloseTo(distanceMetres(stored, range, history.own), 2);
      const theirs = activityBands(stored, range, history.own);
      for (const kind of ['running', 'charging'] as const)
        expect(chart.bands.filter((band) => band.kind === kind).map(({ from, to }) => [from, to])).toEqual(
          theirs[kind].map(({ from, to }) => [from / 1000, to / 1000]),
        );
      // Compared for a single owner only: at a change of owner, another signal of the same pack may count (docs/figures.md section 7).
      if (history.own[0] !== ALWAYS) continue;
      const summary = socSummary(stored, range);
      expect(chart.packs.map(({ name, first, last }) => [name, first, last])).toEqual(
        summary.map(({ pack, begin, end }) => [`Soc${pack}`, begin, end]),
      );
      const points = socPoints(stored, range);
      const timesOf = (name: string) => points.filter(({ pack }) => name === `Soc${pack}`);
      expect(chart.packs.map(({ firstTime, lastTime }) => [firstTime, lastTime])).toEqual(
        chart.packs.map(({ name }) =>
          [timesOf(name)[0], timesOf(name).at(-1)].map((point) => (point?.time ?? 0) / 1000),
        ),
      );
      const bucketMs = chartBucketMs(range.to - range.from, 600);
      for (const { name, min, mean, max } of chart.packs) {
        const drawn = sumValuesByBucket(
          points.filter(({ pack }) => name === `Soc${pack}`),
          bucketMs,
        );
        const ours = chart.time.flatMap((start, n) =>
          min[n] === null ? [] : [[start * 1000, min[n], mean[n], max[n]]],
        );
        expect(ours).toEqual(
          [...drawn]
            .sort(([a], [b]) => a - b)
            .map(([start, sums]) => [start, sums.min, sums.sumMilli / sums.count / 1000, sums.max]),
        );
      }
    }
  });

  test('the route of a machine contains each of its positions and no other (MDET-12, 12.A7)', async () => {
    for (const [range, history] of cases()) {
      const points = await screenPath(database.pool, history, range, 100_000);
      const theirs = pathPoints(machine.stored, range, history.own);
      expect(points.map(({ lat, lon, time, speed }) => [lat, lon, Date.parse(time), speed])).toEqual(
        theirs.map(({ lat, lon, time, speed }) => [lat, lon, time, speed]),
      );
    }
  });
});

test('an interval across a change of owner counts for neither owner, even inside one bucket (INGEST-06)', async () => {
  const streamId = await newStream();
  const cut = Date.UTC(2026, 4, 5, 12);
  // The ownership begins and ends at a border of a bucket. Readings of both owners lie 10 or 20 s before and after these borders.
  const times = [cut - 10_000, cut + 20_000, cut + 60_000, cut + 1_780_000, cut + 1_790_000, cut + 1_810_000];
  const signals = { MotorSpeed: 900, BatteryCurrent: -36, BatteryVoltage: 1_000 };
  await storeTestReadings(
    database.pool,
    streamId,
    times.map((time) => ({ time, signals })),
  );
  const range = { from: cut - HOUR, to: cut + HOUR };
  const ask = async (own: Range) => [
    (await readEnergyFedBack(database.pool, { streamId, own: [own] }, range)).kWh,
    (await workPower(database.pool, { streamId, own: [own] }, range)).days[0]?.hours,
  ];
  // Intervals of 40 s and of 10 s at 36 kW.
  expect(await ask({ from: cut, to: cut + 1_800_000 })).toEqual([0.5, 50 / 3_600]);
  expect(await ask(ALWAYS)).toEqual([1, 100 / 3_600]);
});

test('the day on which summer time begins has 23 hours, and the days add up to the range (MDET-05)', async () => {
  const streamId = await newStream();
  const from = Date.UTC(2026, 2, 27, 23);
  const always = Array.from({ length: 72 * 60 }, (_, minute) => ({
    time: from + minute * 60_000,
    signals: { MotorSpeed: 900, BatteryCurrent: 20, BatteryVoltage: 500 },
  }));
  await storeTestReadings(database.pool, streamId, always);
  const range = { from, to: from + 71 * HOUR };
  const { AvgPower, days } = await workPower(database.pool, { streamId, own: [ALWAYS] }, range);
  expect(days.map(({ date, hours }) => [date, hours])).toEqual([
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ]);
  expect(AvgPower).toBeCloseTo(10, 10);
});
