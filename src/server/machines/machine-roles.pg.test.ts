import { afterAll, beforeAll, expect, test } from 'vitest';
import { machinesApi } from '#shared/contract/machines.ts';
import { writersApi } from '#shared/contract/writers.ts';
import { Administration, formOf } from './test/administration.ts';

let a: Administration;
/** Cookies by who it is. */
let who: Record<string, string>;

beforeAll(async () => {
  a = await Administration.open();
  const { portal } = a;
  const other = await portal.organization('ander');
  const spoor = await portal.organization('spoor', { isBerende: true });
  const closed = await portal.organization('gesloten');
  const people: [string, number][] = [
    ['user', a.fleet.organization],
    ['logger user', spoor],
    ['user of another organization', other],
    ['user of a disabled organization', closed],
    ['deleted user', a.fleet.organization],
  ];
  who = { nobody: '', administrator: a.admin };
  for (const [name, organization] of people) {
    const email = `${name.replaceAll(' ', '.')}@portaal.nl`;
    await portal.user(email, organization);
    who[name] = await portal.login(email);
  }
  await portal.pool.query('update organization set is_active = false where id = $1', [closed]);
  await portal.pool.query(`delete from account where email = 'deleted.user@portaal.nl'`);
  await a.machine('R-1', { hulpstukken: '[{"naam":"Bak","nummer":1}]', alias: 'Rups' });
  await a.create('R-2', { bedrijf: 'ander', dbc_machine: 'R-1', alias: 'Rups' });
});
afterAll(() => a.close());

const GOOD: Record<string, { query?: Record<string, string>; body?: unknown }> = {
  'GET /api/machine/create': { query: formOf('R-NEW') },
  'GET /api/machine/edit': { query: formOf('R-1') },
  'DELETE /api/machine/delete': { query: { machine_serial: 'R-1' } },
  'GET /api/machine/get': { query: { merk: 'R-1' } },
  'GET /api/machine/get/serial': { query: { serialNumber: 'R-1' } },
  'GET /api/machine/get/all': {},
  'GET /api/machine/get/deleted': {},
  'POST /api/machine/restore': { body: { _id: 1 } },
  'GET /api/machine/writer/create': { query: { serienummer: 'R-1', influxserienummer: '4999999' } },
  'POST /api/machine/writer/release': { body: { serial: 'R-1' } },
  'POST /api/machine/writer/key': { body: { serial: 'R-1' } },
  'GET /api/machine/writer/health/:serial': {},
  'GET /api/machine/writer/unknown': {},
  'POST /api/machine/writer/network': { body: { serial: 'R-1', kind: 'mobile' } },
  'GET /api/machine/config/create': { query: { serienummer: 'R-1' } },
  'GET /api/machine/config/download': { query: { serienummer: 'R-1' } },
  'POST /api/machine/dbc/upload': { body: { serial: 'R-1', name: 'a.dbc', file: 'data:;base64,QQ==' } },
  'GET /api/machine/dbc/:serial': {},
  'POST /api/machine/dbc/mapping': { body: { serial: 'R-1', mapping: { signals: [], keep: [] } } },
  'POST /api/machine/dbc/delete': { body: { serial: 'R-1' } },
};
const calls = Object.entries({ ...machinesApi, ...writersApi });

test('API-01 every call of the contract is tried here', () => {
  expect(Object.keys(GOOD).sort()).toEqual(calls.map(([key]) => key).sort());
});

test.each([
  ['nobody', 401, 401],
  ['user', 403, 200],
  ['logger user', 403, 403],
  ['user of another organization', 403, 404],
  ['user of a disabled organization', 401, 401],
  ['deleted user', 401, 401],
])('API-02 %s gets %d of what is an administrator’s, %d of a machine of klant', async (name, admin, user) => {
  const before = await a.audited();
  for (const [key, endpoint] of calls) {
    const answer = await a.call(key.replace(':serial', 'R-1'), { ...GOOD[key], as: who[name] as string });
    const ofOne = 'query' in endpoint && key !== 'GET /api/machine/get/all';
    const expected = endpoint.access === 'admin' ? admin : user === 404 && !ofOne ? 200 : user;
    expect([key, answer.status]).toEqual([key, expected]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
  expect(await a.audited()).toEqual(before);
});

test('API-02 API-03 another organization’s machine looks exactly like an unknown one', async () => {
  const as = who['user of another organization'] as string;
  const unknown = await a.details('R-0', as);
  expect(unknown).toMatchObject({ status: 404, message: 'Deze machine bestaat niet.' });
  expect((await a.details('R-1', as)).text).toBe(unknown.text);
  const merk = (text: string, cookie = as) =>
    a.call('GET /api/machine/get', { as: cookie, query: { merk: text } });
  expect((await merk('R-1')).text).toBe((await merk('R-0')).text);
  // Both organizations have a machine of that name: each finds its own.
  expect((await merk('Rups')).json).toEqual({ hulpstukken: [] });
  expect((await merk('Volta Rups', who.user)).json).toEqual({ hulpstukken: [{ naam: 'Bak', nummer: 1 }] });
  const both = await merk('Rups', a.admin);
  expect([both.status, both.message]).toEqual([400, "Meer machines heten 'Rups'. Geef het serienummer."]);
  expect((await merk('a\u0000b')).status).toBe(400);
});

test('MLIST-01 API-02 the list is of the own organization, an administrator’s of all', async () => {
  const list = async (name: string) =>
    (await a.call('GET /api/machine/get/all', { as: who[name] as string })).json.map(
      ({ serialNumber }: { serialNumber: string }) => serialNumber,
    );
  expect(await list('user')).toEqual(['R-1']);
  expect(await list('user of another organization')).toEqual(['R-2']);
  expect(await list('administrator')).toEqual(['R-1', 'R-2']);
});

test('API-02 a reference machine of another organization is not named to a user', async () => {
  expect((await a.details('R-2', who['user of another organization'])).json.dbc_machine).toBe('');
  expect((await a.details('R-2')).json.dbc_machine).toBe('R-1');
});
