import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { type Scope, scopeOf } from '#shared/domain/access.ts';
import { DEFAULT_PRIVACY } from '#shared/domain/privacy.ts';
import { MACHINE_STATUS_LEGEND, RAIL_GEAR_LEGEND, TRACK_LEGEND } from '#shared/domain/rail-legend.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { durationsByCode } from '#shared/domain/test/oracle/status.ts';
import { type Interval, overlapOf, ownedStreams, type Range } from '#shared/domain/test/oracle/track.ts';
import { findRailCodeIntervals } from './code-intervals.ts';
import { sumStatusCodeDurations as totalsOf } from './code-totals.ts';
import { lmbData } from './lmb-data.ts';
import { readRail } from './rail-readings.ts';
import { ownedSegmentsOf } from './range.ts';
import { findSpeedExtremes, readRollupSpeeds } from './speed-points.ts';
import { storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const EIGHT = Date.UTC(2025, 3, 12, 6); // 08:00 in Amsterdam, summer time

let portal: TestPortal;
let spoor: number;
let other: number;
let scope: Scope;

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  spoor = await portal.organization('spoor', { isLmbCustomer: true });
  other = await portal.organization('ander', { isLmbCustomer: true });
  scope = scopeOf({
    organizationId: spoor,
    organization: 'spoor',
    isLmbCustomer: true,
    role: 'gebruiker',
    privacy: DEFAULT_PRIVACY,
    limit: null,
  });
});
afterAll(() => portal.close());

let loggers = 0;
async function loggerWith(readings: readonly Reading[], organization = spoor): Promise<string> {
  loggers += 1;
  const loggerid = `L-${loggers}`;
  const streamId = await portal.machine(organization, { serial: loggerid });
  await portal.pool.query('delete from machine where stream_id = $1', [streamId]);
  await portal.pool.query(`update stream set kind = 'logger' where id = $1`, [streamId]);
  await storeTestReadings(portal.pool, streamId, readings);
  return loggerid;
}
const iso = (ms: number) => new Date(ms).toISOString();
const at = (minute: number, signals: Record<string, number>): Reading => ({
  time: EIGHT + minute * MINUTE,
  signals,
});
const data = (loggerid: string, minutes: number, points = 2_000, who = scope): Promise<LmbData> =>
  lmbData(portal.pool, who, { start: iso(EIGHT), end: iso(EIGHT + minutes * MINUTE), loggerid, points }, NOW);
/** Returns [code, first minute, last minute] of each interval. */
const intervals = (points: LmbData['spoor']) =>
  points.map(({ _time, _value, _start, _stop }) => {
    expect(_time).toBe(_start);
    return [_value, (Date.parse(_start) - EIGHT) / MINUTE, (Date.parse(_stop) - EIGHT) / MINUTE];
  });

test.each<[string, Reading[], number[][]]>([
  ['none', [at(0, { Speed: 1 })], []],
  ['one reading', [at(3, { Machinestatus: 2 })], [[2, 3, 3]]],
  [
    'a code holds until the next',
    [
      at(0, { Machinestatus: 1 }),
      at(1, { Machinestatus: 1 }),
      at(2, { Machinestatus: 3 }),
      at(4, { Machinestatus: 3 }),
    ],
    [
      [1, 0, 2],
      [3, 2, 4],
    ],
  ],
  ['exactly 5 minutes is no gap', [at(0, { Machinestatus: 1 }), at(5, { Machinestatus: 1 })], [[1, 0, 5]]],
  [
    'a longer gap ends it at the last reading',
    [
      at(0, { Machinestatus: 1 }),
      at(2, { Machinestatus: 1 }),
      at(7.1, { Machinestatus: 1 }),
      at(8, { Machinestatus: 1 }),
    ],
    [
      [1, 0, 2],
      [1, 7.1, 8],
    ],
  ],
  [
    'readings without a code do not interrupt it',
    [at(0, { Machinestatus: 1 }), at(1, { Speed: 3 }), at(2, { Machinestatus: 1 })],
    [[1, 0, 2]],
  ],
  [
    'codes that no legend knows are kept',
    [at(0, { Machinestatus: 7 }), at(1, { Machinestatus: -1 }), at(2, { Machinestatus: 0 })],
    [
      [7, 0, 1],
      [-1, 1, 2],
      [0, 2, 2],
    ],
  ],
  [
    'from before the range until after it',
    [
      at(-4, { Machinestatus: 1 }),
      at(1, { Machinestatus: 2 }),
      at(58, { Machinestatus: 3 }),
      at(62, { Machinestatus: 0 }),
    ],
    [
      [1, 0, 1],
      [2, 1, 1],
      [3, 58, 60],
    ],
  ],
  ['too long before the range', [at(-6, { Machinestatus: 1 }), at(1, { Machinestatus: 2 })], [[2, 1, 1]]],
])('intervals of machinestatus are computed: %s (LOG-03, LOG-06)', async (_name, readings, expected) => {
  const answer = await data(await loggerWith(readings), 60);
  expect(answer.machinestatus).toHaveLength(1);
  expect(answer.machinestatus[0]?.colors).toEqual(MACHINE_STATUS_LEGEND);
  expect(intervals(answer.machinestatus[0]?.data ?? [])).toEqual(expected);
});

/** Returns the oracle's intervals during the caller's ownership, with consecutive intervals of the same code joined. */
function oracleIntervals(
  readings: readonly Reading[],
  range: Range,
  intervals: readonly Range[],
): Interval[] {
  return ownedStreams(readings, intervals).flatMap(({ ownRange, stream }) => {
    const cached: { value: number; from: number; to: number }[] = [];
    for (const { value, ...interval } of stream.track('Machinestatus').intervals()) {
      const inside = overlapOf(interval, overlapOf(ownRange, range) ?? { from: 0, to: 0 });
      const last = cached.at(-1);
      if (inside && last?.value === value && last.to === inside.from) last.to = inside.to;
      else if (inside) cached.push({ value, from: inside.from, to: inside.to });
    }
    return cached;
  });
}

/** Returns for each bucket in the segment its first reading with a code, and its most frequent code; ms. */
function mostReported(readings: readonly Reading[], segment: Range, bucketMs: number): [number, number][] {
  const inside = readings.flatMap(({ time, signals: { Machinestatus: code } }) => {
    const start = Math.floor(time / bucketMs) * bucketMs;
    const isWhole = start >= segment.from && start + bucketMs <= segment.to;
    return isWhole && code !== undefined ? [{ time, start, code }] : [];
  });
  return [...Map.groupBy(inside, ({ start }) => start).values()].map((bucket) => {
    const counts = [0, 1, 2, 7].map((code) => ({
      code,
      of: bucket.filter((one) => one.code === code).length,
    }));
    const most = Math.max(...counts.map(({ of }) => of));
    return [bucket[0]?.time as number, counts.find(({ of }) => of === most)?.code as number];
  });
}

test("intervals and hours per status during the caller's ownership equal those computed from the readings (15.6a, LOG-06)", async () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom(1, 999, 10_000, 60_000, 240_000, 300_000, 300_001, 900_000),
      fc.constantFrom(undefined, 0, 1, 1, 1, 2, 7),
    ),
    { minLength: 1, maxLength: 40 },
  );
  const moment = fc.integer({ min: -10 * MINUTE, max: 60 * MINUTE }).map((ms) => EIGHT + ms);
  const between = fc
    .tuple(moment, moment)
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
  // Includes limits (`most`) that are lower than the number of intervals.
  const chart = fc.record({
    bucketMs: fc.constantFrom(1_000, 60_000, 300_000, 900_000),
    most: fc.constantFrom(0, 5, 2_000),
  });
  const cases = fc.record({ steps, range: between, own: between, chart });
  await fc.assert(
    fc.asyncProperty(cases, async ({ steps: all, range, own, chart: { bucketMs, most } }) => {
      let time = EIGHT - 10 * MINUTE;
      const readings = all.map(([step, code]): Reading => {
        time += step;
        return { time, signals: code === undefined ? { Speed: 1 } : { Machinestatus: code } };
      });
      const loggerid = await loggerWith(readings);
      const { rows } = await portal.pool.query('select id from stream where serial = $1', [loggerid]);
      const { id } = rows[0];
      const intervals = [own, { from: own.to + 7 * MINUTE, to: EIGHT + 600 * MINUTE }];
      const segments = ownedSegmentsOf(range, intervals);
      const parts = await readRail(portal.pool, id, segments);
      for (const part of parts) {
        const { segment } = part;
        const { intervals: found, all: areAll } = findRailCodeIntervals(part, 'Machinestatus', {
          most,
          bucketMs,
        });
        expect(found.length <= most || !areAll).toBe(true);
        const expected = oracleIntervals(readings, segment, [segment.own]);
        if (most === 2_000) expect(areAll).toBe(true);
        if (areAll) expect(found.filter(({ from, to }) => from < to)).toEqual(expected);
        else
          for (const [ms, code] of mostReported(readings, segment, bucketMs))
            expect(found.findLast(({ from }) => from <= ms)?.value).toBe(code);
      }
      const { codes, noDataMs } = totalsOf(parts);
      const expected = durationsByCode(readings, 'Machinestatus', range, intervals);
      expect(new Map(codes.map(({ value, ms }) => [value, ms]))).toEqual(expected.ofCode);
      expect(noDataMs).toBe(expected.noDataMs);
    }),
    { numRuns: 40 },
  );
});

test('codes of an LMB logger with millions of readings are sampled at the start of windows of 30 s (45.N1)', async () => {
  // 20 minutes at 10 Hz; once a second one reading has Machinestatus, and the reading after it has Spoor.
  const readings = Array.from({ length: 12_000 }, (_, n): Reading => {
    const code = Math.floor(n / 1_000) % 3;
    const signals = n % 10 === 2 ? { Machinestatus: code } : n % 10 === 3 ? { Spoor: code + 1 } : { Olie: n };
    return { time: EIGHT + n * 100, signals };
  });
  const loggerid = await loggerWith(readings);
  const { rows } = await portal.pool.query('select id from stream where serial = $1', [loggerid]);
  const range = { from: EIGHT, to: EIGHT + 20 * MINUTE };
  const effort = { readAll: 1_000, slots: 400, most: 30, many: 1_000 };
  const [part] = await readRail(portal.pool, rows[0].id, [{ ...range, own: range }], effort);
  const windows = Array.from({ length: 40 }, (_, n) => EIGHT + n * 30_000);
  expect([...(part?.readings.times ?? [])]).toEqual(windows.flatMap((from) => [from + 200, from + 300]));
  const chart = { most: 2_000, bucketMs: MINUTE };
  const { intervals } = findRailCodeIntervals(part as NonNullable<typeof part>, 'Machinestatus', chart);
  expect(intervals.map(({ value }) => value)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
  for (const [n, { from }] of intervals.entries())
    expect(Math.abs(from - (EIGHT + n * 100_000))).toBeLessThanOrEqual(30_200);
});

test('codes of an LMB logger that change within seconds and pause for minutes give the right intervals (15.6a)', async () => {
  const codes = [1, 1, 2, 1, 2, 1, 2, 2];
  const loggerid = await loggerWith([
    ...codes.map((Machinestatus, n) => at(n / 10, { Machinestatus })),
    // A pause between two readings of one code, and between two codes.
    ...[15, 16, 22, 23].map((minute) => at(minute, { Machinestatus: 3 })),
    ...[30, 31, 37, 38].map((minute) => at(minute, { Machinestatus: minute < 35 ? 4 : 5 })),
  ]);
  const { rows } = await portal.pool.query('select id from stream where serial = $1', [loggerid]);
  const month = { from: EIGHT, to: EIGHT + 30 * 1_440 * MINUTE };
  const bucketMs = 15 * MINUTE;
  const [part] = await readRail(portal.pool, rows[0].id, [{ ...month, own: month }]);
  const found = findRailCodeIntervals(part as NonNullable<typeof part>, 'Machinestatus', {
    most: 10,
    bucketMs,
  });
  expect(found.all).toBe(true);
  expect(
    found.intervals.map(({ value, from, to }) => [value, (from - EIGHT) / MINUTE, (to - EIGHT) / MINUTE]),
  ).toEqual([
    [1, 0, 0.2],
    [2, 0.2, 0.3],
    [1, 0.3, 0.4],
    [2, 0.4, 0.5],
    [1, 0.5, 0.6],
    [2, 0.6, 0.7],
    [3, 15, 16],
    [3, 22, 23],
    [4, 30, 31],
    [5, 37, 38],
  ]);
});

test('the lowest and highest speed of each bucket are of readings within the range, and the first of equal speeds is returned (LOG-06)', async () => {
  const speeds = [90, 4, 8, 4, 8, 6, -3, -3];
  const loggerid = await loggerWith(speeds.map((Speed, n) => at(n - 1, { Speed })));
  const points = (await data(loggerid, 5, 10)).speed[0]?.data ?? [];
  expect(points.map(({ _value }) => _value)).toEqual([4, 8, 4, 8, 6]);
  const all = (await data(loggerid, 120, 10)).speed[0]?.data ?? [];
  expect(all.map(({ _value, _time }) => [_value, (Date.parse(_time) - EIGHT) / MINUTE])).toEqual([
    [8, 1],
    [-3, 5],
  ]);
});

test('the data of an LMB logger contain hours per status, and the future does not count as missing data (15.6a)', async () => {
  const loggerid = await loggerWith([
    at(0, { Machinestatus: 2 }),
    at(4, { Machinestatus: 3 }),
    at(6, { Machinestatus: 3 }),
  ]);
  expect((await data(loggerid, 60)).totals).toEqual({
    codes: [
      { value: 2, ms: 4 * MINUTE },
      { value: 3, ms: 2 * MINUTE },
    ],
    noDataMs: 54 * MINUTE,
  });
  const ahead = { start: iso(NOW - 30 * MINUTE), end: iso(NOW + 60 * MINUTE), loggerid, points: 100 };
  expect((await lmbData(portal.pool, scope, ahead, NOW)).totals).toEqual({
    codes: [],
    noDataMs: 30 * MINUTE,
  });
});

test('the data of an LMB logger contain the series track and rail gear, legends with texts, speed and position (LOG-06)', async () => {
  const loggerid = await loggerWith([
    at(0, { Spoor: 1, Spoorstand: 0, Speed: 0, LATITUDE: 52.1, LONGITUDE: 5.1 }),
    at(1, { Spoor: 1, Spoorstand: 1, Speed: 12.5, LATITUDE: 52.102, LONGITUDE: 5.102 }),
    at(2, { Spoor: 0, Spoorstand: 2, Speed: 3 }),
  ]);
  const answer = await data(loggerid, 720);
  expect(answer.spoordata.map(({ name, colors }) => [name, colors])).toEqual([
    ['spoor', TRACK_LEGEND],
    ['spoorstand', RAIL_GEAR_LEGEND],
  ]);
  expect(answer.spoordata.map(({ data: points }) => points)).toEqual([answer.spoor, answer.spoorstand]);
  expect(intervals(answer.spoor)).toEqual([
    [1, 0, 2],
    [0, 2, 2],
  ]);
  expect(intervals(answer.spoorstand)).toEqual([
    [0, 0, 1],
    [1, 1, 2],
    [2, 2, 2],
  ]);
  expect(answer.legendas).toEqual({
    machinestatus: MACHINE_STATUS_LEGEND,
    spoordata: [...TRACK_LEGEND, ...RAIL_GEAR_LEGEND],
  });
  expect(answer.speed.map(({ name, data: points }) => [name, points.map(({ _value }) => _value)])).toEqual([
    ['speed', [0, 12.5, 3]],
  ]);
  expect(answer.location.map(({ lat, lon }) => [lat, lon])).toEqual([
    [52.1, 5.1],
    [52.102, 5.102],
  ]);
  expect(answer.position).toEqual({ lat: 52.102, lon: 5.102, time: iso(EIGHT + MINUTE) });
  expect(answer.lastDay).toBe('2025-04-12');
});

test('a range without readings gives no position, and the last day with data, which is null for a logger without readings (LOG-04)', async () => {
  const loggerid = await loggerWith([{ time: EIGHT + 500 * 86_400_000, signals: { Speed: 4 } }]);
  expect(await data(loggerid, 720)).toMatchObject({ location: [], position: null, lastDay: '2026-08-25' });
  expect(await data(await loggerWith([]), 720)).toMatchObject({ lastDay: null, position: null });
});

test('the lowest and highest speed of each bucket are returned with the time of their reading (LOG-03)', async () => {
  const speeds = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.double({ min: 1e-9, max: 120, noNaN: true })),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(speeds, async (steps) => {
      let time = EIGHT - 1;
      const readings = steps.map(([step, Speed]) => {
        time += step;
        return { time, signals: { Speed } };
      });
      const answer = await data(await loggerWith(readings), 90, 10);
      const points = answer.speed[0]?.data ?? [];
      // 90 minutes in 10 points give buckets of 10 minutes.
      const expected = Map.groupBy(readings, ({ time: ms }) => Math.floor(ms / (10 * MINUTE)));
      const found = Map.groupBy(points, ({ _start }) => Math.floor(Date.parse(_start) / (10 * MINUTE)));
      expect([...found.keys()]).toEqual([...expected.keys()]);
      for (const [bucket, inside] of expected) {
        const values = inside.map(({ signals }) => signals.Speed);
        const [least, most] = [Math.min(...values), Math.max(...values)];
        const shown = found.get(bucket) ?? [];
        expect(shown.length).toBeLessThanOrEqual(2);
        expect([Math.min(...shown.map((p) => p._value)), Math.max(...shown.map((p) => p._value))]).toEqual([
          least,
          most,
        ]);
        for (const { _time, _value } of shown) {
          const reading = inside.find(({ time: ms }) => iso(ms) === _time);
          expect(Math.abs((reading?.signals.Speed ?? Number.NaN) - _value)).toBeLessThan(1e-9);
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('codes that flap within seconds give at most as many intervals as points are requested, each with its most frequent code (LOG-03)', async () => {
  const readings = Array.from({ length: 3_600 }, (_, n) =>
    at(n / 60, { Machinestatus: n % 10 < 7 ? (n < 1_800 ? 2 : 3) : n % 2 }),
  );
  const answer = await data(await loggerWith(readings), 60, 60);
  expect(intervals(answer.machinestatus[0]?.data ?? [])).toEqual([
    [2, 0, 30],
    [3, 30, 3_599 / 60],
  ]);
});

test('the loggerid of another organization, that of a machine and an unknown one get the same answer, and a user of a machine customer sees no LMB logger (LOG-03, API-02)', async () => {
  const theirs = await loggerWith([], other);
  await portal.machine(spoor, { serial: 'M-1' });
  const mine = await loggerWith([]);
  const failure = (loggerid: string, who = scope) =>
    data(loggerid, 60, 100, who).then(
      () => 'answered',
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    );
  expect(await failure(mine)).toBe('answered');
  for (const loggerid of [theirs, 'M-1', 'L-0', ''])
    expect(await failure(loggerid)).toBe('not_found: Deze logger bestaat niet.');
  const user = scopeOf({
    organizationId: spoor,
    organization: 'spoor',
    isLmbCustomer: false,
    role: 'gebruiker',
    privacy: DEFAULT_PRIVACY,
    limit: null,
  });
  expect(await failure(mine, user)).toBe('not_found: Deze logger bestaat niet.');
  const admin = scopeOf({
    organizationId: 99,
    organization: 'admin',
    isLmbCustomer: false,
    role: 'administrator',
    privacy: DEFAULT_PRIVACY,
    limit: null,
  });
  expect(await failure(theirs, admin)).toBe('answered');
});

test('an LMB logger with a BatteryCurrent has energy fed back, and one without has none (TEST-01)', async () => {
  const loggerid = await loggerWith([
    at(0, { BatteryCurrent: -30, BatteryVoltage: 600 }),
    at(4, { BatteryCurrent: 0 }),
  ]);
  await portal.user('a@spoor.nl', spoor);
  const cookie = await portal.login('a@spoor.nl');
  const range = `start=${iso(EIGHT)}&stop=${iso(EIGHT + 720 * MINUTE)}`;
  const back = async (id: string) =>
    (await portal.get(`/api/influx/powerback/${id}?${range}`, cookie)).json();
  expect(await back(loggerid)).toMatchObject({ kWh: (18 * 4) / 60, known: 1 });
  expect(await back(await loggerWith([at(0, { Speed: 4 }), at(1, { Speed: 5 })]))).toEqual({
    kWh: 0,
    known: null,
    days: [{ date: expect.any(String), kWh: 0, known: null }],
  });
});

test('a peak in speed between sampled readings is shown from the roll-up (LOG-06)', async () => {
  const peaks = new Map([
    [33, 88],
    [41, -2],
    [44, 99],
  ]);
  const loggerid = await loggerWith(
    Array.from({ length: 60 }, (_, minute) => at(minute, { Speed: peaks.get(minute) ?? 5 })),
  );
  const { rows } = await portal.pool.query('select id from stream where serial = $1', [loggerid]);
  const { id } = rows[0];
  const hour = { from: EIGHT, to: EIGHT + 60 * MINUTE };
  // With this effort one reading of every ten minutes is read.
  const effort = { readAll: 59, slots: 6, most: 1 };
  const parts = await readRail(portal.pool, id, [{ ...hour, own: hour }], effort);
  expect(parts[0]?.readings.times).toHaveLength(6);
  const values = async (whole: Range[]) => {
    const rolled = await readRollupSpeeds(portal.pool, id, whole, 10 * MINUTE);
    const points = findSpeedExtremes(parts, rolled, hour, 10 * MINUTE);
    return points.map(({ _value, _time }) => [_value, (Date.parse(_time) - EIGHT) / MINUTE]);
  };
  expect((await values([])).every(([value]) => value === 5)).toBe(true);
  const known = await values([hour]);
  expect(known).toContainEqual([88, 32.5]);
  // These two peaks lie in the same bucket of five minutes.
  expect(known).toContainEqual([-2, 42.5]);
  expect(known).toContainEqual([99, 42.5]);
  // A peak from before the caller's ownership stays unknown.
  expect(await values([{ from: EIGHT + 35 * MINUTE, to: hour.to }])).not.toContainEqual([88, 32.5]);
});

test('an LMB logger shows its route only to callers who may see routes, and only inside the hours that apply to them (13.12a, 13.12b)', async () => {
  const loggerid = await loggerWith(
    Array.from({ length: 6 }, (_, n) => at(30 * n, { LATITUDE: 52 + n / 100, LONGITUDE: 5, Speed: 12 })),
  );
  const as = (privacy: Partial<typeof DEFAULT_PRIVACY>) =>
    data(
      loggerid,
      200,
      2_000,
      scopeOf({
        organizationId: spoor,
        organization: 'spoor',
        isLmbCustomer: true,
        role: 'kijker',
        privacy: { ...DEFAULT_PRIVACY, ...privacy },
        limit: null,
      }),
    );
  expect((await as({})).location).toHaveLength(6);
  const none = await as({ routesFrom: 'gebruiker' });
  expect([none.location, none.position]).toEqual([[], null]);
  expect(none.speed[0]?.data.length).toBeGreaterThan(1);
  const bound = await as({ viewerHours: { days: [6], from: '08:30', to: '09:30' } });
  expect(bound.location.map(({ lat }) => lat)).toEqual([52.01, 52.02]);
});
