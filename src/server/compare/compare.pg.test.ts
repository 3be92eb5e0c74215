import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ComparedFigures, ComparedTimeSeries } from '#shared/contract/compare.ts';
import type { DayChart } from '#shared/contract/history.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { daysAfter } from '#shared/domain/amsterdam-time.ts';

let portal: TestPortal;
let cookie: string;
let owner: number;
beforeAll(async () => {
  portal = await testPortal();
  owner = await portal.organization('graaf');
  await portal.user('g@graaf.example', owner);
  cookie = await portal.login('g@graaf.example');
  await machine('K-1', [1, 2, 3], {
    Soc1: 80,
    Soc2: 60,
    MotorSpeed: 900,
    BatteryCurrent: 100,
    BatteryVoltage: 400,
  });
  await machine('K-2', [2], { Soc1: 40, MotorSpeed: 900 });
  await machine('K-3', [2], { MotorSpeed: 900, BatteryCurrent: 50, BatteryVoltage: 400 });
  await machine('K-4', [], {});
  await machine('K-5', [2], { Soc1: 50 });
  await machine('K-6', [], {});
  await computeUntilUpToDate(portal.pool);
  await portal.machine(await portal.organization('ander'), { serial: 'A-1', alias: 'A-1' });
});
afterAll(() => portal.close());

/** Creates a machine that sent these signals every minute from 10 to 11 o'clock in Amsterdam on these days of June 2026. */
async function machine(
  serial: string,
  days: readonly number[],
  signals: Readonly<Record<string, number>>,
): Promise<number> {
  const streamId = await portal.machine(owner, { serial, alias: `naam ${serial}` });
  const readings = days.flatMap((day) =>
    Array.from({ length: 61 }, (_, n) => ({ time: Date.UTC(2026, 5, day, 8, n), signals })),
  );
  if (readings.length > 0) await storeTestReadings(portal.pool, streamId, readings);
  return streamId;
}

const DAY = { start: '2026-06-02T00:00:00+02:00', end: '2026-06-03T00:00:00+02:00' };
const courses = async (machines: unknown, query: Record<string, string> = DAY, as = cookie) => {
  const text = typeof machines === 'string' ? machines : JSON.stringify(machines);
  const answer = await portal.get(
    `/api/compare/courses?${new URLSearchParams({ machines: text, ...query })}`,
    as,
  );
  return {
    status: answer.statusCode,
    message: answer.json().message,
    machines: answer.json().machines as ComparedTimeSeries[],
  };
};
const JUNE = { from: '2026-06-01', to: '2026-06-30' };
const figures = async (machines: unknown, days: Record<string, string> = JUNE) => {
  const query = { machines: JSON.stringify(machines), ...days };
  const answer = await portal.get(`/api/compare/figures?${new URLSearchParams(query)}`, cookie);
  return { status: answer.statusCode, ...(answer.json() as ComparedFigures & { message: string }) };
};

test('the charge level, running and charging of compared machines equal those of their own pages, in the requested order (53.31)', async () => {
  const { machines } = await courses(['k-2', 'K-1', 'K-3', 'K-4', 'K-5']);
  expect(machines.map(({ serial, alias }) => `${serial} ${alias}`)).toEqual([
    'K-2 naam K-2',
    'K-1 naam K-1',
    'K-3 naam K-3',
    'K-4 naam K-4',
    'K-5 naam K-5',
  ]);
  for (const { serial, time, bucketSeconds, bands, seconds, lastDay } of machines) {
    const own = await portal.get(`/api/influx/day/${serial}?${new URLSearchParams(DAY)}`, cookie);
    const chart = own.json() as DayChart;
    expect({ time, bucketSeconds, bands, seconds, lastDay }).toEqual({
      time: chart.time,
      bucketSeconds: chart.bucketSeconds,
      bands: chart.bands,
      seconds: chart.seconds,
      lastDay: chart.lastDay,
    });
  }
  const [second, first, third, silent, parked] = machines;
  // 70 is the mean of the levels of two packs, 80 and 60.
  expect(new Set(first?.level)).toEqual(new Set([70]));
  expect(new Set(second?.level)).toEqual(new Set([40]));
  // 100 A at 400 V are 40 kW. A machine without current has no power, and one without packs has no level.
  expect(new Set(first?.power.kw.map((kw) => Math.round(kw)))).toEqual(new Set([40]));
  expect(second?.power.time).toEqual([]);
  expect(third?.level.every((level) => level === null)).toBe(true);
  expect(new Set(third?.power.kw.map((kw) => Math.round(kw)))).toEqual(new Set([20]));
  expect(silent).toMatchObject({ time: [], bands: [], lastDay: null });
  expect(parked?.bands).toEqual([]);
});

test('the compared power of a machine over a month equals the power of its readings, in buckets longer than five minutes (53.31)', async () => {
  const { machines } = await courses(['K-1', 'K-2'], {
    start: '2026-06-01T00:00:00+02:00',
    end: '2026-07-01T00:00:00+02:00',
  });
  const [{ power } = { power: { kw: [], bucketSeconds: 0 } }] = machines;
  expect(power.bucketSeconds).toBeGreaterThan(300);
  expect(power.kw.every((kw) => Math.abs(kw - 40) < 0.5)).toBe(true);
});

test.each([
  [JUNE, 3],
  [{ from: '2026-06-02', to: '2026-06-08' }, 2],
  [{ from: '2026-06-03', to: '2026-06-03' }, 1],
])(
  'the figures of the days %j have a row per machine, equal to the totals of the report Dagstaten, and no total row (53.31)',
  async (days, count) => {
    const { columns, rows, notes } = await figures(['K-2', 'K-1', 'K-4'], days);
    expect(rows.map(([alias]) => alias)).toEqual(['naam K-2', 'naam K-1', 'naam K-4']);
    const query = { ...days, machines: '["K-1"]' };
    const report = (
      await portal.get(`/api/report/dagstaten?${new URLSearchParams(query)}`, cookie)
    ).json() as ReportAnswer;
    const totals = new Map(report.columns.map(({ key }, at) => [key, report.totals?.[at]]));
    for (const key of ['running', 'charging', 'idle', 'used', 'charged', 'distance', 'known', 'coverage']) {
      const at = columns.findIndex((column) => column.key === key);
      expect([key, rows[1]?.[at]]).toEqual([key, totals.get(key)]);
      expect(columns[at]?.title).toBe(report.columns.find((column) => column.key === key)?.title);
    }
    const of = (row: number, key: string) => rows[row]?.[columns.findIndex((column) => column.key === key)];
    // K-2 ran on the second of June only.
    const second = days.from <= '2026-06-02' ? 1 : 0;
    expect([of(1, 'days'), of(1, 'usedDays'), of(0, 'usedDays'), of(2, 'days')]).toEqual([
      count,
      count,
      second,
      0,
    ]);
    const power = (
      await portal.get(
        `/api/influx/workpower/K-1?${new URLSearchParams({ start: `${days.from}T00:00:00+02:00`, stop: `${daysAfter(days.to, 1)}T00:00:00+02:00` })}`,
        cookie,
      )
    ).json().AvgPower;
    expect(of(1, 'perHour')).toBeCloseTo(power, 6);
    // A machine without current and one without data have no known energy, and no energy per hour.
    expect([of(0, 'perHour'), of(0, 'used'), of(2, 'perHour'), of(2, 'used')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(notes.length).toBeGreaterThan(3);
  },
);

test.each<[string, unknown, number, string]>([
  ['no list', 'K-1', 400, 'De machines zijn een JSON-lijst van serienummers.'],
  ['numbers', [1, 2], 400, 'De machines zijn een JSON-lijst van serienummers.'],
  ['no machine', [], 400, 'Kies minstens twee machines.'],
  ['one machine', ['K-1'], 400, 'Kies minstens twee machines.'],
  ['empty names', ['K-1', ' '], 400, 'Kies minstens twee machines.'],
  [
    'six machines',
    ['K-1', 'K-2', 'K-3', 'K-4', 'K-5', 'K-6'],
    400,
    'Kies hoogstens vijf machines; dit zijn er 6.',
  ],
  ['one machine twice', ['K-1', ' k-1'], 400, "Machine 'k-1' staat er twee keer in."],
  ['an unknown machine', ['K-1', 'X-1'], 404, 'De tweede machine bestaat niet.'],
  ['a machine of another organization', ['K-1', 'A-1'], 404, 'De tweede machine bestaat niet.'],
])('comparing %s is rejected with a sentence (53.31)', async (_, machines, status, message) => {
  const answer = await courses(machines);
  expect([answer.status, answer.message]).toEqual([status, message]);
  if (Array.isArray(machines)) {
    const table = await figures(machines);
    expect([table.status, table.message]).toEqual([status, message]);
  }
});

test('a comparison with an LMB logger is rejected because it is no machine, and users who may not see the logger read that it does not exist (53.31)', async () => {
  const organizationId = await portal.organization('spoor', { isLmbCustomer: true });
  await createStream(portal.pool, 'logger', { serial: 'LMB-1', alias: 'Krol', organizationId });
  await portal.user('admin@portaal.nl', await portal.organization(ADMIN_ORGANIZATION));
  const admin = await portal.login('admin@portaal.nl');
  expect((await courses(['K-1', 'LMB-1'], DAY, admin)).message).toBe(
    "'LMB-1' is een LMB-logger. Alleen machines kunnen worden vergeleken.",
  );
  expect((await courses(['K-1', 'LMB-1'])).message).toBe('De tweede machine bestaat niet.');
});

test.each([
  [{ start: '2026-06-03T00:00:00Z', end: '2026-06-02T00:00:00Z' }, 'De begintijd ligt na de eindtijd.'],
  [
    { start: '2026-01-01T00:00:00Z', end: '2026-02-02T02:00:00Z' },
    'Kies een periode van hoogstens 31 dagen.',
  ],
  [{ start: 'gisteren' }, expect.stringContaining('Onbekende begintijd')],
])('a period %j is rejected with a sentence (53.31)', async (query, message) => {
  const answer = await courses(['K-1', 'K-2'], query as Record<string, string>);
  expect([answer.status, answer.message]).toEqual([400, message]);
});

test.each<[Record<string, string>, unknown]>([
  [{ from: '2026-06-03', to: '2026-06-02' }, 'De eerste dag ligt na de laatste dag.'],
  [{ from: '2026-06-01', to: '2026-07-02' }, 'Kies een periode van hoogstens 31 dagen.'],
  [{ from: '2026-06-31', to: '2026-07-01' }, expect.stringContaining('is geen datum')],
  [{ from: '2026-06-01' }, expect.any(String)],
])(
  'figures of compared machines for the days %j are rejected with a sentence (53.31)',
  async (days, message) => {
    const answer = await figures(['K-1', 'K-2'], days);
    expect([answer.status, answer.message]).toEqual([400, message]);
  },
);

test('the days of a former owner do not count in the compared figures (53.31)', async () => {
  const { rows: found } = await portal.pool.query<{ id: number }>(
    `select id from stream where serial = 'K-4'`,
  );
  await shardForStream(portal.pool, found[0]?.id ?? 0).query(
    `insert into telemetry.day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj, carried_mm, unused_no_fix,
       unused_null_island, unused_jumps)
     select s.id, '2026-06-20', o.id, 0, 1, 3600000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
     from stream s, organization o where s.serial = 'K-4' and o.name = 'ander'`,
    [],
  );
  const { columns, rows } = await figures(['K-4', 'K-1']);
  expect(rows[0]?.[columns.findIndex(({ key }) => key === 'days')]).toBe(0);
});

test('the comparison hides power from the time of a former owner (53.31)', async () => {
  const since = '2026-06-02T08:31:00Z';
  await portal.pool.query(
    `update ownership set valid_from = $1 where stream_id = (select id from stream where serial = 'K-3')`,
    [since],
  );
  const { machines } = await courses(['K-3', 'K-1']);
  expect(machines[0]?.power.time.length).toBeGreaterThan(0);
  expect(machines[0]?.power.time.every((time) => time * 1000 >= Date.parse(since) - 5 * 60_000)).toBe(true);
});
