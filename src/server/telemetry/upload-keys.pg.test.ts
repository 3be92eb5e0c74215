import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

describe('the upload endpoint', () => {
  test("the upload endpoint refuses and counts an upload to another logger's folder (INGEST-01)", async () => {
    const logger = await fleet.newLogger();
    const other = await fleet.newLogger();
    await expect(fleet.put(logger, 'snapshot.json', '{}', `WS_SN${other.loggerSerial}`)).rejects.toThrow(
      expect.objectContaining({ name: 'AccessDenied' }),
    );
    await expect.poll(async () => (await fleet.health(logger.writerId)).counters.refused).toBe(1);
    expect((await fleet.health(other.writerId)).counters).toEqual({});
  });

  test('the upload endpoint answers 403 for a wrong secret, and counts it for the logger of the key (INGEST-01)', async () => {
    const logger = await fleet.newLogger();
    await expect(fleet.snapshot({ ...logger, secret: 'wrong' }, {})).rejects.toThrow(
      expect.objectContaining({ name: 'SignatureDoesNotMatch' }),
    );
    await expect.poll(async () => (await fleet.health(logger.writerId)).counters.refused).toBe(1);
  });

  test('the upload endpoint still counts uploads of other loggers after it refused an upload with a NUL in its object key (INGEST-03)', async () => {
    const hostile = await fleet.newLogger();
    const other = await fleet.newLogger();
    fleet.portal.portal.counters.add(
      hostile.writerId,
      { refused: 1 },
      { at: fleet.clock, refusal: 'InvalidArgument: a\u0000b\ud800' },
    );
    fleet.portal.portal.counters.addUnknownKey('KEY\u0000');
    await fleet.snapshot(other, { GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 1 });
    expect((await fleet.health(hostile.writerId)).refusal).toBe('InvalidArgument: a\uFFFDb\uFFFD');
    expect((await fleet.health(other.writerId)).counters).toEqual({ uploads: 1, readings: 1 });
  });

  test('the upload endpoint answers 403 for an unknown access key, and counts its uploads in the list of unknown keys (INGEST-01)', async () => {
    const logger = await fleet.newLogger();
    for (let n = 0; n < 2; n++) {
      await expect(fleet.snapshot({ ...logger, accessKey: 'WSUNKNOWN' }, {})).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidAccessKeyId' }),
      );
    }
    const count = async () => {
      await fleet.portal.portal.counters.flush();
      const { rows } = await fleet.portal.pool.query(
        `select count::int from unknown_key where access_key = 'WSUNKNOWN'`,
      );
      return rows[0]?.count;
    };
    await expect.poll(count).toBe(2);
  });

  test('the upload endpoint refuses an upload whose clock is more than 15 minutes off (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    const client = fleet.clientOf(logger);
    client.config.systemClockOffset = -16 * 60_000;
    await expect(
      client.send(
        new PutObjectCommand({ Bucket: 'telemetry', Key: `A_SN${logger.loggerSerial}/x.json`, Body: '{}' }),
      ),
    ).rejects.toThrow(expect.objectContaining({ name: 'RequestTimeTooSkewed' }));
  });

  test('the upload endpoint refuses an access key that was withdrawn (INGEST-01)', async () => {
    const logger = await fleet.newLogger();
    await fleet.snapshot(logger, { GMT_UNIX: Math.floor(fleet.clock / 1000) });
    await fleet.portal.pool.query('update writer_key set retired_at = now() where access_key = $1', [
      logger.accessKey,
    ]);
    await expect
      .poll(
        () =>
          fleet.snapshot(logger, {}).then(
            () => 'open',
            (error: Error) => error.name,
          ),
        { timeout: 6_000 },
      )
      .toBe('InvalidAccessKeyId');
  });
});
