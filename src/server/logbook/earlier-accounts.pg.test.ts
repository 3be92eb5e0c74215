import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import type { Scope } from '#shared/domain/access.ts';
import { readLog } from './logbook.store.ts';

const THIS = '0049-people-and-ids.sql';
/** Ids of organizations: 1 admin, 2 klant, 3 koper. Ids of accounts: 1 admin, 2 klant, 3 koper, 4 moved from klant to koper. */
const KLANT: Scope = { organizations: [2], actions: new Set(['see-log']) };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
  const before = (await readMigrations(SCHEMA.migrations)).filter((name) => name < THIS);
  await inTransaction(database.pool, (client) => migrateTo(client, SCHEMA.migrations, before));
  await database.pool.query(`
    insert into organization (name, clean, code) values ('admin', 'Beheer', 'x'), ('klant', 'Klant', 'y'), ('koper', 'Koper', 'z');
    insert into account (email, password_hash, organization_id, role) select name || '@huis.nl', '', id, 'gebruiker' from organization order by id;
    insert into account (email, password_hash, organization_id, role) values ('verhuisd@huis.nl', '', 3, 'gebruiker');
    insert into audit (at, actor_id, actor_organization_id, action, kind, subject, account_id, organization_id) values
      ('2026-07-01', 2, 2, 'invitation.create', 'account', '', 3, 2),
      ('2026-07-02', 2, 2, 'invitation.revoke', 'account', '', 3, 2),
      ('2026-07-03', 2, 2, 'user.refuse', 'account', '', 3, 2),
      ('2026-07-04', 1, 1, 'alert.take', 'account', '', 1, 2),
      ('2026-07-05', 2, 2, 'session.start', 'sign-in', '', 2, 2),
      ('2026-07-06', 1, 1, 'user.role', 'account', '', 4, 2),
      ('2026-07-07', 1, 1, 'user.leave', 'account', '', 4, 2),
      ('2026-07-08', 1, 1, 'user.delete', 'account', '', 99, 2)`);
  await database.pool.query(
    `insert into audit (at, actor, action, kind, subject, account_id, organization_id) values
       ('2026-07-09', 'unsubscribe link', 'subscription.delete', 'machine', 'M-1', 3, 2),
       ('2026-07-10', 'unsubscribe link', 'subscription.delete', 'machine', 'M-1', 2, 2)`,
  );
  await migrate(database.pool, SCHEMA);
});
afterAll(() => database.drop());

test('rows from before the migration name an account only in the log of the organization that it belonged to (13.9p)', async () => {
  const entries = (await readLog(database.pool, KLANT, {}, undefined, 50)).reverse();
  const own = { id: 2, name: 'klant@huis.nl' };
  const left = (id: number) => ({ id, name: `vertrokken account ${id}` });
  expect(entries.map(({ action, account }) => [action, account])).toEqual([
    ['invitation.create', undefined],
    ['invitation.revoke', undefined],
    ['user.refuse', undefined],
    ['alert.take', undefined],
    ['session.start', own],
    ['user.role', left(4)],
    ['user.leave', left(4)],
    ['user.delete', left(99)],
    ['subscription.delete', own],
  ]);
});

test('an earlier row of an unsubscribe link is in the log of the subscriber’s organization, without the number of the sold machine (13.9p, 41.5)', async () => {
  const koper: Scope = { organizations: [3], actions: new Set(['see-log']) };
  expect(await readLog(database.pool, koper, {}, undefined, 50)).toMatchObject([
    { action: 'subscription.delete', account: { id: 3 }, subject: '', isMachine: false, data: {} },
  ]);
});
