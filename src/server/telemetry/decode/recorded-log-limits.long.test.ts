import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decodeRecordedLog, type LogBatch } from './recorded-log.ts';
import {
  collect,
  decodeLog,
  LOG_NOW_MS,
  LOG_START_SECONDS,
  socLine,
  splitInChunks,
} from './test/small-log.ts';

/** Returns a wide CSV with this many signals and a row each second. */
function wideCsv(signals: number, rows: number): string {
  const names = Array.from({ length: signals }, (_, n) => `S${n}`);
  const values = names.map(() => '1').join();
  return [
    `time,${names.join()}`,
    ...Array.from({ length: rows }, (_, n) => `${LOG_START_SECONDS - rows + n},${values}`),
  ].join('\n');
}

test.each([
  // Columns: number of signals, maximum number of readings in a batch.
  [900, 120],
  [400, 260],
  [5, 5000],
])('a CSV with %i signals gives batches of a limited number of values (INGEST-05)', async (signals, most) => {
  const batches = await collect(decodeLog(wideCsv(signals, 1500), { format: 'csv' }));
  const sizes = batches.map(({ readings }) => readings.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1500);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
});

const LINES = Array.from({ length: 6000 }, (_, n) => socLine(LOG_START_SECONDS - 6000 + n, 'A0')).join('');

/** Yields chunks of a file with a pause before each one, like a slow disk. */
async function* slowly(bytes: Buffer, pauseMs: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of splitInChunks(bytes, 1000)) {
    await wait(pauseMs);
    yield chunk;
  }
}

test('a log whose decoding takes too long is stopped, and the readings so far are delivered (INGEST-03)', async () => {
  const batches: LogBatch[] = [];
  const reading = async () => {
    const csv = Buffer.from(wideCsv(5, 3000));
    const definition = { buses: [], mapping: { signals: [], keep: [] } };
    const log = { chunks: () => slowly(csv, 2), format: 'csv', definition, now: LOG_NOW_MS } as const;
    for await (const batch of decodeRecordedLog({ ...log, longestMs: 60 })) batches.push(batch);
  };
  await expect(reading()).rejects.toMatchObject({ name: 'LogError', kind: 'too long' });
  const readings = batches.flatMap((batch) => batch.readings);
  expect(readings.length).toBeGreaterThan(0);
  expect(readings.length).toBeLessThan(3000);
  expect(batches.at(-1)?.stats.readings).toBe(readings.length);
});

test('time for storing readings does not count as decoding time (INGEST-03)', async () => {
  let readings = 0;
  for await (const batch of decodeLog(LINES, { longestMs: 800 })) {
    readings += batch.readings.length;
    await wait(300);
  }
  expect(readings).toBe(6000);
});
