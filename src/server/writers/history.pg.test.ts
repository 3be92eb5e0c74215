import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import type { TestLogger } from '#server/test/portal.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const release = (serial: string) => a.call('POST /api/machine/writer/release', { body: { serial } });
const seconds = () => Math.floor(a.fleet.clock / 1000);

describe('history (INGEST-06)', () => {
  const keyed = async (serial: string): Promise<TestLogger> => {
    await a.upload(serial, BATTERY_DBC);
    await a.call('GET /api/machine/config/create', { query: { serienummer: serial } });
    return a.loggerOf(serial);
  };

  test('history stays with the machine that a logger left, also for readings of that time that arrive later (INGEST-06)', async () => {
    await a.machine('H-1');
    const first = await keyed('H-1');
    const before = seconds();
    await a.fleet.snapshot(first, { GMT_UNIX: before, Soc1: 10 });
    a.fleet.clock += 60_000;
    await release('H-1');
    a.fleet.clock += 60_000;
    const between = seconds();
    await a.machine('H-2', { influx_serial: first.loggerSerial });
    a.fleet.clock += 60_000;
    const second = await keyed('H-2');
    await a.portal.untilNotified();
    expect(await a.fleet.putStatus(first, 'snapshot.json', '{}')).toBe(403);
    // The logger uploads buffered readings, signed with the new machine's key.
    await a.fleet.snapshot(second, { GMT_UNIX: before + 5, Soc1: 11 });
    await a.fleet.snapshot(second, { GMT_UNIX: between - 5, Soc1: 12 });
    await a.fleet.snapshot(second, { GMT_UNIX: seconds(), Soc1: 13 });
    expect(await a.fleet.readingsOf(first.streamId)).toBe(2);
    expect(await a.fleet.readingsOf(second.streamId)).toBe(1);
    expect(await a.fleet.quarantined(second)).toEqual([
      'De logger was op dat moment aan geen machine gekoppeld.',
    ]);
    expect((await a.fleet.live('H-1'))?.liveData).toMatchObject({ Soc1: 11 });
    expect((await a.fleet.live('H-2'))?.liveData).toMatchObject({ Soc1: 13 });
  });

  test('history stays with the organization that had the machine at that time (INGEST-06)', async () => {
    const buyer = await a.portal.organization('koper');
    await a.portal.user('koper@klant.nl', buyer);
    const cookie = await a.portal.login('koper@klant.nl');
    await a.machine('H-3');
    const logger = await keyed('H-3');
    const before = seconds();
    await a.fleet.snapshot(logger, { GMT_UNIX: before, LATITUDE: 52, LONGITUDE: 5, Soc1: 10 });
    a.fleet.clock += 60_000;
    const { influx_serial } = validMachineForm('H-3');
    expect((await a.sell('H-3', 'koper')).status).toBe(200);
    await a.fleet.snapshot(logger, { GMT_UNIX: before + 5, Soc1: 11 });
    const seen = async () => {
      a.fleet.clock += 1_100;
      return (await a.portal.get('/api/live', cookie)).json()['H-3']?.liveData;
    };
    await expect.poll(seen, { timeout: 6_000 }).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
    expect(await a.fleet.live('H-3')).toBeUndefined();
    expect((await a.details('H-3', cookie)).json).toMatchObject({
      organization: 'koper',
      loggerId: influx_serial,
    });
    expect((await a.details('H-3', a.fleet.cookie)).status).toBe(404);
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), Soc1: 12 });
    await expect.poll(seen, { timeout: 6_000 }).toMatchObject({ Soc1: 12 });
  });

  test('two sales, or two bindings of a logger, in one instant leave intervals that do not overlap (INGEST-06)', async () => {
    await a.machine('H-4');
    // The portal's clock moves by a millisecond at most here. Nevertheless each interval must begin after the previous one.
    for (const [from, bedrijf] of [
      ['klant', 'koper'],
      ['koper', 'klant'],
    ] as const) {
      expect((await a.sell('H-4', bedrijf, { from })).status).toBe(200);
      a.fleet.clock += 1;
    }
    for (let n = 0; n < 2; n++) {
      await release('H-4');
      expect((await a.bind('H-4', validMachineForm('H-4').influx_serial)).status).toBe(200);
    }
    for (const [table, whose] of [
      ['ownership', 'stream_id'],
      ['writer', 'logger_serial'],
    ]) {
      const { rows } = await a.portal.pool.query(
        `select count(*)::int as n from ${table} x join ${table} y on y.${whose} = x.${whose} and y.id > x.id
           and tstzrange(x.valid_from, x.valid_to) && tstzrange(y.valid_from, y.valid_to)`,
      );
      expect(rows[0].n).toBe(0);
    }
  });
});
