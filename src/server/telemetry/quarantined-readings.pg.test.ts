import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import type { TestLogger } from '#server/test/portal.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from './test/logs.ts';

let fleet: TestFleet;
let buyer: number;
beforeAll(async () => {
  fleet = await TestFleet.open();
  buyer = await fleet.portal.organization('koper');
});
afterAll(() => fleet.close());

/**
 * Returns a logger that was bound to a machine of `klant` until `at` (ms) and has been bound to one of `koper` since,
 * with a new key.
 */
async function soldLogger(at: number): Promise<{ before: FleetLogger; now: TestLogger }> {
  const before = await fleet.newLogger(CANDUMP_DEFINITION);
  const stream = await fleet.portal.machine(buyer, { serial: `${before.serialNumber}-K` });
  const now = await fleet.portal.logger(stream, before.loggerSerial, CANDUMP_DEFINITION, new Date(at));
  await fleet.portal.pool.query('update writer_key set created_at = $2 where access_key = $1', [
    now.accessKey,
    new Date(at),
  ]);
  await fleet.portal.untilNotified();
  return { before, now };
}

const quarantinedOf = async ({ loggerSerial }: TestLogger) =>
  (
    await fleet.portal.pool.query(
      `select reason, held_from as "from", held_to as "to", held_count as count, length(body) as bytes,
         object_id is not null as "inObject" from quarantine where logger_serial = $1 order by id`,
      [loggerSerial],
    )
  ).rows;
const seconds = () => Math.floor(fleet.clock / 1000);

describe('readings from before the present binding (12.B6)', () => {
  test('readings from a former owner’s time that come with the new owner’s key are quarantined, and newer readings are stored (12.B6, INGEST-06)', async () => {
    const at = seconds() - 600;
    const { before, now } = await soldLogger(at * 1000);
    for (let n = 1; n <= 3; n++) await fleet.snapshot(now, { GMT_UNIX: at - n, Soc1: 10 });
    await fleet.snapshot(now, { GMT_UNIX: at, Soc1: 20 });
    expect([await fleet.readingsOf(before.streamId), await fleet.readingsOf(now.streamId)]).toEqual([0, 1]);
    expect(await quarantinedOf(now)).toEqual(
      [1, 2, 3].map((n) => ({
        reason: [{ kind: 'before-this-binding' }],
        from: new Date((at - n) * 1000),
        to: new Date((at - n) * 1000),
        count: 1,
        bytes: JSON.stringify({ GMT_UNIX: at - n, Soc1: 10 }).length,
        inObject: false,
      })),
    );
    const { counters, lastError } = await fleet.health(now.writerId);
    expect([counters, lastError]).toEqual([
      { uploads: 4, readings: 1, quarantined: 3 },
      'van voor deze koppeling',
    ]);
  });

  test('readings from before the present binding are stored when both machines move to the same organization (12.B6, INGEST-06)', async () => {
    const at = seconds() - 600;
    const { before, now } = await soldLogger(at * 1000);
    const late = async (n: number) => {
      await fleet.portal.untilNotified();
      await fleet.snapshot(now, { GMT_UNIX: at - n, Soc1: 10 });
      return [await fleet.readingsOf(before.streamId), (await quarantinedOf(now)).length];
    };
    expect(await late(1)).toEqual([0, 1]);
    await moveStream(fleet.portal.pool, before.streamId, buyer, new Date(fleet.clock));
    expect(await late(2)).toEqual([1, 1]);
    await moveStream(fleet.portal.pool, now.streamId, fleet.organization, new Date(fleet.clock));
    expect(await late(3)).toEqual([1, 2]);
    await moveStream(fleet.portal.pool, before.streamId, fleet.organization, new Date(fleet.clock));
    expect(await late(4)).toEqual([2, 2]);
  });

  test('a log that spans the move of its logger has its earlier part in quarantine, as one row, and its later part is stored (12.B6, INGEST-06)', async () => {
    const middle = Date.UTC(2026, 5, 1, 10, 0, 1);
    const { before, now } = await soldLogger(middle);
    const name = `1/WS_${before.loggerSerial}_20260601_100000.log`;
    for (const _ of ['once', 'again']) {
      await fleet.put(now, name, CANDUMP_LOG);
      expect([await fleet.readingsOf(before.streamId), await fleet.readingsOf(now.streamId)]).toEqual([0, 1]);
      const time = new Date('2026-06-01T10:00:00Z');
      expect(await quarantinedOf(now)).toEqual([
        {
          reason: [{ kind: 'before-this-binding' }],
          from: time,
          to: time,
          count: 1,
          bytes: null,
          inObject: true,
        },
      ]);
    }
    expect(await fleet.outcomes(before)).toEqual([
      '1 meting; 1 meting van voor deze koppeling (over te nemen bij Quarantaine); 1 regel is niet gelezen: regel 5 is ‘(7.500000) can0 1’; verwacht wordt een regel zoals ‘(1436509052.249713) can0 123#DEADBEEF’ (candump -L)',
    ]);
  });

  test('readings are quarantined with their whole document of up to 1 MiB, and the oldest of more than a hundred documents is deleted (12.B6)', async () => {
    const at = seconds() - 600;
    const { now } = await soldLogger(at * 1000);
    const long = JSON.stringify({ GMT_UNIX: at - 1, Soc1: 10, note: '' }).replace(
      '""',
      `"${'x'.repeat(1024 * 1024 - 50)}"`,
    );
    await fleet.put(now, 'snapshot.json', long);
    expect((await quarantinedOf(now)).map(({ bytes }) => bytes)).toEqual([long.length]);
    await fleet.portal.pool.query(
      `insert into quarantine (logger_serial, key, reason, size) select $1, n::text, '[]', 0 from generate_series(1, 99) as n`,
      [now.loggerSerial],
    );
    await fleet.snapshot(now, { GMT_UNIX: at - 2, Soc1: 10 });
    const rows = await quarantinedOf(now);
    expect([rows.length, rows.filter(({ count }) => count).map(({ from }) => from)]).toEqual([
      100,
      [new Date((at - 2) * 1000)],
    ]);
  });
});
