import { afterAll, beforeAll, expect, test } from 'vitest';
import { CACHE_MAX_AGE_MS } from '#server/platform/changes.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

/** Runs a statement with the triggers disabled that notify every process and end sessions. */
async function silently(sql: string): Promise<void> {
  // Deleting an account deletes rows of these tables too, and their triggers also notify.
  const tables = ['organization', 'account', 'session', 'factor'];
  const each = (what: string) => tables.map((name) => `alter table ${name} ${what} trigger user;`).join('');
  await portal.pool.query(`begin; ${each('disable')} ${sql}; ${each('enable')} commit`);
}

test('a cached session is refused at most 5 s after its end, even if no process is notified of the end (AUTH-10)', async () => {
  const ends = [
    ['dicht', `update organization set is_active = false where name = 'dicht'`],
    ['weg', `delete from account where email = 'iemand@weg.nl'`],
  ] as const;
  for (const [name] of ends) await portal.user(`iemand@${name}.nl`, await portal.organization(name));
  const asked: (() => Promise<number>)[] = [];
  for (const [name] of ends) {
    const cookie = await portal.login(`iemand@${name}.nl`);
    asked.push(async () => (await portal.get('/api/live', cookie)).statusCode);
  }
  // Waits until the process listens for changes, because it empties its cache once when it begins to listen.
  const listening = `select 1 from pg_stat_activity where datname = current_database() and query = 'listen werkstroom'`;
  await expect.poll(async () => (await portal.pool.query(listening)).rowCount, { timeout: 5_000 }).toBe(1);
  await new Promise((done) => setTimeout(done, 200));
  expect(await Promise.all(asked.map((ask) => ask()))).toEqual([200, 200]);
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
  // The session was still accepted for a while after its end, so the answers came from the cache. Otherwise the test would prove nothing.
  expect(Math.min(...lived)).toBeGreaterThan(CACHE_MAX_AGE_MS / 10);
  expect(Math.max(...lived)).toBeLessThan(CACHE_MAX_AGE_MS + 500);
});
