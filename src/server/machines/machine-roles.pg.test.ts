import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from './test/administration.ts';

let a: AdminTestPortal;
/** Session cookies, by the name of the user. */
let who: Record<string, string>;

beforeAll(async () => {
  a = await AdminTestPortal.open();
  const { portal } = a;
  await portal.user('b@ander.nl', await portal.organization('ander'));
  who = {
    administrator: a.admin,
    user: a.fleet.cookie,
    'user of another organization': await portal.login('b@ander.nl'),
  };
  await a.machine('R-1', { hulpstukken: '[{"naam":"Bak","nummer":1}]', alias: 'Rups' });
  await a.create('R-2', { bedrijf: 'ander', dbc_machine: 'R-1', alias: 'Rups' });
});
afterAll(() => a.close());

test('a call about another organization’s machine gets the same answer as about an unknown one (API-02, API-03)', async () => {
  const as = who['user of another organization'] as string;
  const unknown = await a.details('R-0', as);
  expect(unknown).toMatchObject({ status: 404, message: 'Deze machine bestaat niet.' });
  expect((await a.details('R-1', as)).text).toBe(unknown.text);
  const merk = (text: string, cookie = as) =>
    a.call('GET /api/machine/get', { as: cookie, query: { merk: text } });
  expect((await merk('R-1')).text).toBe((await merk('R-0')).text);
  // Both organizations have a machine named 'Rups', and each user finds the machine of their organization.
  expect((await merk('Rups')).json).toEqual({ hulpstukken: [] });
  expect((await merk('Volta Rups', who.user)).json).toEqual({ hulpstukken: [{ naam: 'Bak', nummer: 1 }] });
  const both = await merk('Rups', a.admin);
  expect([both.status, both.message]).toEqual([400, "Meer machines heten 'Rups'. Geef het serienummer."]);
  expect((await merk('a\u0000b')).status).toBe(400);
});

test('the list has the machines of the user’s organization, and for an administrator those of all (MLIST-01, API-02)', async () => {
  const list = async (name: string) =>
    (await a.call('GET /api/machine/get/all', { as: who[name] as string })).json.map(
      ({ serialNumber }: { serialNumber: string }) => serialNumber,
    );
  expect(await list('user')).toEqual(['R-1']);
  expect(await list('user of another organization')).toEqual(['R-2']);
  expect(await list('administrator')).toEqual(['R-1', 'R-2']);
});

test('a reference machine of another organization is not named to a user (API-02)', async () => {
  expect((await a.details('R-2', who['user of another organization'])).json.dbc_machine).toBe('');
  expect((await a.details('R-2')).json.dbc_machine).toBe('R-1');
});
