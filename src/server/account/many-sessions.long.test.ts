import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test('ten thousand sessions of one account do not slow the portal down (13.6j)', async () => {
  const email = 'velen@klant.nl';
  const klant = await portal.organization('klant');
  await portal.user(email, klant);
  const cookie = await portal.login(email);
  await portal.pool.query(
    `insert into session (token_hash, account_id, expires_at, user_agent)
     select sha256(n::text::bytea), a.id, now() + interval '1 day', 'curl/8.5.0' from account a, generate_series(1, 10000) n
     where a.email = $1`,
    [email],
  );
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const since = performance.now();
    return [await work(), performance.now() - since];
  };
  const sessionsSeen = async () => (await portal.get('/api/account/sessions', cookie)).json();
  const [list, listMs] = await timed(sessionsSeen);
  expect([list.total, list.sessions.length, list.sessions[0].isOwn]).toEqual([10_001, 51, true]);
  expect(listMs).toBeLessThan(1_000);
  await portal.user('buur@klant.nl', klant);
  const [, signInMs] = await timed(() => portal.login('buur@klant.nl'));
  expect(signInMs).toBeLessThan(1_000);
  expect((await portal.get('/api/account/data', cookie)).json().sessies).toHaveLength(10_001);

  // Recording the use of all these sessions takes a few statements, and blocks no other request.
  const { sessions } = portal.portal;
  const tokens = Array.from({ length: 10_000 }, (_, n) => String(n + 1));
  await portal.pool.query(
    `update session set last_used_at = now() - interval '1 hour' where user_agent = 'curl/8.5.0'`,
  );
  const visitor = { address: '203.0.113.1', userAgent: 'curl/8.5.0' };
  for (let from = 0; from < tokens.length; from += 100)
    await Promise.all(tokens.slice(from, from + 100).map((token) => sessions.find(token, visitor)));
  const unwritten = async () =>
    (
      await portal.pool.query(
        `select count(*)::int as n from session where user_agent = 'curl/8.5.0' and last_used_at < now() - interval '30 minutes'`,
      )
    ).rows[0].n;
  await expect.poll(unwritten, { timeout: 10_000 }).toBe(0);

  const [ended, endMs] = await timed(() =>
    portal.app.inject({ method: 'POST', url: '/api/account/sessions/end-others', headers: { cookie } }),
  );
  expect(ended.statusCode).toBe(200);
  expect(endMs).toBeLessThan(2_000);
  expect((await sessionsSeen()).total).toBe(1);
});
