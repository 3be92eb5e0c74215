import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Definition } from '#shared/domain/definition.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { collect, inChunks } from './log-fixture.ts';
import { decodeRecordedLog, type LogBatch, type RecordedLog } from './recorded-log.ts';

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);
const T0 = NOW / 1000 - 3600;

const DBC = `BO_ 1 Bms: 8 X
 SG_ Soc : 0|8@1+ (0.5,0) [0|100] "%" X
 SG_ Amps : 8|16@1- (0.1,0) [0|0] "A" X
BO_ 2 Motor: 4 X
 SG_ Rpm : 0|32@1- (1,0) [0|0] "rpm" X
SIG_VALTYPE_ 2 Rpm : 1;
BO_ 3 Unused: 8 X`;

const definition: Definition = {
  buses: [{ bus: 0, bitrate: 500_000, name: 'bms.dbc', dbc: DBC }],
  mapping: {
    signals: [
      { signal: 'Soc', to: 'Soc1' },
      { signal: 'Rpm', to: 'MotorSpeed' },
      { signal: 'Amps', to: 'BatteryCurrent', factor: -1 },
    ],
    keep: [],
  },
};

type Options = Partial<Omit<RecordedLog, 'chunks'>> & { chunkBytes?: number };

function decode(text: string | Uint8Array, { chunkBytes = 1 << 20, ...options }: Options = {}) {
  const chunks = inChunks(Buffer.from(text), chunkBytes);
  return decodeRecordedLog({ chunks, format: 'candump', definition, now: NOW, ...options });
}

async function all(batches: AsyncIterable<LogBatch>): Promise<{ readings: Reading[]; last: LogBatch }> {
  const list = await collect(batches);
  return { readings: list.flatMap(({ readings }) => readings), last: list.at(-1) as LogBatch };
}

const soc = (time: number, value: string, bus = 0) => `(${time.toFixed(6)}) can${bus} 001#${value}0A00\n`;
const rpm = (time: number, hex: string) => `(${time.toFixed(6)}) can0 002#${hex}\n`;

describe('INGEST-05 one reading per second, with the last value of each signal seen in it', () => {
  test('values of the same second come together, those of the next one do not carry over', async () => {
    const log =
      soc(T0 + 0.1, '10') + rpm(T0 + 0.5, '0000c842') + soc(T0 + 0.999999, '20') + soc(T0 + 1, '30');
    expect((await all(decode(log))).readings).toEqual([
      { time: T0 * 1000, signals: { Soc1: 16, BatteryCurrent: -1, MotorSpeed: 100 } },
      { time: T0 * 1000 + 1000, signals: { Soc1: 24, BatteryCurrent: -1 } },
    ]);
  });

  test('frames of two buses that are not in exact order make no extra readings', async () => {
    const log = [T0 + 0.9, T0 + 1.01, T0 + 0.99, T0 + 1.02, T0 + 2.01, T0 + 1.99].map((time, i) =>
      soc(time, `0${i + 1}`),
    );
    const { readings } = await all(decode(log.join('')));
    expect(readings.map(({ time, signals }) => [time - T0 * 1000, signals.Soc1])).toEqual([
      [0, 1.5],
      [1000, 3],
      [2000, 2.5],
    ]);
  });

  test('that holds from the first frames on', async () => {
    const { readings } = await all(
      decode(soc(T0 + 1.001, '10') + soc(T0 + 0.999, '20') + soc(T0 + 1.002, '30')),
    );
    expect(readings.map(({ time, signals }) => [time - T0 * 1000, signals.Soc1])).toEqual([
      [0, 16],
      [1000, 24],
    ]);
  });

  test('a time that jumps back further makes a second reading for its second', async () => {
    const log = soc(T0, '10') + soc(T0 + 1, '20') + soc(T0 + 2, '20') + rpm(T0 + 0.5, '0000c842');
    const { readings } = await all(decode(log));
    expect(readings.map(({ time }) => time - T0 * 1000)).toEqual([0, 1000, 2000, 0]);
  });

  test('a second without a signal of ours makes no reading', async () => {
    const log = `(${T0}.5) can0 003#01\n(${T0 + 1}.5) can1 001#01\n(${T0 + 2}.5) can0 7FF#01\n(${T0 + 3}.5) can0 001#\n`;
    const { readings, last } = await all(decode(log));
    expect(readings).toEqual([]);
    expect(last.stats).toMatchObject({
      frames: 4,
      decodedFrames: 1,
      unknownIds: 2,
      badLines: 0,
      readings: 0,
    });
  });
});

test('INGEST-03 everything that is no decoded frame is counted', async () => {
  const good = soc(T0, '10');
  const bad = ['nonsense', `(${T0}.0) can0 12`, '\u0000\u0000', 'x'.repeat(5000)].join('\n');
  const other = `(${T0}.1) can0 001#R\n(${T0}.1) can0 20000004#00\n${rpm(T0, '0000c07f')}\n`;
  const late = soc(T0 + 7200, '10'); // an hour ahead of now
  const { last } = await all(decode(`${good}${good}${bad}\n${other}${late}(${T0}.2) can0 001#1`));
  expect(last.stats).toEqual({
    frames: 4,
    decodedFrames: 3,
    unknownIds: 0,
    remoteFrames: 1,
    errorFrames: 1,
    badLines: 5,
    firstBadLine: 3,
    skippedValues: 1,
    refusedTimes: 1,
    readings: 1,
  });
});

describe('INGEST-05 a recorder whose clock counts from power-on', () => {
  const startMs = Date.UTC(2025, 5, 1, 8, 0, 0, 400);
  const log = soc(1953.6, '10') + soc(1954.1, '20') + soc(1954.3, '30');

  test('its first frame is at the given start, and seconds are those of the real time', async () => {
    const { readings } = await all(decode(log, { startMs }));
    expect(readings.map(({ time, signals }) => [time - startMs, signals.Soc1])).toEqual([
      [-400, 16],
      [600, 24],
    ]);
  });

  test('without a start it is refused before anything is read', async () => {
    await expect(all(decode(log))).rejects.toMatchObject({ name: 'LogError', kind: 'needs start' });
  });

  test('frames from after its clock was set keep their own time', async () => {
    const { readings } = await all(decode(log + soc(T0, '40'), { startMs }));
    expect(readings.at(-1)).toMatchObject({ time: T0 * 1000, signals: { Soc1: 32 } });
  });

  test('a good clock is moved only when asked', async () => {
    const good = soc(T0, '10');
    expect((await all(decode(good, { startMs }))).readings[0]?.time).toBe(T0 * 1000);
    const moved = await all(decode(good, { startMs, shift: 'always' }));
    expect(moved.readings[0]?.time).toBe(startMs - 400);
  });

  test('an error report of the controller counts as the first frame too', async () => {
    const first = '(1950.600000) can0 20000004#00\n';
    expect((await all(decode(first + log, { startMs }))).readings[0]?.time).toBe(startMs + 2600);
  });
});

/** Ten minutes with a few frames a second, some of them late, with damage and a jump back. */
const long = Array.from({ length: 3000 }, (_, i) => {
  if (i % 97 === 0) return 'damage\n';
  const time = T0 + i * 0.2 - (i > 2000 ? 30 : 0) - (i % 10 === 1 ? 0.25 : 0);
  return i % 3 === 0 ? rpm(time, '0000c842') : soc(time, (i % 200).toString(16).padStart(2, '0'));
}).join('');

test.each([1, 13, 1000, 1 << 24])(
  'INGEST-05 chunks of %i bytes, gzip or not, make no difference',
  async (chunkBytes) => {
    const whole = await all(decode(long));
    expect(whole.readings.length).toBeGreaterThan(500);
    expect(whole.last.stats.badLines).toBe(31);
    expect(await all(decode(long, { chunkBytes }))).toMatchObject({ readings: whole.readings });
    expect(await all(decode(gzipSync(long), { chunkBytes }))).toMatchObject({ readings: whole.readings });
  },
);

/** As the store does it: what is there stays, new signals are added. */
function stored(readings: readonly Reading[]): Map<number, Reading['signals']> {
  const byTime = new Map<number, Reading['signals']>();
  for (const { time, signals } of readings) byTime.set(time, { ...signals, ...byTime.get(time) });
  return byTime;
}

describe('INGEST-05 a log can be taken up again behind any batch, and no second is split', () => {
  const fromPowerOn = long.replaceAll(`(${String(T0).slice(0, 6)}`, '(');
  const csv = `time,Soc,Rpm\n${Array.from({ length: 3000 }, (_, i) => `${T0 + i * 0.2},${i % 200},${i}\n`).join('')}`;
  test.each<[string, string, Options]>([
    ['candump', long, {}],
    ['candump that counts from power-on', fromPowerOn, { startMs: NOW - 7_200_000 }],
    ['csv', csv, { format: 'csv' }],
    [
      'csv that counts from power-on',
      csv.replaceAll(String(T0).slice(0, 6), '0'),
      { format: 'csv', startMs: NOW - 7_200_000 },
    ],
  ])('%s', async (_, text, options) => {
    const batches = await collect(decode(text, options));
    expect(batches.length).toBeGreaterThan(1);
    const expected = batches.flatMap(({ readings }) => readings);
    for (const [index, { resume }] of batches.entries()) {
      const before = batches.slice(0, index + 1).flatMap(({ readings }) => readings);
      const kept = JSON.parse(JSON.stringify(resume));
      const after = await all(decode(text, { ...options, resume: kept, chunkBytes: 777 }));
      expect(stored([...before, ...after.readings])).toEqual(stored(expected));
      expect(after.readings.length).toBeLessThanOrEqual(expected.length - before.length + 1);
      const { firstBadLine } = after.last.stats;
      if (firstBadLine !== undefined) expect((firstBadLine - 1) % 97).toBe(0);
    }
    expect(batches.at(-1)?.resume.byteOffset).toBe(Buffer.byteLength(text));
  });
});

test('INGEST-03 a truncated gzip log gives its readings first, then the error', async () => {
  const cut = gzipSync(long).subarray(0, -1000);
  const batches: LogBatch[] = [];
  const reading = async () => {
    for await (const batch of decode(cut)) batches.push(batch);
  };
  await expect(reading()).rejects.toMatchObject({ kind: 'truncated' });
  const whole = await all(decode(long));
  const got = batches.flatMap(({ readings }) => readings);
  expect(got.length).toBeGreaterThan(100);
  expect(got.slice(0, -1)).toEqual(whole.readings.slice(0, got.length - 1));
});

test('INGEST-05 an empty log is one empty batch', async () => {
  const { readings, last } = await all(decode(''));
  expect(readings).toEqual([]);
  expect(last.stats.frames).toBe(0);
});

test('INGEST-05 the event loop gets its turn while a long log is read', async () => {
  const big = long.repeat(60);
  let turns = 0;
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    turns += 1;
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  const began = performance.now();
  await all(decode(big));
  const took = performance.now() - began;
  clearInterval(timer);
  expect(turns).toBeGreaterThan(took / 100);
  expect(longest).toBeLessThan(200); // generous: the machine is shared
});
