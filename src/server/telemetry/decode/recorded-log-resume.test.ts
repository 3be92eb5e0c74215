import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import type { LogBatch } from './recorded-log.ts';
import {
  collect,
  decodeLog,
  LOG_NOW_MS,
  LOG_START_SECONDS,
  type LogOptions,
  readAllBatches,
  rpmLine,
  socLine,
} from './test/small-log.ts';

/** Returns a log with a few frames a second, some of them late, with damaged lines and with one jump back of the clock. */
const logOf = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => {
    if (i % 97 === 0) return 'damage\n';
    const time = LOG_START_SECONDS + i * 0.2 - (i > (lines * 2) / 3 ? 30 : 0) - (i % 10 === 1 ? 0.25 : 0);
    return i % 3 === 0 ? rpmLine(time, '0000c842') : socLine(time, (i % 200).toString(16).padStart(2, '0'));
  }).join('');

const short = logOf(3000);

test.each([1, 13, 1000, 1 << 24])(
  'a log gives the same readings in chunks of %i bytes, compressed or not (INGEST-05)',
  async (chunkBytes) => {
    const whole = await readAllBatches(decodeLog(short));
    expect(whole.readings.length).toBeGreaterThan(500);
    expect(whole.last.stats.badLines).toBe(31);
    expect(await readAllBatches(decodeLog(short, { chunkBytes }))).toMatchObject({
      readings: whole.readings,
    });
    expect(await readAllBatches(decodeLog(gzipSync(short), { chunkBytes }))).toMatchObject({
      readings: whole.readings,
    });
  },
);

/** Merges readings like the store: existing values stay, new signals are added. */
function stored(readings: readonly Reading[]): Map<number, Reading['signals']> {
  const byTime = new Map<number, Reading['signals']>();
  for (const { time, signals } of readings) byTime.set(time, { ...signals, ...byTime.get(time) });
  return byTime;
}

describe('a log can be resumed after any batch without splitting a second (INGEST-05)', () => {
  /** Number of lines of each log, so that its readings fill more than one batch. */
  const LINES = 24_000;
  const long = logOf(LINES);
  const fromPowerOn = long.replaceAll(`(${String(LOG_START_SECONDS).slice(0, 6)}`, '(');
  const csv = `time,Soc,Rpm\n${Array.from({ length: LINES }, (_, i) => `${LOG_START_SECONDS + i * 0.2},${i % 200},${i}\n`).join('')}`;
  const gvret = `Time Stamp,ID,Extended,Bus,LEN,D1,D2\n${Array.from({ length: LINES }, (_, i) => (i % 97 === 96 ? 'damage\n' : `${(LOG_START_SECONDS + i * 0.2).toFixed(6).replace('.', '')},001,false,0,2,${(i % 200).toString(16).padStart(2, '0')},0A\n`)).join('')}`;
  test.each<[string, string, LogOptions]>([
    ['candump', long, {}],
    ['GVRET CSV', gvret, { format: 'csv' }],
    [
      'GVRET CSV that counts from power-on',
      gvret.replaceAll(String(LOG_START_SECONDS).slice(0, 6), '0'),
      { format: 'csv', startMs: LOG_NOW_MS - 7_200_000 },
    ],
    ['candump that counts from power-on', fromPowerOn, { startMs: LOG_NOW_MS - 7_200_000 }],
    ['csv', csv, { format: 'csv' }],
    [
      'csv that counts from power-on',
      csv.replaceAll(String(LOG_START_SECONDS).slice(0, 6), '0'),
      { format: 'csv', startMs: LOG_NOW_MS - 7_200_000 },
    ],
  ])('a log can be resumed after any batch without splitting a second: %s', async (_, text, options) => {
    const batches = await collect(decodeLog(text, options));
    expect(batches.length).toBeGreaterThan(1);
    const expected = batches.flatMap(({ readings }) => readings);
    for (const [index, { resume }] of batches.entries()) {
      const before = batches.slice(0, index + 1).flatMap(({ readings }) => readings);
      const kept = JSON.parse(JSON.stringify(resume));
      const after = await readAllBatches(decodeLog(text, { ...options, resume: kept, chunkBytes: 777 }));
      expect(stored([...before, ...after.readings])).toEqual(stored(expected));
      expect(after.readings.length).toBeLessThanOrEqual(expected.length - before.length + 1);
      const { firstBad } = after.last.stats;
      if (firstBad !== undefined) expect((firstBad.line - 1) % 97).toBe(0);
    }
    expect(batches.at(-1)?.resume.byteOffset).toBe(Buffer.byteLength(text));
  });
});

test('a truncated gzip log gives its readings first and then the error (INGEST-03)', async () => {
  const cut = gzipSync(short).subarray(0, -1000);
  const batches: LogBatch[] = [];
  const reading = async () => {
    for await (const batch of decodeLog(cut)) batches.push(batch);
  };
  await expect(reading()).rejects.toMatchObject({ kind: 'truncated' });
  const whole = await readAllBatches(decodeLog(short));
  const got = batches.flatMap(({ readings }) => readings);
  expect(got.length).toBeGreaterThan(100);
  expect(got.slice(0, -1)).toEqual(whole.readings.slice(0, got.length - 1));
});

test('the event loop runs while a long log is read (INGEST-05)', async () => {
  const big = short.repeat(60);
  let turns = 0;
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    turns += 1;
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  const began = performance.now();
  await readAllBatches(decodeLog(big));
  const took = performance.now() - began;
  clearInterval(timer);
  expect(turns).toBeGreaterThan(took / 100);
  // The longest wait of the timer is compared with the total time, because both depend on other work on this computer.
  expect(longest).toBeLessThan(took / 2);
});

test('the readings of an hour arrive in one batch, so that their buckets are computed once (43.3)', async () => {
  const hour = Array.from({ length: 3600 }, (_, n) => rpmLine(LOG_START_SECONDS - 3600 + n, '0000c842')).join(
    '',
  );
  const sizes = (await collect(decodeLog(hour))).map(({ readings }) => readings.length);
  expect(sizes).toEqual([3600]);
});
