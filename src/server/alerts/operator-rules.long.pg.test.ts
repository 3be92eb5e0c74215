import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAdministrator } from '#server/auth/first-start.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { addFirstOperatorRules } from './operator-rules.ts';

const THIS = '0065-operator-rules.sql';

const rulesIn = async (pool: Pool) => {
  const { rows } = await pool.query(
    `select r.name, kind, settings, hours, machines, severity, accounts, roles, tells_end, is_on, account_id
     from alert_rule r join organization o on o.id = r.organization_id and o.name = 'admin' order by kind`,
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
    (await rulesIn(portal.pool)).map(({ kind, severity, roles, is_on }) => [kind, severity, roles, is_on]),
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

test.each([
  ['without any rule gets four', '', 4],
  [
    'with a rule that is off keeps that one',
    `insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, tells_end, is_on, valid_from)
       select id, 'Schijf', 'disk', '{"threshold": 5, "clear": 6}', 'always', 'all', 'notice', false, false, now()
       from organization where name = 'admin'`,
    1,
  ],
  [
    'where an administrator deleted the rules keeps none',
    `insert into audit (actor, action, kind, subject, organization_id)
       select 'x', 'alert-rule.delete', 'organization', 'Schijf', id from organization where name = 'admin'`,
    0,
  ],
])('after the migration an existing portal %s (55.30)', async (_, before, count) => {
  const database: TestDatabase = await testDatabase({ bare: true });
  const { pool } = database;
  const earlier = (await readMigrations(SCHEMA.migrations)).filter((name) => name < THIS);
  await inTransaction(pool, (client) => migrateTo(client, SCHEMA.migrations, earlier));
  await pool.query(`insert into organization (name, clean, code) values ('admin', 'Beheer', 'x'), ('klant', 'Klant', 'y');
      insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, tells_end, is_on, valid_from)
        select id, 'Laag', 'low', '{}', 'always', 'all', 'notice', false, true, now() from organization where name = 'klant';
      ${before}`);
  const kept = await rulesIn(pool);
  await migrate(pool, SCHEMA);
  const rules = await rulesIn(pool);
  expect(rules).toHaveLength(count);
  if (count !== 4) expect(rules).toEqual(kept);
  else {
    await pool.query('delete from alert_rule');
    await inTransaction(pool, async (client) => {
      const { rows } = await client.query(`select id from organization where name = 'admin'`);
      await addFirstOperatorRules(client, rows[0].id);
    });
    expect(rules).toEqual(await rulesIn(pool));
  }
  await database.drop();
});
