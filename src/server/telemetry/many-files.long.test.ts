import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIN_QUOTA_FILE_BYTES } from '#server/writers/log-quotas.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import type { TestFrame } from './decode/can-log/test/given-frames.ts';
import { sampleMf4 } from './decode/can-log/test/sample-mf4.ts';
import type { FleetLogger } from './test/fleet.ts';
import { TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION } from './test/logs.ts';
import { storedRows } from './test/stored-rows.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

/** Number of files of one minute each: nearly a week. */
const FILES = 10_000;
/** Number of files that a logger may send concurrently. */
const AT_ONCE = 4;
/** Readings per file: one every ten seconds. */
const READINGS = 6;

function fileOf(n: number, startMs: number): Buffer {
  const frames = Array.from({ length: READINGS }, (_, at): TestFrame => {
    const us = 1000 * (startMs + 60_000 * n + 10_000 * at);
    return {
      kind: 'frame',
      us,
      bus: 0,
      id: 256,
      extended: false,
      fd: false,
      data: Buffer.from([n % 200, 0]),
    };
  });
  const file = sampleMf4(frames, { idBytes: 1, data: 'record behind' });
  file.write('UnFinMF ');
  return file;
}

test('a logger that was offline for a week delivers 10,000 files at once: all readings are stored, and another customer’s uploads do not wait for them (43.14)', {
  timeout: 30 * 60_000,
}, async () => {
  const { pool } = fleet.portal;
  const beganAt = fleet.clock;
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  const other: FleetLogger = await fleet.newLogger(CANDUMP_DEFINITION);
  const startMs = 60_000 * Math.floor(fleet.clock / 60_000) - 60_000 * FILES;
  let answered = 0;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < FILES) {
      const n = next;
      next += 1;
      // The test advances the portal's clock, by which the endpoint limits the requests per second.
      fleet.clock = Date.now();
      const split = String(n).padStart(8, '0');
      await fleet.put(logger, `1/${split}-63BEF5CD.MF4`, fileOf(n, startMs));
      answered += 1;
    }
  };
  let failure: unknown;
  const senders = Promise.all(Array.from({ length: AT_ONCE }, sender)).catch((error) => {
    failure = error;
  });
  // Number of files of the backlog that were answered during each upload of another customer.
  const overtaken: number[] = [];
  for (let n = 0; answered < FILES; n += 1) {
    const before = answered;
    await fleet.put(other, `1/${n}.MF4`, fileOf(n, startMs));
    overtaken.push(answered - before);
    await expect
      .poll(() => failure !== undefined || answered >= Math.min(FILES, before + 100), { timeout: 600_000 })
      .toBe(true);
    if (failure !== undefined) throw failure;
  }
  await senders;
  expect(overtaken.length).toBeGreaterThan(50);
  // Loggers share the decoding fairly, so the other one waits for a slot and not for the backlog.
  overtaken.sort((one, another) => one - another);
  expect(overtaken[overtaken.length >> 1]).toBeLessThan(3 * AT_ONCE);
  expect(overtaken.at(-1)).toBeLessThan(FILES / 10);

  const readings = await storedRows(pool, logger.streamId, ['time']);
  expect({ readings: readings.length, first: readings[0]?.time, last: readings.at(-1)?.time }).toEqual({
    readings: FILES * READINGS,
    first: new Date(startMs),
    last: new Date(startMs + 60_000 * (FILES - 1) + 10_000 * (READINGS - 1)),
  });
  const { rows: objects } = await pool.query<{ files: number; bytes: number }>(
    `select count(*)::int as files, sum(greatest(size, $2))::float8 as bytes from object where logger_serial = $1`,
    [logger.loggerSerial, MIN_QUOTA_FILE_BYTES],
  );
  const { rows: keys } = await pool.query<{ bytes: number }>(
    'select log_bytes::float8 as bytes from writer_key where access_key = $1',
    [logger.accessKey],
  );
  expect(objects[0]?.files).toBe(FILES);
  // The bytes counted for the key are reset at midnight, so they equal the stored bytes only if the test began on the same day.
  const isOneDay = amsterdamDay(beganAt) === amsterdamDay(fleet.clock);
  expect(keys[0]?.bytes).toEqual(isOneDay ? objects[0]?.bytes : expect.any(Number));
  const { counters, lastError } = await fleet.health(logger.writerId);
  expect([lastError, counters]).toEqual([
    null,
    expect.objectContaining({ uploads: FILES, readings: FILES * READINGS }),
  ]);
  expect(counters).not.toHaveProperty('quarantined');
  expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({
    GMT_UNIX: startMs / 1000 + 60 * (FILES - 1) + 10 * (READINGS - 1),
  });
  expect(await fleet.readingsOf(other.streamId)).toBe(overtaken.length * READINGS);
});
