import { afterAll, beforeAll, expect, test } from 'vitest';
import { Administration } from '#server/machines/test/administration.ts';
import { lmbLoggersApi } from '#shared/contract/lmb-loggers.ts';

let a: Administration;
/** Cookies by who it is. */
let who: Record<string, string>;

beforeAll(async () => {
  a = await Administration.open();
  const { portal } = a;
  const spoor = await portal.organization('spoor', { isBerende: true });
  const rails = await portal.organization('rails', { isBerende: true });
  const closed = await portal.organization('gesloten', { isBerende: true });
  const people: [string, number][] = [
    ['user', a.fleet.organization],
    ['logger user', spoor],
    ['logger user of another organization', rails],
    ['user of a disabled organization', closed],
    ['deleted user', spoor],
  ];
  who = { nobody: '', administrator: a.admin };
  for (const [name, organization] of people) {
    const email = `${name.replaceAll(' ', '.')}@portaal.nl`;
    await portal.user(email, organization);
    who[name] = await portal.login(email);
  }
  await portal.pool.query('update organization set is_active = false where id = $1', [closed]);
  await portal.pool.query(`delete from account where email = 'deleted.user@portaal.nl'`);
  const make = (organization: string, loggerid: string, alias: string) =>
    a.call('GET /api/berend/new', { query: { organization, loggerid, alias } });
  await make('spoor', '7200001', 'Krol');
  await make('rails', '7200002', 'Krol');
  await a.machine('R-1');
});
afterAll(() => a.close());

const RANGE = { start: '2026-01-01T08:00:00Z', end: '2026-01-01T20:00:00Z' };
const GOOD: Record<string, { query?: Record<string, string> }> = {
  'GET /api/berend/get': {},
  'GET /api/berend/get/one': { query: { loggerid: '7200001' } },
  'GET /api/berend/get/data': { query: { loggerid: '7200001', ...RANGE } },
  'GET /api/berend/new': { query: { organization: 'spoor', loggerid: '7200009', alias: 'Negen' } },
  'DELETE /api/berend/delete': { query: { loggerid: '7200001' } },
};
const calls = Object.entries(lmbLoggersApi);

test('API-01 every call of the contract is tried here', () => {
  expect(Object.keys(GOOD).sort()).toEqual(calls.map(([key]) => key).sort());
});

test.each([
  ['nobody', 401, 401, 401],
  ['user', 403, 403, 403],
  ['logger user', 403, 200, 200],
  ['logger user of another organization', 403, 404, 200],
  ['user of a disabled organization', 401, 401, 401],
  ['deleted user', 401, 401, 401],
])(
  'API-02 APP-06 %s gets %d of what is an administrator’s, %d of a logger of spoor, %d of the list',
  async (name, admin, ofOne, ofList) => {
    const before = await a.audited();
    for (const [key, endpoint] of calls) {
      const answer = await a.call(key, { ...GOOD[key], as: who[name] as string });
      const expected = endpoint.access === 'admin' ? admin : key === 'GET /api/berend/get' ? ofList : ofOne;
      expect([key, answer.status]).toEqual([key, expected]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect(await a.audited()).toEqual(before);
  },
);

test('API-02 LOG-01 the list is of the own organization, an administrator’s of all', async () => {
  const list = async (name: string) =>
    (await a.call('GET /api/berend/get', { as: who[name] as string })).json.map(
      ({ loggerid }: { loggerid: string }) => loggerid,
    );
  expect(await list('logger user')).toEqual(['7200001']);
  expect(await list('logger user of another organization')).toEqual(['7200002']);
  expect(await list('administrator')).toEqual(['7200002', '7200001']);
});

test('API-02 API-03 another organization’s logger looks exactly like an unknown one, by id and by name', async () => {
  const as = who['logger user of another organization'] as string;
  for (const key of ['GET /api/berend/get/one', 'GET /api/berend/get/data']) {
    const [foreign, unknown] = await Promise.all(
      ['7200001', '7299999'].map((loggerid) => a.call(key, { as, query: { loggerid, ...RANGE } })),
    );
    expect([key, unknown?.status]).toEqual([key, 404]);
    expect(foreign?.text).toBe(unknown?.text);
  }
  const named = await a.call('GET /api/berend/get/one', { as, query: { alias: 'Krol' } });
  expect(named.json.loggerid).toBe('7200002');
  const other = await a.call('GET /api/berend/get/one', {
    as,
    query: { alias: 'Krol', organization: 'spoor' },
  });
  expect(other.status).toBe(404);
});

test('API-02 APP-06 a logger user gets no machine, and a machine user no logger', async () => {
  const asLogger = who['logger user'] as string;
  const asUser = who.user as string;
  for (const path of ['gps', 'driverhours', 'workpower', 'day'])
    expect((await a.call(`GET /api/influx/${path}/R-1`, { as: asLogger, query: RANGE })).status).toBe(404);
  expect(
    (await a.call('GET /api/machine/get/serial', { as: asLogger, query: { serialNumber: 'R-1' } })).status,
  ).toBe(403);
  const back = (id: string, as: string) =>
    a.call(`GET /api/influx/powerback/${id}`, { as, query: { start: RANGE.start } });
  expect((await back('R-1', asLogger)).status).toBe(404);
  expect((await back('7200001', asUser)).status).toBe(404);
  expect([(await back('7200001', asLogger)).status, (await back('R-1', asUser)).status]).toEqual([200, 200]);
});

test('API-02 after a move the logger is the new organization’s alone', async () => {
  await a.call('GET /api/berend/new', {
    query: { organization: 'spoor', loggerid: '7200003', alias: 'Reist' },
  });
  await a.portal.pool.query(
    `update ownership set organization_id = (select id from organization where name = 'rails')
     where stream_id = (select id from stream where serial = '7200003')`,
  );
  const as = (name: string) => ({ as: who[name] as string, query: { alias: 'Reist' } });
  expect((await a.call('GET /api/berend/get/one', as('logger user'))).status).toBe(404);
  expect((await a.call('GET /api/berend/get/one', as('logger user of another organization'))).status).toBe(
    200,
  );
});
