import { describe, expect, test } from 'vitest';
import { summarizeSkippedParts } from '#server/telemetry/decode/log-outcome.ts';
import { decodeRecordedLog, type LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { collect, splitInChunks } from '#server/telemetry/decode/test/small-log.ts';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { dutchFindingText } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Reading } from '#shared/domain/signal.ts';

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);
const T = Date.UTC(2026, 1, 1, 8, 0, 0);
const ISO = '2026-02-01T08:00:00Z';

async function decode(
  text: string | Uint8Array,
  {
    signals = [],
    chunkBytes = 1 << 20,
    startMs,
  }: { signals?: SignalMapping[]; chunkBytes?: number; startMs?: number } = {},
): Promise<{ readings: Reading[]; stats: LogBatch['stats'] }> {
  const definition = { buses: [], mapping: { signals, keep: [] } };
  const start = startMs === undefined ? {} : { startMs };
  const log = decodeRecordedLog({
    chunks: () => splitInChunks(Buffer.from(text), chunkBytes),
    format: 'csv',
    definition,
    now: NOW,
    ...start,
  });
  const batches = await collect(log);
  return { readings: batches.flatMap(({ readings }) => readings), stats: (batches.at(-1) as LogBatch).stats };
}

const one = { time: T, signals: { Soc1: 87.5, MotorSpeed: 1200 } };

describe('spellings of a wide CSV (INGEST-05)', () => {
  test.each([
    ['commas', `time,Soc1,MotorSpeed\n${ISO},87.5,1200\n`],
    ['semicolons and decimal commas', `time;Soc1;MotorSpeed\n${ISO};87,5;1200\n`],
    ['tabs', `time\tSoc1\tMotorSpeed\n${ISO}\t87.5\t1200\n`],
    ['Windows line ends and a byte order mark', `\uFEFFtime,Soc1,MotorSpeed\r\n${ISO},87.5,1200\r\n`],
    ['no last line end', `time,Soc1,MotorSpeed\n${ISO},87.5,1200`],
    ['the time in another column', `Soc1,Timestamp,MotorSpeed\n87.5,${ISO},1200\n`],
    ['quotes and blanks', `"time" , "Soc1","MotorSpeed"\n"${ISO}", "87.5" ,1200\n`],
    ['quoted commas and line ends', `time,Soc1,MotorSpeed,Note\n${ISO},87.5,1200,\n`],
    ['seconds', `gmt_unix,Soc1,MotorSpeed\n${T / 1000},87.5,1200\n`],
    ['milliseconds', `DATETIME,Soc1,MotorSpeed\n${T},87.5,1200\n`],
    ['microseconds', `RTC_UNIX,Soc1,MotorSpeed\n${T}000,87.5,1200\n`],
    [
      'GMT_UNIX rather than time; neither is a signal',
      `time,GMT_UNIX,Soc1,MotorSpeed\n5,${T / 1000},87.5,1200\n`,
    ],
    ['empty lines', `time,Soc1,MotorSpeed\n\n${ISO},87.5,1200\n\n\n`],
    ['a column without name', `time,,Soc1,MotorSpeed\n${ISO},9,87.5,1200\n`],
  ])('a wide CSV is read with: %s', async (_, text) => {
    for (const chunkBytes of [1, 7, 1 << 20])
      expect((await decode(text, { chunkBytes })).readings).toEqual([one]);
  });

  test('a wide CSV may contain names in Windows-1252', async () => {
    const text = Buffer.concat([
      Buffer.from('time,Temp '),
      Buffer.from([0xb0]),
      Buffer.from(`C\n${ISO},5\n`),
    ]);
    expect((await decode(text)).readings).toEqual([{ time: T, signals: { 'Temp °C': 5 } }]);
  });
});

test('the rows of one second are combined: each signal gets its last value, and an empty cell does not overwrite a value (INGEST-05)', async () => {
  const text = `time,A,B\n${ISO},1,2\n2026-02-01T08:00:00.500Z,3,\n2026-02-01T08:00:01Z,,4\n`;
  expect((await decode(text)).readings).toEqual([
    { time: T, signals: { A: 3, B: 2 } },
    { time: T + 1000, signals: { B: 4 } },
  ]);
});

test("a column with the DBC name of a mapped signal gets the portal's name; other columns keep theirs (INGEST-05)", async () => {
  const signals = [
    { signal: 'SocDisp', to: 'Soc1', factor: 2, offset: 1 },
    { signal: 'Rpm', to: 'MotorSpeed' },
    { signal: 'Amps', message: 'A', to: 'BatteryCurrent' },
    { signal: 'Amps', message: 'B', to: 'ChargingCurrent' },
  ];
  const text = `time,SocDisp,Rpm,MotorSpeed,Amps\n${ISO},10,20,30,40\n`;
  expect((await decode(text, { signals })).readings[0]?.signals).toEqual({
    Soc1: 21,
    Rpm: 20,
    MotorSpeed: 30,
    Amps: 40,
  });
});

test('bad cells are left out and bad rows skipped, and both are counted (INGEST-03)', async () => {
  const rows = [
    `${ISO},1,x`, // one bad cell
    `${ISO},NaN,0x10`, // two
    `${ISO},1`, // a cell too few
    `${ISO},1,2,3`, // one too many
    'yesterday,1,2',
    ',1,2',
    '2026-02-01T08:00:00,1,2', // no zone, but other rows have one
    '"a"b,1,2', // a quote in the wrong place spoils this row only
    '2026-02-01T08:00:05Z,7,8',
    '1999-01-01T00:00:00Z,7,8', // a reading from before 2015 is rejected
    '2026-03-01T12:30:00Z,7,8', // a reading from the future is rejected
  ];
  const { readings, stats } = await decode(`time,A,B\n${rows.join('\n')}\n`);
  expect(readings).toEqual([
    { time: T, signals: { A: 1 } },
    { time: T + 5000, signals: { A: 7, B: 8 } },
  ]);
  expect(stats).toMatchObject({
    frames: 5,
    badLines: 6,
    firstBad: { line: 4 },
    skippedValues: 3,
    refusedTimes: 2,
  });
});

test('a quote without an end costs at most 256 KiB of the file (INGEST-03)', async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => `${T / 1000 + i},${i}\n`);
  rows[3] = `${T / 1000 + 3},"3\n`;
  const { readings, stats } = await decode(`time,A\n${rows.join('')}`, { chunkBytes: 10_000 });
  expect(stats).toMatchObject({ badLines: 1, firstBad: { line: 5 } });
  expect(readings.length).toBeGreaterThan(10_000);
  expect(readings.at(-1)?.signals).toEqual({ A: 29_999 });
});

test('a CSV whose times count from power-on is rejected unless a start time is given, like any log (INGEST-05)', async () => {
  const text = 'time,A\n12.5,1\n13.6,2\n';
  await expect(decode(text)).rejects.toMatchObject({ kind: 'needs start' });
  const { readings } = await decode(text, { startMs: T });
  expect(readings).toEqual([
    { time: T, signals: { A: 1 } },
    { time: T + 1000, signals: { A: 2 } },
  ]);
});

test.each([
  ['nothing', '', 'het bestand is leeg'],
  ['no time column', 'dag,A\n1,2\n', 'geen tijdkolom'],
  ['no signal', 'time,GMT_UNIX\n1,2\n', 'geen kolom met een signaal'],
  ['one name that is none', `time,${'x'.repeat(65)}\n1,2\n`, 'geen kolom met een signaal'],
  [
    '1,001 columns',
    `time,${Array.from({ length: 1000 }, (_, i) => `s${i}`).join(',')}\n`,
    'meer dan 1000 kolommen',
  ],
  ['a broken first row', '"time"x,A\n1,2\n', 'eerste regel is onleesbaar'],
  ['one endless line', `time,${'x'.repeat(200_000)}`, 'de eerste regel is te lang'],
  [
    'times without zone',
    'time,A\n2026-02-01T08:00:00,1\n',
    "CSV, regel 2: tijd '2026-02-01T08:00:00' zonder tijdzone",
  ],
])('a CSV is rejected: %s (INGEST-05)', async (_, text, message) => {
  await expect(decode(text)).rejects.toThrow(message);
  await expect(decode(text)).rejects.toMatchObject({ name: 'LogError' });
});

test('a column with an invalid name, or a name that occurs twice, is left out and counted (52.1)', async () => {
  const { readings, stats } = await decode(`time,A,A,${'x'.repeat(65)},B\n${T / 1000},1,2,3,4\n`);
  expect(readings).toEqual([{ time: T, signals: { A: 1, B: 4 } }]);
  expect(summarizeSkippedParts(stats, []).map(dutchFindingText)).toEqual([
    '2 kolommen zijn weggelaten: kolom A staat er twee keer',
  ]);
});
