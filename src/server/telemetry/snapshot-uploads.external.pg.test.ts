import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { TestFleet } from './test/fleet.ts';
import { storedRows } from './test/stored-rows.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

describe('a snapshot', () => {
  test('a snapshot that a logger uploads is on the map of its organization (INGEST-01, LIVE-03)', async () => {
    const logger = await fleet.newLogger();
    const now = Math.floor(fleet.clock / 1000);
    const answer = await fleet.snapshot(logger, {
      RTC_UNIX: now - 3,
      GMT_UNIX: now,
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      Soc1: 87.5,
    });
    expect(answer.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await fleet.live(logger.serialNumber))?.liveData).toEqual({
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      GMT_UNIX: now,
      POSITION_UNIX: now,
      Soc1: 87.5,
    });
    expect(await fleet.health(logger.writerId)).toMatchObject({
      counters: { uploads: 1, readings: 1 },
      lastError: null,
      lastSeenAt: expect.any(Date),
    });
  });

  test('a snapshot that is delivered twice is stored once, and the duplicate is counted (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    const now = Math.floor(fleet.clock / 1000);
    await fleet.snapshot(logger, { GMT_UNIX: now, Soc1: 50 });
    await fleet.snapshot(logger, { GMT_UNIX: now, Soc1: 50 });
    await fleet.snapshot(logger, { GMT_UNIX: now - 60, Soc1: 51 });
    expect(await fleet.readingsOf(logger.streamId)).toBe(2);
    expect((await fleet.health(logger.writerId)).counters).toEqual({
      uploads: 3,
      readings: 2,
      duplicates: 1,
    });
    expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({ GMT_UNIX: now, Soc1: 50 });
  });

  test('snapshots of the same instant in several files make one reading, to which their further signals are added (INGEST-03, 11.R2)', async () => {
    const logger = await fleet.newLogger();
    const now = Math.floor(fleet.clock / 1000);
    await fleet.put(logger, 'J1939Snapshot.json', JSON.stringify({ GMT_UNIX: now, Soc1: 50 }));
    await fleet.put(
      logger,
      'GnssSnapshot.json',
      JSON.stringify({ GMT_UNIX: now, LATITUDE: 52, LONGITUDE: 5 }),
    );
    // These uploads are concurrent, so the write queue may store them in one group.
    await Promise.all(
      [{ Soc1: 51 }, { Speed: 3 }, { Speed: 3 }].map((signals, n) =>
        fleet.put(logger, `Snapshot${n}.json`, JSON.stringify({ GMT_UNIX: now + 1, ...signals })),
      ),
    );
    expect((await fleet.health(logger.writerId)).counters).toEqual({
      uploads: 5,
      readings: 2,
      merged: 2,
      duplicates: 1,
    });
    expect(await fleet.readingsOf(logger.streamId)).toBe(2);
  });

  test('a snapshot keeps the finite numbers, and its other values are counted (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    const body = `{"GMT_UNIX":${Math.floor(fleet.clock / 1000)},"Soc1":44,"Naam":"x","Leeg":null,"Te":1e999,"Lijst":[1]}`;
    await fleet.put(logger, 'snapshot.json', body);
    expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({ Soc1: 44 });
    expect((await fleet.health(logger.writerId)).counters).toEqual({
      uploads: 1,
      readings: 1,
      skippedSignals: 4,
    });
  });

  test.each([
    ['no JSON', () => '{"GMT_UNIX":'],
    ['no time', () => '{"Soc1":1}'],
    ['1970', () => '{"GMT_UNIX":12,"Soc1":1}'],
    ['2099', () => '{"GMT_UNIX":4070908800,"Soc1":1}'],
    ['11 minutes ahead', () => `{"GMT_UNIX":${Math.floor(fleet.clock / 1000) + 660},"Soc1":1}`],
    ['a list', () => '[]'],
    ['NaN', () => '{"GMT_UNIX":NaN}'],
    ['nothing in it', () => '    '],
  ])('a snapshot with %s is quarantined, counted and acknowledged (INGEST-03)', async (_, body) => {
    const logger = await fleet.newLogger();
    await fleet.put(logger, 'snapshot.json', body());
    expect(await fleet.quarantined(logger)).toHaveLength(1);
    expect(await fleet.readingsOf(logger.streamId)).toBe(0);
    const { counters, lastError } = await fleet.health(logger.writerId);
    expect(counters).toEqual({ uploads: 1, quarantined: 1 });
    expect(lastError).toBe((await fleet.quarantined(logger))[0]);
  });

  test('the quarantine of a logger keeps the newest 100 snapshots (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    for (let n = 0; n < 105; n++) await fleet.put(logger, 'snapshot.json', `{"n":${n}}`);
    const { rows } = await fleet.portal.pool.query(
      `select convert_from(body, 'utf8') as body from quarantine where logger_serial = $1 order by id`,
      [logger.loggerSerial],
    );
    expect(rows.map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, n) => `{"n":${n + 5}}`));
  });

  test('a snapshot with 400 signals is stored, and one of 2 MiB is refused (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`Signal${n}`, n]));
    await fleet.snapshot(logger, { GMT_UNIX: Math.floor(fleet.clock / 1000), ...many });
    expect(await storedRows(fleet.portal.pool, logger.streamId, ['rest'])).toEqual([{ rest: many }]);
    await expect(
      fleet.put(logger, 'snapshot.json', `{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`),
    ).rejects.toThrow(expect.objectContaining({ name: 'EntityTooLarge' }));
    await expect.poll(async () => (await fleet.health(logger.writerId)).counters.refused).toBe(1);
  });

  test('a snapshot that the database cannot store at present is retried by the logger and stored later (INGEST-02, INGEST-03, 11.R4)', async () => {
    const logger = await fleet.newLogger();
    const body = JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 50 });
    const put = () => fleet.putStatus(logger, 'snapshot.json', body);
    const putBad = () => fleet.putStatus(logger, 'other-snapshot.json', '{"GMT_UNIX":');
    await inEachShard(fleet.portal.pool, 'alter function telemetry.store_readings rename to store_elsewhere');
    try {
      expect([await put(), await put(), await putBad(), await putBad()]).toEqual([503, 503, 503, 503]);
    } finally {
      await inEachShard(
        fleet.portal.pool,
        'alter function telemetry.store_elsewhere rename to store_readings',
      );
    }
    expect([await fleet.headStatus(logger, 'snapshot.json'), await fleet.quarantined(logger)]).toEqual([
      404,
      [],
    ]);
    expect([await put(), await putBad()]).toEqual([200, 200]);
    expect(await fleet.readingsOf(logger.streamId)).toBe(1);
    expect(await fleet.quarantined(logger)).toHaveLength(1);
  });

  test('a snapshot whose content the database refuses is quarantined and acknowledged (INGEST-03)', async () => {
    const logger = await fleet.newLogger();
    const put = (Soc1: number) =>
      fleet.snapshot(logger, { GMT_UNIX: Math.floor(fleet.clock / 1000) - Soc1, Soc1 });
    await inEachShard(
      fleet.portal.pool,
      'alter table telemetry.reading add constraint refused check (soc1 not in (11, 13))',
    );
    try {
      await put(12);
      // Readings 13 and 14 are older than the newest reading, 11 and 10 are newer. Both cases are tested, because other code stores late
      // readings.
      await Promise.all([put(13), put(14)]);
      await Promise.all([put(11), put(10)]);
    } finally {
      await inEachShard(fleet.portal.pool, 'alter table telemetry.reading drop constraint refused');
    }
    const refused = 'De levering kon niet worden opgeslagen.';
    expect(await fleet.quarantined(logger)).toEqual([refused, refused]);
    expect(await fleet.readingsOf(logger.streamId)).toBe(3);
    expect((await fleet.health(logger.writerId)).counters).toEqual({
      uploads: 5,
      readings: 3,
      quarantined: 2,
    });
  });
});
