import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, validMachineForm } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('spoor', { isLmbCustomer: true });
});
afterAll(() => a.close());

const makeLmb = (loggerid: string, alias: string) =>
  a.call('GET /api/berend/new', { query: { organization: 'spoor', loggerid, alias } });
const serials = async (): Promise<string[]> =>
  (
    await a.portal.pool.query(
      `select serial from stream where deleted_at is null and lower(serial) like 'één-%' order by created_at`,
    )
  ).rows.map(({ serial }) => serial);

test('a serial number is unique regardless of letter case, is found in upper or lower case, and is shown as it was entered (MEDIT-06, 12.C7)', async () => {
  await a.machine('Één-1', { alias: 'Rups' });
  const again = await a.create('éÉN-1');
  expect([again.status, again.message]).toEqual([409, 'Er bestaat al een machine met dit serienummer.']);
  expect((await makeLmb('ÉÉN-1', 'Kar')).status).toBe(409);
  const both = await Promise.all([a.create('ÉÉN-2'), a.create('één-2'), a.create('Één-2')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await a.details('één-1')).json).toMatchObject({ serialNumber: 'Één-1', alias: 'Rups' });
  expect((await a.call('GET /api/influx/driverhours/één-1')).status).toBe(200);
  expect((await a.call('GET /api/machine/writer/health/één-1')).json.chain.writer).toBe(true);
  expect((await a.call('GET /api/machine/get', { query: { merk: 'één-1' } })).status).toBe(200);
  // An edit finds the machine by `current_serial` in upper or lower case, and may change nothing but the case of the serial number.
  const { influx_serial } = validMachineForm('Één-1');
  expect(
    (await a.edit('ÉÉN-1', { current_serial: 'één-1', influx_serial, alias: 'Rups' })).json,
  ).toMatchObject({
    serialNumber: 'ÉÉN-1',
  });
  const taken = await a.edit('één-1', { current_serial: (await serials()).at(-1) as string });
  expect([taken.status, taken.message]).toEqual([409, 'Er bestaat al een machine met dit serienummer.']);
  expect((await a.create('Ander-1', { dbc_machine: 'één-1' })).status).toBe(200);
  expect((await a.details('ander-1')).json.dbc_machine).toBe('ÉÉN-1');
  const wrong = await a.call('DELETE /api/machine/delete', {
    query: { machine_serial: 'één-1', alias: 'Ander' },
  });
  expect(wrong.status).toBe(400);
  expect(
    (await a.call('DELETE /api/machine/delete', { query: { machine_serial: 'één-1', alias: 'RUPS' } }))
      .status,
  ).toBe(200);
  expect((await a.create('één-1')).status).toBe(200);
  const [deleted] = (await a.call('GET /api/machine/get/deleted')).json;
  expect(deleted).toMatchObject({
    serialNumber: 'ÉÉN-1',
    obstacle: expect.stringContaining('van een andere machine'),
  });
});

test('two machine names that differ only in case are distinguished, and a name that exists once is found in upper or lower case (MEDIT-02, 12.C7)', async () => {
  await a.create('NM-1', { brand: 'Volta', alias: 'Kraan' });
  expect((await a.create('NM-3', { dbc_machine: 'volta kraan' })).status).toBe(200);
  await a.create('NM-2', { brand: 'Volta', alias: 'KRAAN' });
  expect((await a.create('NM-4', { dbc_machine: 'Volta KRAAN' })).status).toBe(200);
  expect((await a.details('NM-4')).json.dbc_machine).toBe('NM-2');
  expect((await a.create('NM-5', { dbc_machine: 'volta kraan' })).message).toMatch(/^Meer machines heten/);
});

test('the loggerid and name of an LMB logger are case-insensitive (LOG-02, 12.C7)', async () => {
  await makeLmb('Kar-A', 'Krol É');
  expect((await makeLmb('kar-a', 'Anders')).status).toBe(409);
  expect((await makeLmb('Kar-B', 'KROL é')).status).toBe(409);
  const one = (query: Record<string, string>) => a.call('GET /api/berend/get/one', { query });
  for (const query of [{ loggerid: 'KAR-a' }, { alias: 'krol é' }])
    expect((await one(query)).json).toMatchObject({ loggerid: 'Kar-A', alias: 'Krol É' });
  const range = { start: '-1h', end: new Date(a.fleet.clock).toISOString() };
  expect((await a.call('GET /api/berend/get/data', { query: { loggerid: 'kar-a', ...range } })).status).toBe(
    200,
  );
  expect((await a.call('DELETE /api/berend/delete', { query: { loggerid: 'kar-a' } })).status).toBe(200);
});
