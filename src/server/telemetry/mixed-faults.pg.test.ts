import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeDays } from '#server/day-figures/compute-days.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { unreadableLinesText } from './decode/dbc/dbc.ts';
import { parseDbc } from './decode/dbc/dbc-parse.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { storedRows } from './test/stored-rows.ts';

/** Tests of uploads with many faults at once (issue 52). */

const T = Date.UTC(2026, 10, 20, 8) / 1000;
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

const MESSAGE = (id: number) => `BO_ ${id} M${id}: 8 X\n SG_ S${id} : 0|8@1+ (0.5,0) [0|100] "%" X\n`;
const definitionOf = (dbc: string, ids: readonly number[]): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'a.dbc', dbc }],
  mapping: { signals: ids.map((id, n) => ({ signal: `S${id}`, to: `Soc${n + 1}` })), keep: [] },
});
const ONE = definitionOf(`VERSION ""\n${MESSAGE(513)}`, [513]);
const newLogger = (definition: Definition = ONE) =>
  fleet.newLogger(definition, new Date((T - 86_400) * 1000));
const frames = (from: number, count: number, byte = '64') =>
  Array.from({ length: count }, (_, n) => `(${from + n}.000000) can0 201#${byte}\n`).join('');
const outcomeOf = async (logger: FleetLogger): Promise<string> => String(await fleet.outcomes(logger));
const timesOf = async ({ streamId }: FleetLogger): Promise<number[]> =>
  (await storedRows(fleet.portal.pool, streamId, ['time'])).map(({ time }) => time.getTime() / 1000 - T);

test('a file that is half candump and half GVRET CSV gives the readings of its first half, and reports the rest (52.1)', async () => {
  const gvret = Array.from({ length: 30 }, (_, n) => `${n}000000,00000201,false,Rx,0,1,64,\n`).join('');
  const logger = await newLogger();
  await fleet.put(logger, 'half.log', `${frames(T, 20)}Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n${gvret}`);
  expect(await outcomeOf(logger)).toMatch(
    /^20 metingen; let op: meer dan de helft van het bestand is niet te gebruiken; 31 regels zijn niet gelezen: regel 21 is ‘Time Stamp/,
  );
});

test('a log whose clock is set twice, once backwards, has every reading at the time of its line (52.1)', async () => {
  const logger = await newLogger();
  await fleet.put(logger, 'clock.log', frames(T, 10) + frames(T - 3_600, 10) + frames(T + 60, 10));
  const ten = (from: number) => Array.from({ length: 10 }, (_, n) => from + n);
  expect(await timesOf(logger)).toEqual([...ten(-3_600), ...ten(0), ...ten(60)]);
});

test('10,000 different unreadable lines are reported in one sentence that shows only the first (52.1)', async () => {
  const logger = await newLogger();
  const bad = Array.from({ length: 10_000 }, (_, n) => `reason ${n} ${'x'.repeat(n % 300)}\n`).join('');
  await fleet.put(logger, 'reasons.log', frames(T, 5) + bad);
  const outcome = await outcomeOf(logger);
  expect(outcome).toMatch(/^5 metingen; let op: .*; 10000 regels zijn niet gelezen: regel 6 is ‘reason 0’/);
  expect(outcome.length).toBeLessThan(400);
});

test('a CSV with 900 columns with invalid names gives the readings of the other columns (52.1)', async () => {
  const logger = await newLogger();
  const columns = Array.from({ length: 900 }, (_, n) => `${'y'.repeat(65)}${n}`);
  const row = (n: number) => [new Date((T + n) * 1000).toISOString(), 50, ...columns.map(() => 1)].join(',');
  await fleet.put(logger, 'wide.csv', `${['time', 'Soc1', ...columns].join(',')}\n${row(0)}\n${row(1)}\n`);
  expect(await outcomeOf(logger)).toMatch(
    /^2 metingen; 900 kolommen zijn weggelaten: kolom 3 heeft geen bruikbare naam$/,
  );
});

test('a DBC in which every message occurs twice is read, and 20 of the duplicates are listed (52.1)', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => 513 + n);
  const dbc = `VERSION ""\n${[...ids, ...ids].map(MESSAGE).join('')}`;
  const list = unreadableLinesText(parseDbc(dbc).unreadable);
  expect([list.length, list.at(-1)]).toEqual([21, expect.stringContaining('20')]);
  const logger = await newLogger(definitionOf(dbc, [513, 514]));
  await fleet.put(logger, 'twice.log', `${frames(T, 3)}(${T}.500000) can0 202#A0\n`);
  const [first] = await storedRows(fleet.portal.pool, logger.streamId, ['soc1', 'soc2']);
  expect(first).toEqual({ soc1: 50, soc2: 80 });
});

test('a snapshot with 900 nan keeps its other values and counts 900 skipped signals (52.1)', async () => {
  const logger = await newLogger();
  const nans = Array.from({ length: 900 }, (_, n) => `"a${n}":${['nan', 'NaN', '-inf'][n % 3]}`).join(',');
  await fleet.put(logger, 'J1939Snapshot.json', `{"GMT_UNIX":${T},${nans},"Soc1":55}`);
  expect(await timesOf(logger)).toEqual([0]);
  expect((await fleet.health(logger.writerId)).counters).toMatchObject({ skippedSignals: 900 });
});

test('a battery that is really empty stays at 0 % (52.5)', async () => {
  const logger = await newLogger();
  for (let minute = 0; minute <= 30; minute += 2)
    await fleet.snapshot(logger, { GMT_UNIX: T + minute * 60, Soc1: Math.max(0, 3 - minute) });
  await computeDays(fleet.portal.pool, logger.streamId);
  const { rows } = await fleet.portal.pool.query(
    'select min(packs[1]) as lowest from rollup where stream_id = $1',
    [logger.streamId],
  );
  expect(rows).toEqual([{ lowest: 0 }]);
});
