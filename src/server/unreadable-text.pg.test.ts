import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test.each([
  ['a body', { method: 'POST', url: '/api/auth/login', payload: { email: 'a\0@b.nl', password: 'x' } }],
  ['a query', { method: 'GET', url: '/api/machine/get/serial?serialNumber=a%00b' }],
  ['a list in a body', { method: 'POST', url: '/api/machine/dbc/mapping', payload: mapping('a\0') }],
] as const)('NUL in %s gets 400, not 500 (API-03)', async (_, request) => {
  await portal.user(`nul-${Math.random()}@admin.nl`, await adminId());
  const { rows } = await portal.pool.query(`select email from account order by id desc limit 1`);
  const cookie = await portal.login(rows[0]?.email);
  const answer = await portal.app.inject({ ...request, headers: { cookie } });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid']);
});

function mapping(signal: string) {
  return { serial: 'x', mapping: { signals: [{ signal, to: 'Soc1' }], keep: [] } };
}

async function adminId(): Promise<number> {
  const { rows } = await portal.pool.query(
    `insert into organization (name, clean, code) values ('admin', 'Beheer', 'x')
     on conflict (name) do update set clean = 'Beheer' returning id`,
  );
  return rows[0]?.id;
}
