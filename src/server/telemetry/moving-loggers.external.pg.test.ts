import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

describe('the readings of a logger that moves', () => {
  test('readings of a logger that moves are stored in the binding that was valid at their time, and in no other (INGEST-06)', async () => {
    const logger = await fleet.newLogger();
    const movedAt = new Date(Math.floor(fleet.clock / 1000) * 1000 - 600_000);
    const second = await fleet.portal.machine(fleet.organization, { serial: `${logger.serialNumber}-B` });
    const writer = await createWriter(fleet.portal.pool, {
      streamId: second,
      loggerSerial: logger.loggerSerial,
      at: movedAt,
    });
    // The key is bound to another machine while the logger still buffers earlier recordings.
    await fleet.portal.pool.query(
      'update writer_key set writer_id = $1, retired_at = null where access_key = $2',
      [writer, logger.accessKey],
    );
    const at = movedAt.getTime() / 1000;
    await fleet.snapshot(logger, { GMT_UNIX: at - 1, Soc1: 10 });
    await fleet.snapshot(logger, { GMT_UNIX: at, Soc1: 20 });
    expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({ GMT_UNIX: at - 1, Soc1: 10 });
    expect((await fleet.live(`${logger.serialNumber}-B`))?.liveData).toMatchObject({
      GMT_UNIX: at,
      Soc1: 20,
    });
  });

  test('readings from a time at which their logger had no binding are quarantined (INGEST-03, INGEST-06)', async () => {
    const logger = await fleet.newLogger();
    const now = Math.floor(fleet.clock / 1000);
    await fleet.portal.pool.query('update writer set valid_from = $2 where id = $1', [
      logger.writerId,
      new Date((now - 3600) * 1000),
    ]);
    await fleet.snapshot(logger, { GMT_UNIX: now - 7200, Soc1: 1 });
    expect(await fleet.quarantined(logger)).toEqual([
      'De logger was op dat moment aan geen machine gekoppeld.',
    ]);
    expect(await fleet.readingsOf(logger.streamId)).toBe(0);
  });

  test("late readings from a former owner's time remain that owner's (INGEST-06)", async () => {
    const logger = await fleet.newLogger();
    const buyer = await fleet.portal.organization(`koper-${logger.loggerSerial}`);
    await fleet.portal.user(`koper-${logger.loggerSerial}@klant.nl`, buyer);
    const buyerCookie = await fleet.portal.login(`koper-${logger.loggerSerial}@klant.nl`);
    const now = Math.floor(fleet.clock / 1000);
    await fleet.portal.pool.query(
      `update writer_key set created_at = now() - interval '1 day' where access_key = $1`,
      [logger.accessKey],
    );
    await moveStream(fleet.portal.pool, logger.streamId, buyer, new Date((now - 60) * 1000));
    await fleet.snapshot(logger, { GMT_UNIX: now - 120, LATITUDE: 52, LONGITUDE: 5, Soc1: 10 });
    expect(await fleet.readingsOf(logger.streamId)).toBe(1);
    fleet.clock += 1_100;
    const seen = async () =>
      (await fleet.portal.get('/api/live', buyerCookie)).json()[logger.serialNumber]?.liveData;
    await expect.poll(seen, { timeout: 6_000 }).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
  });
});
