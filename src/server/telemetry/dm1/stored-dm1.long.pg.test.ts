import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseHistory } from '#server/leaving/erase-history.ts';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { undoImport } from '#server/redecoding/undo-import.ts';
import { importLog, type LogImport } from '#server/telemetry/log-import.ts';
import type { FleetLogger } from '#server/telemetry/test/fleet.ts';
import {
  COOLANT_CODE_DM1,
  dm1Line,
  dm1Lines,
  j1939Definition,
  NO_CODE_DM1,
  OIL_CODE_DM1,
} from './test/dm1-logs.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

/** Returns the beginning of an hour a few hours ago, in seconds. */
const begin = (): number => Math.floor(a.fleet.clock / 3_600_000) * 3_600 - 5 * 3_600;

type Row = {
  spn: number;
  since: number;
  last: number;
  over: number | null;
  lamp: string | null;
  count: number;
};
/** Returns the episodes with times in seconds after `from`. */
async function episodes({ streamId }: { streamId: number }, from: number): Promise<Row[]> {
  const { rows } = await a.portal.pool.query(
    `select spn, extract(epoch from since)::float8 - $2 as since, round((extract(epoch from last_seen) - $2)::numeric, 3)::float8 as last,
       extract(epoch from over_at)::float8 - $2 as over, lamp, occurrences as count
     from fault_episode where stream_id = $1 order by since, spn`,
    [streamId, from],
  );
  return rows;
}
const days = async ({ streamId }: { streamId: number }) =>
  (
    await a.portal.pool.query(
      'select day, bus, source, states from dm1_day where stream_id = $1 order by day, source',
      [streamId],
    )
  ).rows;

const put = (logger: FleetLogger, name: string, ...lines: string[]) =>
  a.fleet.put(logger, `1/${name}.log`, lines.join(''));

describe('the DM1 of log files become episodes of the machine (42.46)', () => {
  test('the DM1 of log files become the same episodes for any order, overlap and repetition of the files', async () => {
    const t = begin();
    const file = {
      one: dm1Lines(t, t + 60, NO_CODE_DM1),
      two: dm1Lines(t + 60, t + 120, OIL_CODE_DM1),
      three: dm1Lines(t + 100, t + 120, OIL_CODE_DM1) + dm1Lines(t + 120, t + 180, NO_CODE_DM1),
      four: dm1Lines(t + 240, t + 241, COOLANT_CODE_DM1),
    };
    const expected: Row[] = [
      { spn: 100, since: 60, last: 119, over: 120, lamp: 'stop', count: 3 },
      { spn: 110, since: 240, last: 240, over: null, lamp: 'warning', count: 1 },
    ];
    for (const order of [
      ['one', 'two', 'three', 'four'],
      ['four', 'three', 'two', 'one'],
      ['two', 'four', 'two', 'one', 'three', 'three'],
    ] as const) {
      const logger = await a.fleet.newLogger(j1939Definition());
      for (const [n, name] of order.entries()) await put(logger, `${name}-${n}`, file[name]);
      expect(await episodes(logger, t)).toEqual(expected);
      expect(await days(logger)).toHaveLength(1);
    }
  });

  test('fault codes are stored from a file with DM1 only, but not from a bus without J1939', async () => {
    const t = begin();
    const [j1939, plain] = [
      await a.fleet.newLogger(j1939Definition()),
      await a.fleet.newLogger(j1939Definition('none')),
    ];
    for (const logger of [j1939, plain]) await put(logger, 'a', dm1Line(t, OIL_CODE_DM1));
    expect(await episodes(j1939, t)).toHaveLength(1);
    expect(await episodes(plain, t)).toEqual([]);
  });

  test('the DM1 of each ECU become separate episodes', async () => {
    const t = begin();
    const logger = await a.fleet.newLogger(j1939Definition());
    await put(
      logger,
      'a',
      dm1Line(t, OIL_CODE_DM1, '00'),
      dm1Line(t + 1, NO_CODE_DM1, '21'),
      dm1Line(t + 2, OIL_CODE_DM1, '21'),
    );
    expect((await episodes(logger, t)).map(({ since, over }) => [since, over])).toEqual([
      [0, null],
      [2, null],
    ]);
  });
});

test('decoding again by a definition without J1939 deletes the fault codes, and decoding by one with J1939 restores the codes (42.47)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  const { serialNumber: serial } = logger;
  await put(logger, 'a', dm1Lines(t, t + 20, OIL_CODE_DM1), dm1Lines(t + 20, t + 30, NO_CODE_DM1));
  const before = await episodes(logger, t);
  expect(before).toHaveLength(1);
  const again = async (preview = false) => {
    await a.call('POST /api/machine/dbc/redecode', { body: { serial, preview } });
    await expect
      .poll(async () => (await a.call(`GET /api/machine/dbc/${serial}/redecode`)).json.redecoding.state, {
        timeout: 30_000,
        interval: 50,
      })
      .toBe('done');
    return episodes(logger, t);
  };
  const choose = async (j1939: string) => {
    expect((await a.call('POST /api/machine/dbc/j1939', { body: { serial, bus: 0, j1939 } })).status).toBe(
      200,
    );
    await a.portal.untilNotified();
  };
  expect(await again()).toEqual(before);
  await choose('none');
  expect(await again(true)).toEqual(before);
  expect(await again()).toEqual([]);
  expect(await days(logger)).toEqual([]);
  await choose('all');
  expect(await again()).toEqual(before);
});

test('erasing all data of a range deletes the fault codes, and undoing the erasure restores the codes (42.48)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  const { serialNumber: serial } = logger;
  await put(
    logger,
    'a',
    dm1Lines(t, t + 20, NO_CODE_DM1),
    dm1Lines(t + 20, t + 60, OIL_CODE_DM1),
    dm1Lines(t + 60, t + 70, NO_CODE_DM1),
  );
  const before = await episodes(logger, t);
  const iso = (second: number) => new Date((t + second) * 1000).toISOString();
  const settled = (state: string) =>
    expect
      .poll(async () => (await a.call(`GET /api/machine/erasure/${serial}`)).json.erasures[0]?.state, {
        timeout: 30_000,
        interval: 50,
      })
      .toBe(state);
  await a.call('POST /api/machine/erasure/create', { body: { serial, from: iso(30), to: iso(65) } });
  await settled('done');
  expect(await episodes(logger, t)).toEqual([
    { spn: 100, since: 20, last: 29.999, over: 65, lamp: 'stop', count: 3 },
  ]);
  const { erasures } = (await a.call(`GET /api/machine/erasure/${serial}`)).json;
  await a.call('POST /api/machine/erasure/undo', { body: { serial, id: erasures[0].id } });
  await settled('undone');
  expect(await episodes(logger, t)).toEqual(before);
});

test('purging the period of a former owner deletes its fault codes, including those stored for undoing an erasure (42.49)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  await put(logger, 'a', dm1Lines(t, t + 20, COOLANT_CODE_DM1), dm1Lines(t + 20, t + 60, OIL_CODE_DM1));
  const erased = {
    streamId: logger.streamId,
    organizationId: a.fleet.organization,
    from: Number.NEGATIVE_INFINITY,
    to: (t + 30) * 1000,
  };
  await a.portal.pool.query(
    `insert into erasure (stream_id, from_time, to_time, made_at, state, dm1) values ($1, $2, $3, now(), 'done', $4)`,
    [
      logger.streamId,
      new Date((t + 10) * 1000),
      new Date((t + 50) * 1000),
      JSON.stringify(await days(logger)),
    ],
  );
  expect(await eraseHistory(a.portal.pool, erased, a.fleet.clock, Number.POSITIVE_INFINITY)).toBe(true);
  expect((await episodes(logger, t)).map(({ spn, since }) => [spn, since])).toEqual([[100, 30]]);
  const { rows } = await a.portal.pool.query('select dm1 from erasure where stream_id = $1', [
    logger.streamId,
  ]);
  expect(rows[0].dm1).toHaveLength(1);
  expect(rows[0].dm1[0].states.map(({ codes }: { codes: number[][] }) => codes[0]?.[0])).toEqual([100]);
});

test('an import adds fault codes, and undoing the import deletes these codes (42.46)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  const text = dm1Lines(t, t + 20, OIL_CODE_DM1) + dm1Line(t + 20, NO_CODE_DM1);
  const log: LogImport = {
    streamId: logger.streamId,
    chunks: () => Readable.from([Buffer.from(text)]),
    format: 'candump',
    definition: j1939Definition(),
    shift: 'if-before-2015',
    fingerprint: 'dm1',
  };
  const now = () => a.fleet.clock;
  for (let time = 0; time < 2; time += 1) await importLog(a.portal.pool, log, text.length, () => {}, now);
  expect(await episodes(logger, t)).toEqual([
    { spn: 100, since: 0, last: 19, over: 20, lamp: 'stop', count: 3 },
  ]);
  await undoImport(a.portal.pool, log, text.length, () => {}, now);
  expect([await episodes(logger, t), await days(logger)]).toEqual([[], []]);
});

test('files of several days give the same episodes in any order when each is stored separately (42.45)', async () => {
  const DAY = 86_400;
  const t = begin() - 10 * DAY;
  const files = [
    dm1Line(t, OIL_CODE_DM1) + dm1Line(t + 60, COOLANT_CODE_DM1),
    dm1Line(t + 2 * DAY, OIL_CODE_DM1),
    dm1Line(t + 4 * DAY, OIL_CODE_DM1),
    // A day between the days of the other files, on which no code is active.
    dm1Line(t + 3 * DAY, NO_CODE_DM1),
  ];
  const orders = files.flatMap((_, a) =>
    files.flatMap((_, b) =>
      files.flatMap((_, c) => (new Set([a, b, c]).size < 3 ? [] : [[a, b, c, 6 - a - b - c]])),
    ),
  );
  expect(orders).toHaveLength(24);
  for (const order of orders) {
    const { streamId } = await a.fleet.newLogger(j1939Definition());
    for (const n of order) {
      const text = files[n] as string;
      const log: LogImport = {
        ...{ streamId, format: 'candump', definition: j1939Definition(), shift: 'if-before-2015' },
        ...{ chunks: () => Readable.from([Buffer.from(text)]), fingerprint: `${order} ${n}` },
      };
      await importLog(
        a.portal.pool,
        log,
        text.length,
        () => {},
        () => a.fleet.clock,
      );
    }
    expect(
      (await episodes({ streamId }, t)).map(({ spn, since, last, over }) => [spn, since, last, over]),
    ).toEqual([
      [100, 0, 0, 60],
      [110, 60, 60, 2 * DAY],
      [100, 2 * DAY, 2 * DAY, 3 * DAY],
      [100, 4 * DAY, 4 * DAY, null],
    ]);
  }
});
