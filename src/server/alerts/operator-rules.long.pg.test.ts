import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAdministrator } from '#server/auth/first-start.ts';
import type { Pool } from '#server/platform/database.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { addFirstOperatorRules } from './operator-rules.ts';

const rulesIn = async (pool: Pool) => {
  const { rows } = await pool.query(
    `select kind, severity, roles, is_on from alert_rule r
       join organization o on o.id = r.organization_id and o.name = 'admin' order by kind`,
  );
  return rows;
};

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());
const start = () =>
  ensureAdministrator(
    portal.pool,
    { DATA_DIR: portal.portal.config.DATA_DIR, ADMIN_PASSWORD: 'een lang wachtwoord' },
    addFirstOperatorRules,
  );

test('a new portal gets four active rules, each with a row in the log, and a deleted rule stays deleted (55.30)', async () => {
  await start();
  expect(
    (await rulesIn(portal.pool)).map(({ kind, severity, roles, isOn }) => [kind, severity, roles, isOn]),
  ).toEqual([
    ['backup-old', 'urgent', ['administrator'], true],
    ['disk', 'urgent', ['administrator'], true],
    ['mail-failing', 'notice', ['administrator'], true],
    ['unknown-logger', 'notice', ['administrator'], true],
  ]);
  const { rowCount } = await portal.pool.query(
    `select from audit where action = 'alert-rule.create' and actor = 'first start'`,
  );
  expect(rowCount).toBe(4);
  await portal.pool.query(`delete from alert_rule where kind = 'disk'`);
  await start();
  expect((await rulesIn(portal.pool)).map(({ kind }) => kind)).toEqual([
    'backup-old',
    'mail-failing',
    'unknown-logger',
  ]);
});
