import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import type { CustomSignal, CustomSignalSeriesResponse } from '#shared/contract/history.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 20, 12, 2, 30);

let portal: TestPortal;
let klant: number;
const cookies = new Map<string, string>();
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  for (const [name, isLmbCustomer] of [
    ['klant', false],
    ['koper', false],
    ['spoor', true],
  ] as const) {
    const id = await portal.organization(name, { isLmbCustomer });
    if (name === 'klant') klant = id;
    await portal.user(`iemand@${name}.nl`, id);
    cookies.set(name, await portal.login(`iemand@${name}.nl`));
  }
});
afterAll(() => portal.close());

async function get(id: string, query: Record<string, string | number>, path = '', who = 'klant') {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await portal.get(`/api/influx/signals/${id}${path}?${search}`, cookies.get(who));
  return { status: answer.statusCode, body: answer.json() };
}
const namesOf = async (id: string, start = '-30d', who = 'klant'): Promise<CustomSignal[]> =>
  (await get(id, { start }, '', who)).body;
const valuesOf = (
  id: string,
  names: readonly string[],
  query: Record<string, string | number>,
  who?: string,
) => get(id, { names: JSON.stringify(names), ...query }, '/values', who);
const iso = (ms: number): string => new Date(ms).toISOString();

describe('the names of custom signals', () => {
  const DBC = `VERSION ""
BU_: ECU
BO_ 500 Motor: 8 ECU
 SG_ Olie : 0|16@1+ (0.1,0) [0|0] "bar" Vector__XXX
 SG_ Soc1 : 16|8@1+ (1,0) [0|0] "%" Vector__XXX
 SG_ Stand : 24|8@1+ (1,0) [0|0] "" Vector__XXX
`;
  beforeAll(async () => {
    const streamId = await portal.machine(klant, { serial: 'N-1' });
    await portal.logger(streamId, '1234567', {
      buses: [{ bus: 0, bitrate: 500_000, name: 'motor.dbc', dbc: DBC }],
      mapping: { signals: [], keep: [{ bus: 0, message: 'Motor' }] },
    });
    const long = { time: NOW - 40 * 24 * HOUR, signals: { Vroeger: 1 } };
    const signals = {
      Soc1: 80,
      SocDisp: 80,
      Soc9: 3,
      IsChargingAC: 0,
      MotorSpeed: 900,
      Olie: 4,
      'Motor.Soc1': 79,
      Stand: 2,
      'Druk 10': 1,
      'Druk 9': 1,
    };
    await storeTestReadings(portal.pool, streamId, [long, { time: NOW - HOUR, signals }]);
  });

  test('the names of custom signals are listed alphabetically, with the unit of the data definition (12.C3)', async () => {
    const lastSeen = iso(NOW - HOUR);
    expect(await namesOf('N-1')).toEqual(
      [
        ['Druk 9', null],
        ['Druk 10', null],
        ['Motor.Soc1', '%'],
        ['Olie', 'bar'],
        ['Soc9', null],
        ['Stand', null],
      ].map(([name, unit]) => ({ name, unit, lastSeen })),
    );
  });

  test('the names of custom signals that were last sent before the requested time are left out (12.C3)', async () => {
    expect((await namesOf('N-1', '-41d')).map(({ name }) => name)).toContain('Vroeger');
    expect(await namesOf('N-1', '-30m')).toEqual([]);
  });

  test('the names of custom signals are hidden for a machine of another customer and for an unknown machine (12.C3, API-02)', async () => {
    for (const [id, who] of [
      ['N-1', 'koper'],
      ['N-0', 'klant'],
      ['N-1', 'spoor'],
    ] as const) {
      expect((await get(id, { start: '-1d' }, '', who)).status).toBe(404);
      expect((await valuesOf(id, ['Olie'], { start: '-1d' }, who)).status).toBe(404);
    }
  });
});

/** Returns readings with random values of two signals at different rates, some long pauses, and a few values of a third signal. */
function drawn(seed: number): Reading[] {
  const random = new Random(seed);
  const readings: Reading[] = [];
  for (let time = NOW - 6 * HOUR, n = 0; time < NOW; n++) {
    const signals: Record<string, number> = { MotorSpeed: 900 };
    if (n % 3 > 0) signals.Olie = random.between(-5, 5);
    if (n % 7 === 0) signals.Stand = random.whole(0, 4);
    if (random.chance(0.003)) signals.Zelden = random.between(1e5, 1e6);
    readings.push({ time, signals });
    time += random.chance(0.005) ? random.whole(1, 20) * MINUTE : random.whole(1, 9_000);
  }
  return readings;
}

/** Computes a signal's values in a range, per bucket. */
function bucketsOf(readings: readonly Reading[], name: string, from: number, to: number, bucketMs: number) {
  const buckets = new Map<number, number[]>();
  for (const { time, signals } of readings) {
    const value = signals[name];
    if (value === undefined || time < from || time >= to) continue;
    const start = bucketMs === 0 ? time : Math.floor(time / bucketMs) * bucketMs;
    buckets.set(start, [...(buckets.get(start) ?? []), value]);
  }
  return [...buckets].map(([start, values]) => ({
    start: start / 1_000,
    min: Math.min(...values),
    mean: values.reduce((a, b) => a + b, 0) / values.length,
    max: Math.max(...values),
    count: values.length,
  }));
}

const NAMES = ['Olie', 'Stand', 'Zelden', 'Nooit'];
const inRows = ({ signals }: CustomSignalSeriesResponse, name: string) => {
  const { time, min, mean, max, count } = signals.find((signal) => signal.name === name)!;
  return time.map((start, n) => ({ start, min: min[n], mean: mean[n], max: max[n], count: count[n] }));
};

describe('the values of custom signals', () => {
  const readings = drawn(7);
  beforeAll(async () => {
    await storeTestReadings(portal.pool, await portal.machine(klant, { serial: 'V-1' }), readings);
  });

  test.each([
    ['all of it', NOW - 7 * HOUR, NOW, 600, 60_000],
    ['coarse', NOW - 7 * HOUR, NOW, 10, HOUR],
    ['cut anywhere', NOW - 5 * HOUR + 1_234, NOW - HOUR - 567, 600, 30_000],
    ['short: each value', NOW - 30 * MINUTE, NOW - 10 * MINUTE, 2_000, 0],
    ['before all', NOW - 9 * HOUR, NOW - 8 * HOUR, 600, 0],
  ])(
    'the values of custom signals are the lowest, mean, highest and count of the readings: %s (12.C3)',
    async (_, from, to, points, bucketMs) => {
      const { body } = await valuesOf('V-1', NAMES, { start: iso(from), end: iso(to), points });
      const answer = body as CustomSignalSeriesResponse;
      expect(answer.signals.map(({ name }) => name)).toEqual(NAMES);
      expect(answer.bucketSeconds * 1_000).toBe(bucketMs);
      for (const name of NAMES) {
        const expected = bucketsOf(readings, name, from, to, bucketMs);
        const values = inRows(answer, name);
        const exact = (row: { mean: number | undefined }) => ({ ...row, mean: 0 });
        expect(values.map(exact)).toEqual(expected.map(exact));
        for (const [n, { mean }] of expected.entries()) expect(values[n]?.mean).toBeCloseTo(mean, 6);
      }
    },
  );

  test.each([
    ['Olie', 'geen JSON'],
    ['[]', 'geen namen'],
    ['[1]', 'geen naam'],
    ['["Olie","Olie"]', 'twee keer'],
    [JSON.stringify(Array.from({ length: 9 }, (_, n) => `S${n}`)), 'te veel'],
  ])('values of custom signals for the names %s (%s) are refused (12.C3, API-03)', async (names) => {
    const { status, body } = await get('V-1', { names, start: '-1h' }, '/values');
    expect([status, body.message]).toEqual([
      400,
      'De namen zijn een JSON-lijst van 1 tot 8 verschillende signalen.',
    ]);
  });

  test('a request for values of custom signals in a range with too many readings is refused before any reading is read (12.C3)', async () => {
    const streamId = await portal.machine(klant, { serial: 'V-2' });
    await storeTestReadings(portal.pool, streamId, [{ time: NOW - 2 * HOUR, signals: { Olie: 1 } }]);
    await inEachShard(portal.pool, 'update telemetry.rollup set count = 300001 where stream_id = $1', [
      streamId,
    ]);
    const { status, body } = await valuesOf('V-2', ['Olie'], { start: '-1d' });
    expect([status, body.message]).toEqual([
      400,
      'Deze periode heeft 300.001 metingen; van eigen signalen worden er hoogstens 300.000 getoond. Kies een kortere periode.',
    ]);
  });
});

test('a buyer of a machine sees neither names nor values from before the sale (12.C3, INGEST-06)', async () => {
  const moved = NOW - 2 * HOUR;
  const streamId = await portal.machine(klant, { serial: 'B-1' });
  await storeTestReadings(portal.pool, streamId, [{ time: moved - MINUTE, signals: { Olie: 1, Geheim: 2 } }]);
  const { rows } = await portal.pool.query(`select id from organization where name = 'koper'`);
  await moveStream(portal.pool, streamId, rows[0].id, new Date(moved));
  await storeTestReadings(portal.pool, streamId, [{ time: moved + MINUTE, signals: { Olie: 3 } }]);
  expect((await namesOf('B-1', '-1d', 'koper')).map(({ name }) => name)).toEqual(['Olie']);
  const { body } = await valuesOf('B-1', ['Olie', 'Geheim'], { start: '-1d' }, 'koper');
  expect((body as CustomSignalSeriesResponse).signals.map(({ min }) => min)).toEqual([[3], []]);
});
