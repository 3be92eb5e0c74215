import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeDays } from '#server/day-figures/compute-days.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { unreadableLinesText } from './decode/dbc/dbc.ts';
import { parseDbc } from './decode/dbc/dbc-parse.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { hasSharedData, sharedData } from './decode/test/shared-data.ts';
import { importLog } from './log-import.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { storedRows } from './test/stored-rows.ts';

/** Tests with the files of ../shared/data/field-cases, each read in two ways: by an upload, and by an import. */

const T = Date.UTC(2026, 10, 20, 8);
const DAY = 86_400_000;
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

const SOC_DBC = `VERSION ""
BO_ 513 Accu: 8 X
 SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" X
`;
const definitionOf = (dbc: string, names: readonly string[]): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'case.dbc', dbc }],
  mapping: { signals: names.map((signal) => ({ signal, to: signal })), keep: [] },
});
const SOC = definitionOf(SOC_DBC, ['Soc1']);
const newLogger = (definition: Definition) => fleet.newLogger(definition, new Date(T - DAY));
const file = (name: string) => sharedData(`field-cases/${name}`);

/** Imports a file, with the time T of its first line as --start if requested. */
function imported(
  logger: FleetLogger,
  name: string,
  content: Buffer,
  definition: Definition,
  start: boolean,
) {
  const format = formatOf(name);
  if (!isLogFormat(format)) throw new Error(name);
  return importLog(
    fleet.portal.pool,
    {
      ...{ streamId: logger.streamId, chunks: () => Readable.from([content]), format, definition },
      ...{ fingerprint: `${name} ${logger.streamId}` },
      ...(start ? { startMs: T, shift: 'always' as const } : { shift: 'if-before-2015' as const }),
    },
    content.length,
    () => {},
    Date.now,
  );
}

/** Returns count, first second after T and charge levels of a stream's readings. */
async function socOf({ streamId }: FleetLogger) {
  const rows = await storedRows(fleet.portal.pool, streamId, ['time', 'soc1']);
  const seconds = rows.map(({ time }) => (time.getTime() - T) / 1000);
  const socs = rows.map(({ soc1 }) => soc1 ?? Number.NaN);
  return [rows.length, seconds[0], seconds.at(-1), Math.min(...socs), Math.max(...socs)];
}

const outcomeOf = async (logger: FleetLogger): Promise<string> => String(await fleet.outcomes(logger));

test.skipIf(!hasSharedData).each([
  // Columns: name, start, count, first and last second, lowest and highest charge level.
  ['04-gvret-negative.csv', true, [60, 0, 59, 50, 79.5]],
  ['05-clock-set-later.log', false, [60, 0, 59, 50, 50]],
  ['08-python-can.csv', false, [60, 0, 59, 50, 74.5]],
  ['09-interface-can_a.log', false, [60, 0, 59, 50, 50]],
  ['09-interface-vcan-i.log', false, [60, 0, 59, 50, 50]],
  ['10-differences.log', true, [300, 0, 299, 50, 50]],
  ['12-sep-line.csv', false, [10, 0, 540, 51, 60]],
  ['12-utf-16.csv', false, [10, 0, 540, 51, 60]],
  ['18-gvret-dlc.csv', true, [60, 0, 59, 50, 79.5]],
] as const)(
  'the field case %s gives the correct result, uploaded and imported (52.1, 52.3)',
  async (name, start, expected) => {
    const uploads = await newLogger(SOC);
    await fleet.put(uploads, start ? `20261120_080000_${name}` : name, file(name));
    expect(await socOf(uploads)).toEqual(expected);
    const imports = await newLogger(SOC);
    const { nothing } = await imported(imports, name, file(name), SOC, start);
    expect([await socOf(imports), nothing]).toEqual([expected, undefined]);
  },
);

test.skipIf(!hasSharedData)(
  'readings from before the clock was set are left out and reported (52.1)',
  async () => {
    const logger = await newLogger(SOC);
    await fleet.put(logger, '05.log', file('05-clock-set-later.log'));
    expect(await outcomeOf(logger)).toBe(
      '60 metingen; 3 van de 63 hebben een onmogelijke tijd (voor 2015 of in de toekomst)',
    );
  },
);

test('the result of a log file warns if more than half of the file is unusable (52.1)', async () => {
  const frames = (count: number) =>
    Array.from({ length: count }, (_, n) => `(${T / 1000 + n}.0) can0 201#64`).join('\n');
  const logger = await newLogger(SOC);
  await fleet.put(logger, 'half.log', `${frames(10)}\n${'no line of a log\n'.repeat(9)}`);
  expect(await outcomeOf(logger)).toMatch(/^10 metingen; 9 regels zijn niet gelezen: regel 11 is/);
  const second = await newLogger(SOC);
  await fleet.put(second, 'less.log', `${frames(10)}\n${'no line of a log\n'.repeat(11)}`);
  expect(await outcomeOf(second)).toMatch(
    /^10 metingen; let op: meer dan de helft van het bestand is niet te gebruiken; 11 regels/,
  );
});

test.skipIf(!hasSharedData)(
  'a log with no frame that is in the data definition is shown as a failure in the table and in the health (52.2)',
  async () => {
    const logger = await newLogger(SOC);
    await fleet.put(logger, '11.log', file('11-nothing-fits.log'));
    const why = /^0 metingen; geen van de 60 frames staat in het DBC-bestand .* \(1 onbekende identifier\)/;
    expect(await outcomeOf(logger)).toMatch(why);
    expect((await fleet.health(logger.writerId)).lastError).toMatch(why);
    const { nothing, summary } = await imported(logger, '11.log', file('11-nothing-fits.log'), SOC, false);
    expect(nothing).toBe('none of its 60 frames is in a DBC of its bus');
    expect(summary).toContain('60 of them with an identifier that no DBC of their bus knows (1 identifiers)');
  },
);

test.skipIf(!hasSharedData)(
  'a name in two branches and a message that occurs twice are accepted (52.1)',
  async () => {
    const branches = definitionOf(file('06-doubled-in-branches.dbc').toString(), ['Soc1', 'Temp']);
    const logger = await newLogger(branches);
    await fleet.put(logger, '06.log', file('06-doubled-in-branches.log'));
    const rows = await storedRows(fleet.portal.pool, logger.streamId, ['rest']);
    const temperatures = rows.map(({ rest }) => rest?.Temp ?? Number.NaN).sort((one, other) => one - other);
    expect(temperatures).toEqual([...Array(10).fill(20), ...Array(10).fill(30)]);
    const message = definitionOf(file('06-doubled-message.dbc').toString(), ['Soc1', 'MotorSpeed']);
    const { unreadable } = parseDbc(message.buses[0]?.dbc ?? '', 'accu.dbc');
    expect(unreadableLinesText(unreadable)).toEqual([expect.stringMatching(/^regel 11, bericht Accu2/)]);
    const second = await newLogger(message);
    await fleet.put(
      second,
      '06.log',
      `(${T / 1000}.0) can0 201#6464000000000000\n(${T / 1000}.5) can0 202#DC05\n`,
    );
    expect(await storedRows(fleet.portal.pool, second.streamId, ['soc1', 'motor_speed'])).toEqual([
      { soc1: 50, motor_speed: 1500 },
    ]);
  },
);

test.skipIf(!hasSharedData)(
  'a raw 0 of a layout with offsets gives no position, in particular not the pole (52.1)',
  async () => {
    const definition = definitionOf(file('07-raw-zero-pole.dbc').toString(), ['LATITUDE', 'LONGITUDE']);
    const logger = await newLogger(definition);
    await fleet.put(logger, '07.log', file('07-raw-zero-pole.log'));
    const rows = await storedRows(fleet.portal.pool, logger.streamId, ['latitude']);
    const latitudes = rows.flatMap(({ latitude }) => latitude ?? []);
    expect(latitudes.length).toBeGreaterThan(0);
    expect(Math.max(...latitudes.map(Math.abs))).toBeLessThan(60);
    const { rows: way } = await fleet.portal.pool.query(
      'select sum(distance_mm)::int as mm from rollup where stream_id = $1',
      [logger.streamId],
    );
    expect(way).toEqual([{ mm: 0 }]);
  },
);

test.skipIf(!hasSharedData)(
  'the gap between two segments of a GPX file adds no distance, uploaded and imported (52.3)',
  async () => {
    const name = '17-two-segments.gpx';
    const uploads = await newLogger(SOC);
    await fleet.put(uploads, name, file(name));
    const imports = await newLogger(SOC);
    await imported(imports, name, file(name), SOC, false);
    for (const { streamId } of [uploads, imports]) {
      const { rows } = await fleet.portal.pool.query(
        'select sum(distance_mm)::int as mm, sum(carried_mm)::int as carried from rollup where stream_id = $1',
        [streamId],
      );
      expect([Math.round(rows[0].mm / 1000), rows[0].carried]).toEqual([200, 0]);
    }
  },
);

test.skipIf(!hasSharedData).each([
  ['01-clock-1980.jsonl', 'de klok GMT_UNIX loopt 17.120 dagen achter op RTC_UNIX'],
  [
    '01-clock-1024-weeks-early.jsonl',
    'de klok GMT_UNIX loopt 1.024 weken achter op RTC_UNIX (het weeknummer van GPS is opnieuw begonnen)',
  ],
  ['01-clock-2080.jsonl', 'de klok GMT_UNIX loopt 19.400 dagen voor op RTC_UNIX'],
])('snapshots of %s are stored at the time of the correct clock (52.4)', async (name, wrong) => {
  const logger = await newLogger(SOC);
  for (const line of file(name).toString().trim().split('\n')) await fleet.snapshot(logger, JSON.parse(line));
  expect(await socOf(logger)).toEqual([3, 0, 120, 50, 52]);
  expect(await fleet.quarantined(logger)).toEqual([]);
  expect((await fleet.health(logger.writerId)).lastError).toBe(wrong);
});

test.skipIf(!hasSharedData).each([
  ['13-nan.json', 55, 1],
  ['13-nan-capital.json', 56, 2],
])(
  'a snapshot with a value that is no number keeps its other values: %s (52.1)',
  async (name, soc, skipped) => {
    const logger = await newLogger(SOC);
    await fleet.put(logger, 'J1939Snapshot.json', file(name));
    const rows = await storedRows(fleet.portal.pool, logger.streamId, ['soc1', 'motor_speed']);
    expect(rows).toEqual([{ soc1: soc, motor_speed: 1500 }]);
    expect((await fleet.health(logger.writerId)).counters).toMatchObject({ skippedSignals: skipped });
  },
);

/** Computes the days of a stream, and waits until all are computed, because the portal may compute some at the same time. */
const daysAreCounted = (streamId: number) =>
  expect
    .poll(
      async () => {
        await computeDays(fleet.portal.pool, streamId);
        const { rows } = await fleet.portal.pool.query<{ isDone: boolean }>(
          `select c.counted_at is not distinct from l.updated_at
             and not exists (select from changed_history h where h.stream_id = l.stream_id) as "isDone"
           from day_cursor c join latest l on l.stream_id = c.stream_id where l.stream_id = $1`,
          [streamId],
        );
        return rows[0]?.isDone;
      },
      { timeout: 20_000 },
    )
    .toBe(true);

/**
 * Returns the lowest charge level of the day, and the charge levels of the charging sessions, from the portal's
 * answers.
 */
async function chargeOf({ streamId, serialNumber }: FleetLogger) {
  await daysAreCounted(streamId);
  const { rows } = await fleet.portal.pool.query(
    'select min(packs[1]) as lowest from rollup where stream_id = $1',
    [streamId],
  );
  const range = `start=${new Date(T - DAY).toISOString()}&end=${new Date(T + DAY).toISOString()}`;
  const answer = await fleet.portal.get(`/api/influx/sessions/${serialNumber}?${range}`, fleet.cookie);
  return { lowest: rows[0].lowest, sessions: answer.json().sessions };
}

test.skipIf(!hasSharedData).each([
  ['02-soc-zero.jsonl', 63, [63, 73]],
  ['02-soc-session-zero.jsonl', 40, [41, 52.5]],
])(
  'a charge level of 0 from a controller that wakes up or falls asleep does not count: %s (52.5)',
  async (name, lowest, levels) => {
    const lines = file(name).toString().trim().split('\n');
    const orders = [
      lines,
      lines.toReversed(),
      [...lines.filter((_, n) => n % 2), ...lines.filter((_, n) => n % 2 === 0)],
    ];
    for (const order of orders) {
      const logger = await newLogger(SOC);
      for (const line of order) await fleet.snapshot(logger, JSON.parse(line));
      const found = await chargeOf(logger);
      expect(found.lowest).toBe(lowest);
      const packs = found.sessions.flatMap((one: { packs: { begin: number; end: number }[] }) => one.packs);
      expect(packs.length).toBeGreaterThan(0);
      for (const { begin, end } of packs) expect([begin, end]).toEqual(levels);
    }
  },
);

test.skipIf(!hasSharedData)(
  'a session of a machine that fell asleep right after charging ended full, on its page and in the report (52.6)',
  async () => {
    const logger = await newLogger(SOC);
    for (const line of file('03-full-then-asleep.jsonl').toString().trim().split('\n'))
      await fleet.snapshot(logger, JSON.parse(line));
    const { sessions } = await chargeOf(logger);
    expect(sessions).toMatchObject([
      {
        start: '2026-11-20T08:00:00.000Z',
        end: '2026-11-20T08:20:00.000Z',
        ended: 'vol',
        packs: [{ begin: 80, end: 100 }],
      },
    ]);
    const machines = encodeURIComponent(JSON.stringify([logger.serialNumber]));
    const report = await fleet.portal.get(
      `/api/report/laadbeurten?from=2026-11-20&to=2026-11-20&machines=${machines}`,
      fleet.cookie,
    );
    expect(report.json().rows).toHaveLength(1);
    expect(report.json().rows[0]).toContain('vol');
  },
);

/** Returns energy out, fed back and charged on the day in kWh, and minutes of charging, from the roll-up. */
async function energiesOf({ streamId }: FleetLogger) {
  const { rows } = await fleet.portal.pool.query<Record<'out' | 'back' | 'charged' | 'minutes', number>>(
    `select sum(out_mj)::float8 / 3.6e9 as out, sum(in_mj)::float8 / 3.6e9 as back, sum(charged_mj)::float8 / 3.6e9 as charged,
       sum(charging_ms)::float8 / 60000 as minutes from rollup where stream_id = $1`,
    [streamId],
  );
  return rows[0];
}

/** Creates two loggers with the snapshots of a file, one in order and one backwards. */
async function bothWays(name: string): Promise<FleetLogger[]> {
  const lines = file(name).toString().trim().split('\n');
  const loggers: FleetLogger[] = [];
  for (const order of [lines, lines.toReversed()]) {
    const logger = await newLogger(SOC);
    for (const line of order) await fleet.snapshot(logger, JSON.parse(line));
    loggers.push(logger);
  }
  return loggers;
}

test.skipIf(!hasSharedData)(
  'current into a machine that stands still is charged energy of a charging session (52.7)',
  async () => {
    for (const logger of await bothWays('20-regained-on-the-cable.jsonl')) {
      const charged = expect.closeTo(37.76);
      expect(await energiesOf(logger)).toEqual({ out: 0, back: 0, minutes: 59, charged });
      const { sessions } = await chargeOf(logger);
      expect(sessions).toMatchObject([{ packs: [{ begin: 40, end: 69.5 }] }]);
    }
  },
);

test.skipIf(!hasSharedData)(
  'energy out of a machine that stands still while its charge level rises is unknown (52.7)',
  async () => {
    for (const logger of await bothWays('20-other-sign.jsonl'))
      expect(await energiesOf(logger)).toEqual({
        out: expect.closeTo(0.64),
        back: 0,
        charged: 0,
        minutes: 0,
      });
  },
);
