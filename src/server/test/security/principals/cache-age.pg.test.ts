import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CACHE_MAX_AGE_MS } from '#server/platform/changes.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let neighbour: string;
beforeAll(async () => {
  portal = await testPortal();
  const buren = await portal.organization('buren');
  await portal.machine(buren, { serial: 'BUREN-1' });
  await portal.user('iemand@buren.nl', buren);
  neighbour = await portal.login('iemand@buren.nl');
});
afterAll(() => portal.close());

/** GET /api/live over the line, where what is known is answered in front of Fastify. */
const live = (cookie: string): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    get(`${portal.address}/api/live`, { headers: { cookie } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, body }));
    }).once('error', reject);
  });

/** What a trigger would do, tell every process and end the sessions, is not done. */
async function silently(sql: string): Promise<void> {
  // What goes with an account tells too.
  const tables = ['organization', 'account', 'session', 'factor'];
  const each = (what: string) => tables.map((name) => `alter table ${name} ${what} trigger user;`).join('');
  await portal.pool.query(`begin; ${each('disable')} ${sql}; ${each('enable')} commit`);
}

test('AUTH-10 a session that was in use ends within 5 s also when no process is told, on every way in', async () => {
  const ends = [
    ['dicht', `update organization set is_active = false where name = 'dicht'`],
    ['weg', `delete from account where email = 'iemand@weg.nl'`],
  ] as const;
  for (const [name] of ends) await portal.user(`iemand@${name}.nl`, await portal.organization(name));
  const ways = {
    'to the route': async (cookie: string) => (await portal.get('/api/live', cookie)).statusCode,
    async 'in front of it'(cookie: string) {
      // Others keep the answers fresh that are given at once.
      await live(neighbour);
      return (await live(cookie)).status;
    },
  };
  const asked: (() => Promise<number | undefined>)[] = [];
  for (const way of Object.values(ways))
    for (const [name] of ends) {
      // A session of its own: what one way finds out, the other would know.
      const cookie = await portal.login(`iemand@${name}.nl`);
      asked.push(() => way(cookie));
    }
  // Whoever begins to listen forgets everything once.
  const listening = `select 1 from pg_stat_activity where datname = current_database() and query = 'listen werkstroom'`;
  await expect.poll(async () => (await portal.pool.query(listening)).rowCount, { timeout: 5_000 }).toBe(1);
  await new Promise((told) => setTimeout(told, 200));
  expect(await Promise.all(asked.map((ask) => ask()))).toEqual([200, 200, 200, 200]);
  for (const [, sql] of ends) await silently(sql);
  const since = Date.now();
  const lived = await Promise.all(
    asked.map(async (ask) => {
      for (let asking = since, last = since; ; last = asking) {
        asking = Date.now();
        if ((await ask()) === 401 || asking - since > 2 * CACHE_MAX_AGE_MS) return last - since;
        await new Promise((again) => setTimeout(again, 50));
      }
    }),
  );
  // Each was remembered, or nothing is shown; and none for longer.
  expect(Math.min(...lived)).toBeGreaterThan(CACHE_MAX_AGE_MS / 10);
  expect(Math.max(...lived)).toBeLessThan(CACHE_MAX_AGE_MS + 500);
});

test('API-02 LIVE-01 what is known for an administrator is not given to others', async () => {
  await portal.user('beheer@portaal.nl', await portal.organization('admin'));
  await portal.user('iemand@anders.nl', await portal.organization('anders'));
  const admin = await portal.login('beheer@portaal.nl');
  const other = await portal.login('iemand@anders.nl');
  for (let round = 0; round < 3; round++) {
    expect((await live(admin)).body).toContain('BUREN-1');
    expect(await live(other)).toEqual({ status: 200, body: '{}' });
    expect((await live(neighbour)).body).toContain('BUREN-1');
  }
});
