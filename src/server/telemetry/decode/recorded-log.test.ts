import { describe, expect, test } from 'vitest';
import { decodeLog, LOG_START_SECONDS, readAllBatches, rpmLine, socLine } from './test/small-log.ts';

describe('a log gives one reading per second with the last value of each signal (INGEST-05)', () => {
  test('values of the same second are combined, and not carried over to the next', async () => {
    const log =
      socLine(LOG_START_SECONDS + 0.1, '10') +
      rpmLine(LOG_START_SECONDS + 0.5, '0000c842') +
      socLine(LOG_START_SECONDS + 0.999999, '20') +
      socLine(LOG_START_SECONDS + 1, '30');
    expect((await readAllBatches(decodeLog(log))).readings).toEqual([
      { time: LOG_START_SECONDS * 1000, signals: { Soc1: 16, BatteryCurrent: -1, MotorSpeed: 100 } },
      { time: LOG_START_SECONDS * 1000 + 1000, signals: { Soc1: 24, BatteryCurrent: -1 } },
    ]);
  });

  test('frames of two buses that are not in exact order give no extra readings', async () => {
    const log = [
      LOG_START_SECONDS + 0.9,
      LOG_START_SECONDS + 1.01,
      LOG_START_SECONDS + 0.99,
      LOG_START_SECONDS + 1.02,
      LOG_START_SECONDS + 2.01,
      LOG_START_SECONDS + 1.99,
    ].map((time, i) => socLine(time, `0${i + 1}`));
    const { readings } = await readAllBatches(decodeLog(log.join('')));
    expect(readings.map(({ time, signals }) => [time - LOG_START_SECONDS * 1000, signals.Soc1])).toEqual([
      [0, 1.5],
      [1000, 3],
      [2000, 2.5],
    ]);
  });

  test('frames at the start of a log that are not in order get into the readings of their own seconds', async () => {
    const { readings } = await readAllBatches(
      decodeLog(
        socLine(LOG_START_SECONDS + 1.001, '10') +
          socLine(LOG_START_SECONDS + 0.999, '20') +
          socLine(LOG_START_SECONDS + 1.002, '30'),
      ),
    );
    expect(readings.map(({ time, signals }) => [time - LOG_START_SECONDS * 1000, signals.Soc1])).toEqual([
      [0, 16],
      [1000, 24],
    ]);
  });

  test('frames after a jump back in time give another reading for a second that already has one', async () => {
    const log =
      socLine(LOG_START_SECONDS, '10') +
      socLine(LOG_START_SECONDS + 1, '20') +
      socLine(LOG_START_SECONDS + 2, '20') +
      rpmLine(LOG_START_SECONDS + 0.5, '0000c842');
    const { readings } = await readAllBatches(decodeLog(log));
    expect(readings.map(({ time }) => time - LOG_START_SECONDS * 1000)).toEqual([0, 1000, 2000, 0]);
  });

  test('a second without a signal of the mapping gives no reading', async () => {
    const log = `(${LOG_START_SECONDS}.5) can0 003#01\n(${LOG_START_SECONDS + 1}.5) can1 001#01\n(${LOG_START_SECONDS + 2}.5) can0 7FF#01\n(${LOG_START_SECONDS + 3}.5) can0 001#\n`;
    const { readings, last } = await readAllBatches(decodeLog(log));
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

test('every frame and line that is not decoded is counted (INGEST-03)', async () => {
  const good = socLine(LOG_START_SECONDS, '10');
  const bad = ['nonsense', `(${LOG_START_SECONDS}.0) can0 12`, '\u0000\u0000', 'x'.repeat(5000)].join('\n');
  const other = `(${LOG_START_SECONDS}.1) can0 001#R\n(${LOG_START_SECONDS}.1) can0 20000004#00\n${rpmLine(LOG_START_SECONDS, '0000c07f')}\n`;
  const late = socLine(LOG_START_SECONDS + 7200, '10'); // an hour ahead of now
  const { last } = await readAllBatches(
    decodeLog(`${good}${good}${bad}\n${other}${late}(${LOG_START_SECONDS}.2) can0 001#1`),
  );
  expect(last.stats).toEqual({
    frames: 4,
    values: 0,
    decodedFrames: 3,
    unknownIds: 0,
    remoteFrames: 1,
    errorFrames: 1,
    badLines: 5,
    firstBad: { line: 3, text: 'nonsense', expected: 'candump' },
    skippedValues: 1,
    refusedTimes: 1,
    readings: 1,
  });
});

describe('a recorder whose clock counts from power-on (INGEST-05)', () => {
  const startMs = Date.UTC(2025, 5, 1, 8, 0, 0, 400);
  const log = socLine(1953.6, '10') + socLine(1954.1, '20') + socLine(1954.3, '30');

  test('a recorder whose clock counts from power-on has its first frame at the given start, with seconds of real time', async () => {
    const { readings } = await readAllBatches(decodeLog(log, { startMs }));
    expect(readings.map(({ time, signals }) => [time - startMs, signals.Soc1])).toEqual([
      [-400, 16],
      [600, 24],
    ]);
  });

  test('a log that counts from power-on is rejected before anything is read when the start is missing', async () => {
    await expect(readAllBatches(decodeLog(log))).rejects.toMatchObject({
      name: 'LogError',
      kind: 'needs start',
    });
  });

  test('frames after the recorder’s clock was set keep their time', async () => {
    const { readings } = await readAllBatches(decodeLog(log + socLine(LOG_START_SECONDS, '40'), { startMs }));
    expect(readings.at(-1)).toMatchObject({ time: LOG_START_SECONDS * 1000, signals: { Soc1: 32 } });
  });

  test('the times of a log whose clock was set are moved to the given start only if shift is always', async () => {
    const good = socLine(LOG_START_SECONDS, '10');
    expect((await readAllBatches(decodeLog(good, { startMs }))).readings[0]?.time).toBe(
      LOG_START_SECONDS * 1000,
    );
    const moved = await readAllBatches(decodeLog(good, { startMs, shift: 'always' }));
    expect(moved.readings[0]?.time).toBe(startMs - 400);
  });

  test('a log that counts from power-on may begin with an error report of the controller as its first frame', async () => {
    const first = '(1950.600000) can0 20000004#00\n';
    expect((await readAllBatches(decodeLog(first + log, { startMs }))).readings[0]?.time).toBe(
      startMs + 2600,
    );
  });
});

test('an empty log gives one empty batch (INGEST-05)', async () => {
  const { readings, last } = await readAllBatches(decodeLog(''));
  expect(readings).toEqual([]);
  expect(last.stats.frames).toBe(0);
});
