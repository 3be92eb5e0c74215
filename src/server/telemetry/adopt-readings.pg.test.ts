import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import type { TestLogger } from '#server/test/portal.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { removeWriters } from '#server/writers/writers.store.ts';
import type { LoggerHealth, QuarantinedReadings } from '#shared/contract/writers.ts';
import { removeDeliveries } from './objects.store.ts';
import type { FleetLogger } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG, candumpLineAt } from './test/logs.ts';
import { storedRows } from './test/stored-rows.ts';

let a: AdminTestPortal;
let buyer: number;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  buyer = await a.portal.organization('koper');
});
afterAll(() => a.close());

const sql = (text: string, values: unknown[] = []) => a.portal.pool.query(text, values);
type Sold = { before: FleetLogger; now: TestLogger; serial: string };

/**
 * Returns a logger that was bound to a machine of `klant` until `at` (ms) and has been bound to `serial` of `koper`
 * since.
 */
async function soldLogger(at = a.fleet.clock - 600_000): Promise<Sold> {
  const before = await a.fleet.newLogger(CANDUMP_DEFINITION);
  const serial = `${before.serialNumber}-K`;
  const stream = await a.portal.machine(buyer, { serial });
  const now = await a.portal.logger(stream, before.loggerSerial, CANDUMP_DEFINITION, new Date(at));
  await a.portal.untilNotified();
  return { before, now, serial };
}
const quarantineOf = async (serial: string): Promise<LoggerHealth['quarantine']> =>
  (await a.call(`GET /api/machine/writer/health/${serial}`)).json.quarantine;
const quarantinedOf = async (serial: string): Promise<QuarantinedReadings | null | undefined> =>
  (await quarantineOf(serial))[0]?.held;
const adoptReadings = async (serial: string, id?: number) =>
  a.call('POST /api/machine/writer/take-over', {
    body: { serial, id: id ?? (await quarantineOf(serial))[0]?.id ?? 0 },
  });
const readingsOf = (streamId: number) => storedRows(a.portal.pool, streamId, ['time', 'soc1', 'rest']);
const audited = async (serial: string) =>
  (
    await sql(
      `select actor, data, aside from ${AUDIT_ROWS_SQL} where action = 'writer.take-over' and subject = $1 order by id`,
      [serial],
    )
  ).rows;

describe('adopting quarantined readings (12.B6)', () => {
  test('adopting moves a quarantined snapshot to the machine that had the logger at its time, and is audited (12.B6)', async () => {
    const { before, now, serial } = await soldLogger();
    const at = Math.floor(a.fleet.clock / 1000) - 700;
    await a.fleet.snapshot(now, { GMT_UNIX: at, Soc1: 10, Own: 3 });
    const time = new Date(at * 1000);
    expect(await quarantinedOf(serial)).toEqual({
      from: time.toISOString(),
      to: time.toISOString(),
      readings: 1,
      isGone: false,
      into: [{ serial: before.serialNumber, organization: 'klant BV', isDeleted: false }],
    });
    const [{ id } = { id: 0 }] = await quarantineOf(serial);
    expect(await adoptReadings(serial, id)).toMatchObject({ status: 200, message: '1 meting overgenomen.' });
    expect(await readingsOf(before.streamId)).toEqual([{ time, soc1: 10, rest: { Own: 3 } }]);
    expect([await readingsOf(now.streamId), await quarantineOf(serial)]).toEqual([[], []]);
    expect(await audited(serial)).toEqual([
      {
        actor: 'admin@portaal.nl',
        data: { logger: now.loggerSerial },
        aside: {
          key: `WS_SN${now.loggerSerial}/J1939Snapshot.json`,
          from: time.toISOString(),
          to: time.toISOString(),
          readings: 1,
          into: [before.serialNumber],
        },
      },
    ]);
    expect((await adoptReadings(serial, id)).status).toBe(404);
  });

  test('a snapshot with a GMT_UNIX that does not advance is adopted at the time that quarantine recorded (12.B6)', async () => {
    const { before, now, serial } = await soldLogger();
    const at = Math.floor(a.fleet.clock / 1000) - 900;
    for (let n = 0; n < 4; n++) await a.fleet.snapshot(now, { GMT_UNIX: at, RTC_UNIX: at + 10 + n, Soc1: n });
    for (const { id } of await quarantineOf(serial)) await adoptReadings(serial, id);
    expect((await readingsOf(before.streamId)).map(({ time }) => time.getTime() / 1000 - at)).toEqual([
      0, 12, 13,
    ]);
  });

  test('adopting stores the quarantined part of a log file for the machine that had the logger then, and can be repeated after an interruption (12.B6)', async () => {
    const { before, now, serial } = await soldLogger(Date.UTC(2026, 5, 1, 10, 0, 1));
    await a.fleet.put(now, `1/WS_${now.loggerSerial}_20260601_100000.log`, CANDUMP_LOG);
    const own = await readingsOf(now.streamId);
    await inEachShard(a.portal.pool, 'alter function telemetry.store_readings rename to store_elsewhere');
    try {
      expect((await adoptReadings(serial)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await inEachShard(a.portal.pool, 'alter function telemetry.store_elsewhere rename to store_readings');
    }
    expect([(await quarantinedOf(serial))?.readings, await audited(serial)]).toEqual([1, []]);
    expect(await adoptReadings(serial)).toMatchObject({ status: 200, message: '1 meting overgenomen.' });
    expect(await readingsOf(before.streamId)).toEqual([
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, rest: null },
    ]);
    expect([await readingsOf(now.streamId), await quarantineOf(serial)]).toEqual([own, []]);
  });

  test('adopting changes the outcome of a log file with quarantined readings to adopted (55.22)', async () => {
    const { now, serial } = await soldLogger();
    await a.fleet.put(now, 'a.log', candumpLineAt(Math.floor(a.fleet.clock / 1000) - 700));
    const held = '0 metingen; 2 metingen van voor deze koppeling';
    expect(await a.fleet.outcomes(now)).toEqual([`${held} (over te nemen bij Quarantaine)`]);
    await adoptReadings(serial);
    expect(await a.fleet.outcomes(now)).toEqual([`${held} (overgenomen)`]);
  });

  test('adopting is refused when the log file is no longer stored (12.B6)', async () => {
    const { before, now, serial } = await soldLogger(Date.UTC(2026, 5, 1, 10, 0, 1));
    await a.fleet.put(now, `1/WS_${now.loggerSerial}_20260601_100000.log`, CANDUMP_LOG);
    await sql('delete from object where logger_serial = $1', [now.loggerSerial]);
    expect((await quarantinedOf(serial))?.isGone).toBe(true);
    expect(await adoptReadings(serial)).toMatchObject({
      status: 409,
      message: 'Het logbestand is er niet meer: het is vervangen, of ouder dan 30 dagen.',
    });
    expect([await readingsOf(before.streamId), (await quarantineOf(serial)).length]).toEqual([[], 1]);
  });

  test('adopting is refused for readings of a machine that was permanently deleted (12.B6)', async () => {
    const { before, now, serial } = await soldLogger();
    const at = Math.floor(a.fleet.clock / 1000) - 700;
    await a.fleet.snapshot(now, { GMT_UNIX: at, Soc1: 10 });
    await removeDeliveries(a.portal.pool, await removeWriters(a.portal.pool, before.streamId));
    expect(await quarantineOf(serial)).toEqual([]);
  });

  test('adopting gets 404 for a delivery of another logger, a delivery without quarantined readings, and an unknown delivery (12.B6, API-03)', async () => {
    const one = await soldLogger();
    const other = await soldLogger();
    await a.fleet.snapshot(one.now, { GMT_UNIX: Math.floor(a.fleet.clock / 1000) - 700, Soc1: 10 });
    await a.fleet.put(other.now, 'snapshot.json', '{');
    const [theirs] = await quarantineOf(one.serial);
    const [unreadable] = await quarantineOf(other.serial);
    for (const id of [theirs?.id, unreadable?.id, 2 ** 40, -1])
      expect(await adoptReadings(other.serial, id)).toMatchObject({
        status: 404,
        message: 'Deze levering staat niet meer in quarantaine.',
      });
    expect((await adoptReadings('nergens', theirs?.id)).status).toBe(404);
    expect(unreadable?.held).toBeNull();
    expect((await quarantineOf(one.serial)).length).toBe(1);
  });
});
