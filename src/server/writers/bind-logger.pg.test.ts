import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const writers = async (serial: string): Promise<number> =>
  (
    await a.portal.pool.query(
      'select count(*)::int as n from writer w join stream s on s.id = w.stream_id where s.serial = $1',
      [serial],
    )
  ).rows[0].n;
const dbc = async (serial: string) => (await a.call(`GET /api/machine/dbc/${serial}`)).json;
const release = (serial: string) => a.call('POST /api/machine/writer/release', { body: { serial } });

describe('binding a logger', () => {
  test('binding a logger is idempotent, also for simultaneous requests (MEDIT-05)', async () => {
    await a.create('B-1');
    const { influx_serial } = validMachineForm('B-1');
    const answers = await Promise.all(Array.from({ length: 5 }, () => a.bind('B-1', influx_serial)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await writers('B-1')).toBe(1);
    expect(
      (await a.audited()).filter(({ action, subject }) => action === 'writer.create' && subject === 'B-1'),
    ).toHaveLength(1);
  });

  test('when two machines get the same logger at the same time, it is bound to one of them (MEDIT-05)', async () => {
    await Promise.all([a.create('B-2'), a.create('B-3')]);
    const answers = await Promise.all([a.bind('B-2', '4444444'), a.bind('B-3', '4444444')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('binding a logger that reports for another machine is rejected, and the message names that machine (API-03)', async () => {
    await a.machine('B-4');
    await a.create('B-5');
    const answer = await a.bind('B-5', validMachineForm('B-4').influx_serial);
    expect([answer.status, answer.message]).toEqual([
      409,
      `Logger ${validMachineForm('B-4').influx_serial} hoort bij machine B-4. Koppel hem daar eerst los.`,
    ]);
    expect((await release('B-4')).status).toBe(200);
    expect((await a.bind('B-5', validMachineForm('B-4').influx_serial)).status).toBe(200);
    const again = await release('B-4');
    expect([again.status, again.message]).toEqual([409, 'Koppel eerst een logger.']);
  });

  test.each([
    ['geen', '1234567', 404],
    ['', '1234567', 404],
    ['a\u0000b', '1234567', 400],
    ['B-1', '123456', 400],
    ['B-1', '12345678', 400],
    ['B-1', '٠٠٠٢٤٧١', 400],
  ])('binding machine %j to logger %j returns %d (API-03)', async (serial, logger, status) => {
    expect((await a.bind(serial, logger)).status).toBe(status);
  });

  test('the data definition of a reference machine is copied, not shared, whether its serial number, its name, or its brand and name are given (MEDIT-12)', async () => {
    await a.machine('B-6', { alias: 'Voorbeeld' });
    const original = (await a.upload('B-6', BATTERY_DBC)).json;
    for (const [serial, reference] of [
      ['B-7', 'B-6'],
      ['B-8', 'Voorbeeld'],
      ['B-9', 'Volta Voorbeeld'],
    ] as const) {
      await a.create(serial);
      expect((await a.bind(serial, validMachineForm(serial).influx_serial, reference)).status).toBe(200);
      const copy = await dbc(serial);
      expect({ ...copy, version: 0 }).toEqual({ ...original, version: 0 });
      expect(copy.version).not.toBe(original.version);
      expect((await a.details(serial)).json.dbc_machine).toBe('B-6');
    }
    await a.call('POST /api/machine/dbc/delete', { body: { serial: 'B-6' } });
    expect((await dbc('B-7')).buses).toHaveLength(1);
    expect((await dbc('B-6')).buses).toHaveLength(0);
  });

  test('a reference machine that is unknown, or whose name fits two machines, is rejected (MEDIT-12)', async () => {
    await a.create('B-10', { alias: 'Tweeling' });
    await a.create('B-11', { alias: 'Tweeling' });
    await a.create('B-12');
    const unknown = await a.bind('B-12', validMachineForm('B-12').influx_serial, 'Onbekend');
    expect([unknown.status, unknown.message]).toEqual([
      400,
      "Vergelijkbare machine 'Onbekend' bestaat niet.",
    ]);
    const two = await a.bind('B-12', validMachineForm('B-12').influx_serial, 'Tweeling');
    expect([two.status, two.message]).toEqual([
      400,
      "Meer machines heten 'Tweeling'. Geef het serienummer van de vergelijkbare machine.",
    ]);
    expect(await writers('B-12')).toBe(0);
  });

  test('a machine whose creation was interrupted after its record was stored gets the data definition of the reference machine in its form (MEDIT-05)', async () => {
    await a.machine('B-13');
    await a.upload('B-13', BATTERY_DBC);
    await a.create('B-14', { dbc_machine: 'B-13' });
    await a.bind('B-14', validMachineForm('B-14').influx_serial);
    expect((await dbc('B-14')).buses).toHaveLength(1);
  });

  test('a machine keeps its own data definition if it gets another logger and its form names no reference machine or the machine itself (MEDIT-12)', async () => {
    await a.machine('B-15');
    await a.upload('B-15', BATTERY_DBC);
    await release('B-15');
    expect((await dbc('B-15')).buses).toHaveLength(1);
    expect((await a.bind('B-15', '5151515', 'B-15')).status).toBe(200);
    expect((await dbc('B-15')).buses).toHaveLength(1);
  });

  test('a ReXgen is bound to an LMB logger by its loggerid, as to a machine (LOG-02)', async () => {
    const organization = await a.portal.organization('spoor', { isLmbCustomer: true });
    await a.portal.pool.query(
      `with s as (insert into stream (kind, serial, alias) values ('logger', 'LMB-1', 'Kar') returning id),
         l as (insert into latest (stream_id) select id from s)
       insert into ownership (stream_id, organization_id) select id, $1 from s`,
      [organization],
    );
    expect((await a.bind('LMB-1', '7770001')).status).toBe(200);
    expect((await a.upload('LMB-1', BATTERY_DBC)).status).toBe(200);
    const config = await a.call('GET /api/machine/config/create', { query: { serienummer: 'LMB-1' } });
    expect(config.status).toBe(200);
    await a.create('B-16');
    expect((await a.bind('B-16', '7770001')).message).toBe(
      'Logger 7770001 hoort bij LMB logger LMB-1. Koppel hem daar eerst los.',
    );
    expect((await a.details('LMB-1')).status).toBe(404);
  });
});
