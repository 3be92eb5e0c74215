import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { tableNames } from './principals/stored.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('anna@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('bert@klant.nl', a.fleet.organization);
  await a.machine('R-1');
});
afterAll(() => a.close());

/** Returns a checksum of the rows of every table. */
const sums = async (): Promise<Record<string, string>> => {
  const sumOf: Record<string, string> = {};
  for (const name of await tableNames(a.portal.pool)) {
    const { rows } = await a.portal.pool.query(
      `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from ${name} t`,
    );
    sumOf[name] = rows[0].sum;
  }
  return sumOf;
};

test.each<[string, { query?: Record<string, string>; body?: unknown }]>([
  ['GET /api/organization/create', { query: { name: 'half', clean: 'Half' } }],
  ['POST /api/user/role', { body: { email: 'bert@klant.nl', role: 'kijker' } }],
  ['DELETE /api/user/delete', { query: { email: 'bert@klant.nl' } }],
  ['DELETE /api/machine/delete', { query: { machine_serial: 'R-1' } }],
])(
  'the call %s changes nothing when its last statement, which writes the audit log, fails (API-03)',
  async (key, input) => {
    await a.portal.pool.query('alter table audit add constraint no_more check (id < 0) not valid');
    const before = await sums();
    expect((await a.call(key, input)).status).toBe(500);
    expect(await sums()).toEqual(before);
    await a.portal.pool.query('alter table audit drop constraint no_more');
    expect((await a.call(key, input)).status).toBe(200);
    expect(await sums()).not.toEqual(before);
  },
);
