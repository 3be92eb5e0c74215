import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Database, inTransaction, type Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { startWeekClosing } from './closing-thread.ts';
import { openPartitions } from './partitions.ts';
import { closeWeeks, countOpenWeeks } from './readings/close-weeks.ts';
import { columnAsSent, type StreamRange } from './readings/columns.ts';
import { DamagedFile } from './readings/parquet-file.ts';
import { readColumnPages, readColumns, readColumnsAtRangeEnd } from './readings/read-columns.ts';
import { readEdgeReadings } from './readings/read-edges.ts';
import { readReadingsInRanges } from './readings/read-readings.ts';
import { readSamples } from './readings/read-samples.ts';
import { readWindows } from './readings/read-windows.ts';
import { countDamaged, deleteFile, findFiles } from './readings/reading-files.store.ts';
import { windowsOfSlots } from './readings/sampled-readings.ts';
import { findEmptiedPartition, shrinkWeek } from './readings/shrink-weeks.ts';
import { toRow } from './readings/signal-columns.ts';
import { readReadingsAtInstants, readStoredReadings } from './readings/stored-readings.ts';
import { firstOpenWeek } from './readings/weeks.ts';
import { deleteReadings, deleteSomeReadings, removePositions, writeRows } from './readings/write-readings.ts';
import { storeReadings } from './readings.store.ts';

const MONDAY = Date.UTC(2026, 9, 5);
const DAY_MS = 86_400_000;
const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
let database: TestDatabase;
let streamId = 0;

beforeAll(async () => {
  database = await testDatabase({ asRows: true });
  const weeks = [0, 7].map((days) => MONDAY + days * DAY_MS);
  await openPartitions(database.pool, () => MONDAY + 14 * DAY_MS).ensure(weeks, undefined);
});
beforeEach(async () => {
  streamId += 1;
  await database.pool.query('insert into latest (stream_id) values ($1)', [streamId]);
});
afterAll(() => database.drop());

/** Stores readings in batches that are small enough to become rows. */
async function fill(
  count: number,
  from = MONDAY,
  signals = (n: number): Record<string, number> => ({ Olie: n, Speed: n }),
): Promise<void> {
  const readings = numbers(count).map((n) => ({ streamId, time: from + n * 1_000, signals: signals(n) }));
  for (let n = 0; n < count; n += 900) await storeReadings(database.pool, readings.slice(n, n + 900));
}

async function closeAll(): Promise<number> {
  let rows = 0;
  for await (const step of closeWeeks(database.pool, Number.POSITIVE_INFINITY)) rows += step.rows;
  return rows;
}

const values = async (): Promise<number[]> => {
  const [found] = await readColumns(database.pool, streamId, [EVER], [columnAsSent('Olie')]);
  return [...(found?.values[0] ?? [])];
};
const files = () => findFiles(database.pool, [{ streamId, ...EVER }], []);
const rowCount = async () =>
  (
    await shardForStream(database.pool, streamId).query(
      'select from telemetry.reading where stream_id = $1',
      [streamId],
    )
  ).rowCount;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Moves readings into files while a transaction has changed readings. The transaction commits when the move waits for its lock. */
async function closeDuring(change: (client: Transaction) => Promise<unknown>): Promise<number> {
  let closing: Promise<number> | undefined;
  await inTransaction(database.pool, async (client) => {
    await change(client);
    closing = closeAll();
    await expect
      .poll(
        async () =>
          (
            await database.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
  });
  return (await closing) ?? 0;
}
const row = (value: number) => toRow({ Olie: value }, []);

// Skipped on a cluster, whose locks are visible on its workers only.
test.skipIf(CITUS_CONNECTION)(
  'a reading that is changed or deleted while its week is being closed stays changed or deleted (45.2)',
  async () => {
    await fill(10);
    const changed = (client: Transaction) =>
      writeRows(client, streamId, [], [{ time: MONDAY + 4_000, row: row(44) }]);
    expect(await closeDuring(changed)).toBe(0);
    expect(await files()).toEqual([]);
    expect(await values()).toEqual([0, 1, 2, 3, 44, 5, 6, 7, 8, 9]);
    expect(await closeDuring((client) => deleteReadings(client, streamId, [MONDAY]))).toBe(0);
    expect(await values()).toEqual([1, 2, 3, 44, 5, 6, 7, 8, 9]);
    expect(await closeAll()).toBe(9);
    expect(await values()).toEqual([1, 2, 3, 44, 5, 6, 7, 8, 9]);
  },
);

test.each([1, 2, 3])(
  'all readings of a stream are deleted when their week is closed before statement %i of the deletion (45.2)',
  async (at) => {
    await fill(10);
    let statements = 0;
    const query = async (text: string, parameters: unknown[]) => {
      statements += 1;
      if (statements === at) await closeAll();
      return database.pool.query(text, parameters);
    };
    const interrupted = { query } as Database;
    while ((await deleteSomeReadings(interrupted, streamId, 1_000)) > 0);
    expect([await values(), await rowCount(), await files()]).toEqual([[], 0, []]);
  },
);

const OLIE = [columnAsSent('Olie')];
/** The kinds of queries, by name. Each test runs one on a time range (`slot`) with a file and with rows after the file. */
const QUESTIONS: Readonly<Record<string, (db: Database, slot: StreamRange) => Promise<unknown>>> = {
  columns: (db, slot) => readColumns(db, slot.streamId, [slot], OLIE),
  newest: (db, slot) => readColumns(db, slot.streamId, [slot], OLIE, 15),
  pages: async (db, slot) => {
    const times: number[] = [];
    for await (const page of readColumnPages(db, slot.streamId, [slot], OLIE, 4)) times.push(...page.times);
    return times;
  },
  samples: (db, slot) => readSamples(db, slot.streamId, [slot], OLIE, { most: 15 }),
  located: (db, slot) => readSamples(db, slot.streamId, [slot], OLIE, { most: 15, needed: 1 }),
  windows: (db, slot) => {
    const hours = numbers(9).map((hour) => MONDAY + hour * 3_600_000);
    const slots = hours.map((from) => ({ from, to: from + 1 }));
    return readWindows(db, slot.streamId, windowsOfSlots(slots, EVER), ['Speed']);
  },
  'first few': (db, slot) => readColumnsAtRangeEnd(db, slot, OLIE, { end: 'first', count: 15 }),
  'last few': (db, slot) => readColumnsAtRangeEnd(db, slot, OLIE, { end: 'last', count: 15 }),
  first: (db, slot) => readEdgeReadings(db, [slot], OLIE, { end: 'first' }),
  last: (db, slot) => readEdgeReadings(db, [slot], OLIE, { end: 'last' }),
  readings: (db, slot) => readReadingsInRanges(db, [slot]),
  window: (db, slot) => readStoredReadings(db, slot.streamId, slot),
  instants: (db, { streamId, from, to }) =>
    readReadingsAtInstants(
      db,
      [from, to - 1].map((time) => ({ streamId, time })),
    ),
};

test.each(Object.entries(QUESTIONS))(
  'the query for %s returns the same when the week is closed before any of its statements (45.2)',
  async (_name, ask) => {
    await fill(10);
    await closeAll();
    // The slot contains a part of the file and the rows after it, and ends just after the last row.
    const slot = (hour: number) => ({
      streamId,
      from: MONDAY + 3_000,
      to: MONDAY + hour * 3_600_000 + 9_001,
    });
    for (let at = 1; at <= 8; at += 1) {
      await fill(10, MONDAY + at * 3_600_000);
      const expected = await ask(database.pool, slot(at));
      let statements = 0;
      const query = async (text: string, parameters: unknown[]) => {
        statements += 1;
        if (statements === at) await closeAll();
        return database.pool.query(text, parameters);
      };
      expect(await ask({ query } as Database, slot(at)), `before statement ${at}`).toEqual(expected);
      await closeAll();
    }
  },
);

test.each([1, 2, 3, 4, 5])(
  'no reading is lost when removing positions is interrupted at statement %i, outside a transaction (45.2)',
  async (at) => {
    await fill(10, MONDAY, (n) => ({ Olie: n, LATITUDE: 52, LONGITUDE: 5 }));
    await closeAll();
    let statements = 0;
    const query = async (text: string, parameters: unknown[]) => {
      statements += 1;
      if (statements === at) throw new Error('The connection broke.');
      return database.pool.query(text, parameters);
    };
    const range = { streamId, from: MONDAY, to: MONDAY + 5_000 };
    await removePositions({ query } as Database, range).catch(() => {});
    expect(await values()).toEqual(numbers(10));
    await removePositions(database.pool, range);
    const [left] = await readReadingsInRanges(
      database.pool,
      [{ streamId, ...EVER }],
      ['LATITUDE', 'LONGITUDE'],
    );
    expect(left?.filter(({ signals }) => signals.LATITUDE !== undefined)).toHaveLength(5);
  },
);

test('a reading that arrives while its week is being closed stays a row until the week is closed again (45.2, 45.3)', async () => {
  await fill(10);
  const late = { time: MONDAY + 4_500, row: row(45) };
  let first = 0;
  await inTransaction(database.pool, async (client) => {
    await writeRows(client, streamId, [late], []);
    first = await closeAll();
  });
  expect([first, await rowCount()]).toEqual([10, 1]);
  expect(await values()).toEqual([0, 1, 2, 3, 4, 45, 5, 6, 7, 8, 9]);
  expect(await closeAll()).toBe(1);
  expect(await values()).toEqual([0, 1, 2, 3, 4, 45, 5, 6, 7, 8, 9]);
  expect((await files()).map(({ readings }) => readings)).toEqual([11]);
});

test('a large batch of readings of a closed week is stored as a file instead of rows, and closing merges small files (45.4)', async () => {
  const { pool } = database;
  const times = (hour: number) => numbers(2_000).map((n) => MONDAY + hour * 3_600_000 + n * 1_000);
  const batch = (hour: number) =>
    storeReadings(
      pool,
      times(hour).map((time) => ({ streamId, time, signals: { Olie: hour, MotorSpeed: 900 } })),
    );
  for (const hour of [0, 1, 5]) await batch(hour);
  // A late reading, which is stored as a row. The next batch has readings before and after it.
  await storeReadings(pool, [{ streamId, time: MONDAY + 3 * 3_600_000 + 500, signals: { Olie: 3 } }]);
  await batch(3);
  expect([(await files()).map(({ readings }) => readings), await rowCount()]).toEqual([
    [2_000, 2_000, 2_000, 2_000],
    1,
  ]);
  const expected = [0, 1, 3, 5].flatMap((hour) => times(hour).map(() => hour));
  expect(await values()).toEqual([...expected.slice(0, 4_001), 3, ...expected.slice(4_001)]);
  // A batch that repeats the ends of two files has new readings between them.
  await batch(0.5);
  expect((await files()).map(({ readings }) => readings)).toEqual([2_000, 1_600, 2_000, 2_000, 2_000]);
  await closeAll();
  const merged = (await files()).map((file) => [file.readings, file.isMerged]);
  expect([merged, await rowCount()]).toEqual([[[9_601, true]], 0]);
});

test('three concurrent closings of the same weeks lose no reading and store none twice (45.2)', async () => {
  for (const days of [0, 2, 7]) await fill(2_000, MONDAY + days * DAY_MS);
  const expected = await values();
  const rows = await Promise.all([closeAll(), closeAll(), closeAll()]);
  expect(rows.reduce((a, b) => a + b)).toBe(6_000 - ((await rowCount()) ?? 0));
  await closeAll();
  expect([await rowCount(), await values()]).toEqual([0, expected]);
});

test('queries that run while weeks are being closed find each reading once (45.2)', async () => {
  for (const days of [0, 1, 2, 3, 4, 7, 8, 9]) await fill(3_000, MONDAY + days * DAY_MS);
  const expected = await values();
  let isClosing = true;
  const closing = closeAll().finally(() => {
    isClosing = false;
  });
  let asked = 0;
  for (; isClosing; asked += 1) expect(await values()).toEqual(expected);
  expect([await closing, await rowCount()]).toEqual([24_000, 0]);
  expect(asked).toBeGreaterThan(2);
});

test('the closing thread closes the weeks that ended at least two days ago, and no other (45.2)', async () => {
  await fill(50);
  await fill(50, MONDAY + 7 * DAY_MS);
  const before = firstOpenWeek(MONDAY + 9 * DAY_MS);
  expect(before).toBe(MONDAY + 7 * DAY_MS);
  expect(firstOpenWeek(MONDAY + 9 * DAY_MS - 1)).toBe(MONDAY);
  expect(await countOpenWeeks(database.pool, before)).toBe(1);
  const problems: string[] = [];
  const { application } = database;
  const thread = startWeekClosing({ connection: application, before, budgetMs: 60_000 }, (what, detail) =>
    problems.push(`${what}: ${detail}`),
  );
  await thread.ended;
  expect(problems).toEqual([]);
  expect((await files()).map(({ from, readings }) => [from, readings])).toEqual([[MONDAY, 50]]);
  expect([await rowCount(), await countOpenWeeks(database.pool, before)]).toEqual([50, 0]);
});

test('a damaged file is reported, and other weeks can still be read and closed (45.2)', async () => {
  await fill(50);
  await fill(50, MONDAY + 7 * DAY_MS);
  await closeAll();
  const damagedBefore = countDamaged();
  await shardForStream(database.pool, streamId).query(
    `update telemetry.reading_file set content = set_byte(content, (chunks -> 'Olie' ->> 0)::integer, 0)
     where stream_id = $1 and from_time < $2`,
    [streamId, new Date(MONDAY + 7 * DAY_MS)],
  );
  await expect(values()).rejects.toThrow(DamagedFile);
  expect(countDamaged()).toBe(damagedBefore + 1);
  const [other] = await readReadingsInRanges(database.pool, [
    { streamId, from: MONDAY + 7 * DAY_MS, to: EVER.to },
  ]);
  expect(other?.map(({ signals }) => signals.Olie)).toEqual(numbers(50));
  // The late reading of the damaged week stays in the table; the other week's late reading is merged into its file.
  await writeRows(database.pool, streamId, [{ time: MONDAY + 500, row: row(1) }], []);
  await writeRows(database.pool, streamId, [{ time: MONDAY + 7 * DAY_MS + 500, row: row(1) }], []);
  expect([await closeAll(), await rowCount()]).toEqual([1, 1]);
  expect(await deleteFile(database.pool, streamId, MONDAY)).toBe(true);
  // The health check no longer warns.
  expect(countDamaged()).toBe(damagedBefore);
  expect(await closeAll()).toBe(1);
});

// Skipped on a cluster, which refuses triggers on distributed tables.
test.skipIf(CITUS_CONNECTION)(
  'a disk that is full while a week is closed leaves its readings as they were, and other streams are closed (45.2)',
  async () => {
    await fill(50);
    await closeAll();
    await fill(20, MONDAY + 100_000);
    const full = streamId;
    const before = await values();
    expect(before).toHaveLength(70);
    streamId += 1;
    await database.pool.query('insert into latest (stream_id) values ($1)', [streamId]);
    await fill(30);
    await database.pool.query(
      `create function disk_is_full() returns trigger language plpgsql as $$
       begin raise 'could not extend file' using errcode = 'disk_full'; end $$`,
    );
    await database.pool.query(
      `create trigger full_disk before insert on reading_file for each row when (new.stream_id = ${full}) execute function disk_is_full()`,
    );
    const problems: string[] = [];
    const thread = startWeekClosing(
      { connection: database.application, before: MONDAY + 7 * DAY_MS, budgetMs: 60_000 },
      (what, detail) => problems.push(`${what}: ${detail}`),
    );
    await thread.ended;
    expect(problems).toEqual(['A week could not be closed: could not extend file']);
    expect([await rowCount(), (await files()).length]).toEqual([0, 1]);
    streamId = full;
    expect([await values(), await rowCount(), (await files()).length]).toEqual([before, 20, 1]);

    await database.pool.query('drop function disk_is_full cascade');
    expect(await closeAll()).toBe(20);
    expect([await values(), await rowCount(), (await files()).length]).toEqual([before, 0, 1]);
    streamId += 1; // the other stream
  },
);

test('readings with hundreds of custom signals, without values, or of 2016 are read back unchanged after their weeks are closed (45.2)', async () => {
  await fill(900, MONDAY, (n) => ({ [`Naam ${n}`]: n, Olie: n }));
  await fill(20, MONDAY + 7 * DAY_MS, () => ({}));
  await fill(1, Date.UTC(2016, 1, 3), () => ({ Soc1: 1e308, Olie: -0 }));
  const ask = () => readReadingsInRanges(database.pool, [{ streamId, ...EVER }]);
  const before = await ask();
  expect(before[0]).toHaveLength(921);
  expect(await closeAll()).toBe(921);
  expect(await ask()).toEqual(before);
  const widths = (await files()).map(({ chunks }) => Object.keys(chunks).length);
  expect(Math.max(...widths)).toBeLessThan(420);
  expect(widths.length).toBeGreaterThan(4);
});

test('files are read even if they have more signals than a statement can have columns, and late readings of such a stream are stored (45.2, 45.3)', async () => {
  await fill(6, MONDAY, (n) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`Naam ${n} ${i}`, i])),
  );
  const ask = () => readReadingsInRanges(database.pool, [{ streamId, ...EVER }]);
  const before = await ask();
  expect(await closeAll()).toBe(6);
  expect(await ask()).toEqual(before);
  await storeReadings(database.pool, [{ streamId, time: MONDAY + 2_500, signals: { Olie: 1 } }]);
  expect((await ask())[0]).toHaveLength(7);
});

// Skipped on a cluster, whose partitions are on its workers.
test.skipIf(CITUS_CONNECTION)(
  'a week whose rows are all in files gives its space back when no snapshot can see the rows any more (45.2)',
  async () => {
    await fill(20_000);
    await closeAll();
    const { pool } = database;
    const size = async () =>
      (await pool.query(`select pg_total_relation_size('reading_2026w41')::int as bytes`)).rows[0].bytes;
    expect(await size()).toBeGreaterThan(1_000_000);
    const [backup, owner] = [await pool.connect(), await pool.connect()];
    onTestFinished(() => {
      for (const client of [backup, owner]) client.release(true);
    });
    await fill(1, MONDAY + 7 * DAY_MS);
    await backup.query('begin isolation level repeatable read');
    await backup.query('select count(*) from reading_2026w42');
    await writeRows(pool, streamId, [{ time: MONDAY + 900, row: row(1) }], []);
    await closeAll();
    const { rows: seen } = await backup.query('select count(*)::int as n from reading_2026w41');
    expect(await shrinkWeek(owner, Number.POSITIVE_INFINITY)).toBe(false);
    expect((await backup.query('select count(*)::int as n from reading_2026w41')).rows).toEqual(seen);
    await backup.query('commit');
    await expect
      .poll(
        async () => {
          await shrinkWeek(owner, Number.POSITIVE_INFINITY);
          return findEmptiedPartition(pool, Number.POSITIVE_INFINITY);
        },
        { timeout: 20_000 },
      )
      .toBeUndefined();
    expect(await size()).toBeLessThan(100_000);
    expect(await values()).toHaveLength(20_002);
  },
);
