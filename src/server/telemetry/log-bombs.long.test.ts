import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestLogger } from '#server/test/portal.ts';
import { TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from './test/logs.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

/** Returns a few seconds of frames, followed by 300 MB of empty lines: 306 kB, because gzip files can be concatenated. */
function bomb(): Buffer {
  const frames = Array.from({ length: 9 }, (_, n) => `(${1_780_000_000 + n}.0) can0 100#A0\n`).join('');
  const emptyLines = gzipSync(Buffer.alloc(1_000_000, '\n'), { level: 9 });
  return Buffer.concat([gzipSync(frames), ...Array<Buffer>(300).fill(emptyLines)]);
}

test('two gzip bombs are stored and quarantined without delaying another logger’s file or pages (12.B4)', async () => {
  const bombers = [await fleet.newLogger(CANDUMP_DEFINITION), await fleet.newLogger(CANDUMP_DEFINITION)];
  const other = await fleet.newLogger(CANDUMP_DEFINITION);
  const bombed = bombers.map((logger) => fleet.putStatus(logger, 'drive.log.gz', bomb()));
  for (const { streamId } of bombers)
    await expect.poll(() => fleet.readingsOf(streamId), { timeout: 20_000, interval: 10 }).toBeGreaterThan(0);

  const began = performance.now();
  const name = `WS_${other.loggerSerial}_20260601_100000.log.gz`;
  expect(await fleet.putStatus(other, name, gzipSync(CANDUMP_LOG))).toBe(200);
  // This upload takes 0.3 s on two busy cores. If it waited for the two bombs, it would take 27 s even on idle ones.
  expect(performance.now() - began).toBeLessThan(10_000);
  const pages: number[] = [];
  for (let n = 0; n < 11; n++) {
    const asked = performance.now();
    expect((await fleet.portal.get('/api/live', fleet.cookie)).statusCode).toBe(200);
    pages.push(performance.now() - asked);
  }
  expect(pages.sort((a, b) => a - b)[5]).toBeLessThan(300);

  expect(await Promise.all(bombed)).toEqual([200, 200]);
  for (const logger of bombers) {
    expect(await fleet.quarantined(logger)).toEqual([
      'Het logbestand is uitgepakt meer dan 300 keer zo groot; alleen het begin is gelezen.',
    ]);
    expect(await fleet.headStatus(logger, 'drive.log.gz')).toBe(200);
    expect(await fleet.readingsOf(logger.streamId)).toBe(9);
  }
});

test('when two loggers send many files at once, a third one waits for at most one file of each (12.B4)', async () => {
  const senders = [await fleet.newLogger(), await fleet.newLogger()];
  const third = await fleet.newLogger();
  const csv = (n: number, rows: number) =>
    `time,Soc1\n${Array.from({ length: rows }, (_, row) => `${1_780_000_000 + 300 * n + row},${n}`).join('\n')}`;
  const live = await fleet.newLogger();
  const ended: string[] = [];
  const put = (logger: TestLogger, n: number, rows: number, who: string) =>
    fleet.putStatus(logger, `${n}.csv`, csv(n, rows)).then(() => void ended.push(who));
  /**
   * Waits until the portal has received all files that were sent before: sends five snapshots, one after the other, which takes longer
   * than receiving the files.
   */
  const allHaveCome = async (): Promise<void> => {
    for (let n = 0; n < 5; n++) await fleet.snapshot(live, { GMT_UNIX: Math.floor(fleet.clock / 1000) - n });
    await wait(200);
  };

  // Locks the streams of the two loggers, so that none of their files can be stored until all files wait.
  const client = await fleet.portal.pool.connect();
  const uploads: Promise<void>[] = [];
  try {
    await client.query('begin');
    const streams = senders.map(({ streamId }) => streamId);
    await client.query('select 1 from latest where stream_id = any ($1) for update', [streams]);
    // Each logger sends four files, the maximum number of concurrent requests per key.
    for (let n = 0; n < 4; n++) uploads.push(...senders.map((logger) => put(logger, n, 300, 'sender')));
    await allHaveCome();
    uploads.push(put(third, 0, 10, 'third'));
    await allHaveCome();
    expect(ended).toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await Promise.all(uploads);
  expect(ended).toHaveLength(9);
  expect(ended.indexOf('third')).toBeLessThan(6);
});
