import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKillableProcess } from '#server/mail/test/killed-process.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { openPartitions } from './partitions.ts';
import { closeWeeks } from './readings/close-weeks.ts';
import { readReadingsInRanges } from './readings/read-readings.ts';
import { storeReadings } from './readings.store.ts';

const MONDAY = Date.UTC(2026, 9, 5);
const DAY_MS = 86_400_000;
const DAYS = 14;
const STREAMS = [1, 2];
const KILLS = 50;
/** Maximum number of rounds. On a fast computer some rounds move all readings before the kill, and these do not count. */
const MAX_ROUNDS = 120;
/** Moving the readings of one round from rows into files takes about this long. */
const LONGEST_MS = 400;

/** A database in which the process that moves readings into files is killed, and one that keeps the same readings as rows. */
let killed: TestDatabase;
let open: TestDatabase;
beforeAll(async () => {
  [killed, open] = await Promise.all([testDatabase({ asRows: true }), testDatabase({ asRows: true })]);
  for (const { pool } of [killed, open]) {
    await pool.query('insert into latest (stream_id) select unnest($1::integer[])', [STREAMS]);
    await openPartitions(pool, () => MONDAY + DAYS * DAY_MS).ensure([MONDAY, MONDAY + 7 * DAY_MS], undefined);
  }
});
afterAll(() => Promise.all([killed.drop(), open.drop()]));

/**
 * Returns the readings of a round for one day. On a day that an earlier round has filled, each reading is late: it lies
 * between two stored readings.
 */
const batch = (round: number, streamId: number, day: number) =>
  Array.from({ length: 900 }, (_, n) => ({
    streamId,
    time: MONDAY + day * DAY_MS + n * 20_000 + round * 137,
    signals: { Soc1: n % 100, Olie: round, ...(n % 3 === 0 && { [`Extra${round % 5}`]: n }) },
  }));

const contentOf = ({ pool }: TestDatabase) =>
  readReadingsInRanges(
    pool,
    STREAMS.map((streamId) => ({ streamId, from: MONDAY, to: MONDAY + DAYS * DAY_MS })),
  );
const counted = async (sql: string): Promise<number> => (await killed.pool.query(sql)).rows[0].n;

test('a process that is killed at any moment of closing and merging loses no reading and stores none twice (45.2)', async () => {
  let interrupted = 0;
  for (let round = 0; round < MAX_ROUNDS && interrupted < KILLS; round += 1) {
    for (const streamId of STREAMS)
      for (const day of [round % DAYS, (round * 5) % DAYS])
        for (const { pool } of [killed, open]) await storeReadings(pool, batch(round, streamId, day));
    const { kill } = startKillableProcess(new URL('./test/closing-process.ts', import.meta.url), killed);
    const sessions = () =>
      counted(
        `select count(*)::int as n from pg_stat_activity where application_name = 'killed' and datname = current_database()`,
      );
    await expect.poll(sessions, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    // The kills come at different moments of the move into files, in a fixed order that looks random.
    await wait(((round * 37) % KILLS) * (LONGEST_MS / KILLS));
    await kill();
    await expect.poll(sessions, { timeout: 20_000 }).toBe(0);
    if ((await counted('select count(*)::int as n from reading')) > 0) interrupted += 1;
    if (round % 5 === 4) expect(await contentOf(killed), `round ${round}`).toEqual(await contentOf(open));
  }
  expect(interrupted).toBeGreaterThan(KILLS / 2);
  expect(await contentOf(killed)).toEqual(await contentOf(open));
  for await (const _ of closeWeeks(killed.pool, Number.POSITIVE_INFINITY));
  expect(await counted('select count(*)::int as n from reading')).toBe(0);
  expect(await contentOf(killed)).toEqual(await contentOf(open));
  const overlapping = `select count(*)::int as n from reading_file a join reading_file b on b.stream_id = a.stream_id
    and b.from_time > a.from_time and b.from_time <= a.to_time`;
  expect(await counted(overlapping)).toBe(0);
}, 600_000);
