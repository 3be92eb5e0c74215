import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
/** Cookies by name of the user. */
let who: Record<string, string>;

beforeAll(async () => {
  a = await AdminTestPortal.open();
  const { portal } = a;
  who = { administrator: a.admin };
  for (const [name, organization] of [
    ['logger user', 'spoor'],
    ['logger user of another organization', 'rails'],
  ] as const) {
    await portal.user(
      `a@${organization}.nl`,
      await portal.organization(organization, { isLmbCustomer: true }),
    );
    who[name] = await portal.login(`a@${organization}.nl`);
  }
  const make = (organization: string, loggerid: string, alias: string) =>
    a.call('GET /api/berend/new', { query: { organization, loggerid, alias } });
  await make('spoor', '7200001', 'Krol');
  await make('rails', '7200002', 'Krol');
});
afterAll(() => a.close());

const RANGE = { start: '2026-01-01T08:00:00Z', end: '2026-01-01T20:00:00Z' };
test('the list of LMB loggers has those of the user’s organization, and for an administrator those of all (API-02, LOG-01)', async () => {
  const list = async (name: string) =>
    (await a.call('GET /api/berend/get', { as: who[name] as string })).json.map(
      ({ loggerid }: { loggerid: string }) => loggerid,
    );
  expect(await list('logger user')).toEqual(['7200001']);
  expect(await list('logger user of another organization')).toEqual(['7200002']);
  expect(await list('administrator')).toEqual(['7200002', '7200001']);
});

test('a call about another organization’s LMB logger gets the same answer as about an unknown one, by id and by name (API-02, API-03)', async () => {
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
