import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  decodeLog,
  LOG_START_SECONDS,
  type LogOptions,
  readAllBatches,
  rpmLine,
  socLine,
} from '#server/telemetry/decode/test/small-log.ts';

const HEADER = 'Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8';
const csv = { format: 'csv' } as const;

/** Converts a candump log to the GVRET format. */
const gvretOf = (candump: string): string =>
  candump.replaceAll(/\((\d+)\.(\d{6})\) can(\d) (\w+)#(\w*)/g, (_, seconds, micros, bus, id, data) => {
    const bytes = data.match(/../g) ?? [];
    return `${Number(seconds)}${micros},${id.padStart(8, '0')},false,Rx,${bus},${bytes.length},${bytes.join(',')},`;
  });

const LOG =
  socLine(LOG_START_SECONDS + 0.1, '10') +
  rpmLine(LOG_START_SECONDS + 0.5, '0000c842') +
  socLine(LOG_START_SECONDS + 1.25, '20') +
  socLine(LOG_START_SECONDS + 1.5, '30', 1);
const FROM_POWER_ON = LOG.replaceAll(String(LOG_START_SECONDS).slice(0, 6), '000000');

describe('a GVRET CSV (INGEST-05)', () => {
  test.each<[string, string, LogOptions]>([
    ['by a clock that is right', LOG, {}],
    ['by a clock that counts from power-on', FROM_POWER_ON, { startMs: LOG_START_SECONDS * 1000 }],
    ['that was moved on purpose', LOG, { startMs: LOG_START_SECONDS * 1000 - 1e9, shift: 'always' }],
  ])('a GVRET CSV is decoded like the same log in candump format: %s', async (_, log, options) => {
    const candump = await readAllBatches(decodeLog(log, options));
    expect(candump.readings.map(({ signals }) => signals)).toEqual([
      { Soc1: 8, BatteryCurrent: -1, MotorSpeed: 100 },
      { Soc1: 16, BatteryCurrent: -1 },
    ]);
    const gvret = `${HEADER}\n${gvretOf(log)}`;
    for (const bytes of [Buffer.from(gvret), gzipSync(gvret)]) {
      for (const chunkBytes of [1, 50, 1 << 20]) {
        const { readings, last } = await readAllBatches(decodeLog(bytes, { ...options, ...csv, chunkBytes }));
        expect(readings).toEqual(candump.readings);
        expect(last.stats).toEqual(candump.last.stats);
      }
    }
  });

  test('the bad rows of a GVRET CSV are counted, and the line number of the first one is reported', async () => {
    const rows = [
      '',
      '1,2,3',
      `${LOG_START_SECONDS}000000,001,false,Rx,0,1,1G`,
      gvretOf(socLine(LOG_START_SECONDS, '10')),
      'end',
    ];
    const { readings, last } = await readAllBatches(
      decodeLog(`\uFEFF${HEADER}\r\n${rows.join('\r\n')}`, csv),
    );
    expect(readings).toEqual([{ time: LOG_START_SECONDS * 1000, signals: { Soc1: 8, BatteryCurrent: -1 } }]);
    expect(last.stats).toMatchObject({ frames: 1, badLines: 3, firstBad: { line: 3 } });
  });

  test('a GVRET CSV with a header and no rows is an empty log', async () => {
    for (const text of [HEADER, `${HEADER}\n`]) {
      const { readings, last } = await readAllBatches(decodeLog(text, csv));
      expect(readings).toEqual([]);
      expect(last.stats).toMatchObject({ frames: 0, badLines: 0 });
    }
  });

  test.each<[string, string, LogOptions, string]>([
    ['without a start', FROM_POWER_ON, {}, 'needs start'],
    [
      'without a DBC',
      LOG,
      { definition: { buses: [], mapping: { signals: [], keep: [] } } },
      'no definition',
    ],
  ])('a GVRET CSV is rejected: %s (INGEST-03)', async (_, log, options, kind) => {
    const batches = decodeLog(`${HEADER}\n${gvretOf(log)}`, { ...options, ...csv });
    await expect(readAllBatches(batches)).rejects.toMatchObject({ name: 'LogError', kind });
  });
});

test('a first row of 50 kB, too long for GVRET, is read as the first row of a wide CSV, in chunks of any size (INGEST-05)', async () => {
  const names = Array.from({ length: 999 }, (_, i) => `Signal${String(i).padEnd(44, '_')}`);
  const text = `time,${names.join(',')}\n${LOG_START_SECONDS},1${','.repeat(998)}\n`;
  for (const chunkBytes of [1000, 1 << 20]) {
    const { readings } = await readAllBatches(decodeLog(text, { ...csv, chunkBytes }));
    expect(readings).toEqual([{ time: LOG_START_SECONDS * 1000, signals: { [names[0] as string]: 1 } }]);
  }
});
