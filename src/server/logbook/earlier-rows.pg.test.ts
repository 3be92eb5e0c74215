import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { readLog } from './logbook.store.ts';

const THIS = '0018-log.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
  const before = (await readMigrations(SCHEMA.migrations)).filter((name) => name < THIS);
  await inTransaction(database.pool, (client) => migrateTo(client, SCHEMA.migrations, before));
  await database.pool.query(`
    insert into organization (name, clean, code) values ('admin', 'Beheer', 'x'), ('klant', 'Klant', 'y'), ('koper', 'Koper', 'z');
    insert into account (email, password_hash, organization_id)
      select name || '@huis.nl', '', id from organization where name <> 'koper' order by id;
    insert into stream (kind, serial, alias, created_at) values ('machine', 'M-1', 'Kraan', '2026-01-01');
    insert into ownership (stream_id, organization_id, valid_from, valid_to)
      select 1, id, case name when 'koper' then '2026-06-01'::timestamptz else '-infinity' end,
        case name when 'klant' then '2026-06-01'::timestamptz else 'infinity' end
      from organization where name <> 'admin';
    insert into audit (at, actor, action, subject, data) values
      ('2026-02-01', 'Admin@huis.nl', 'machine.edit', 'm-1', '{"alias": "Kraan"}'),
      ('2026-07-01', 'weg@huis.nl', 'dbc.upload', 'M-1', '{}'),
      ('2026-07-02', 'weg@huis.nl', 'session.start', 'WEG@huis.nl', '{}'),
      ('2026-07-03', 'admin@huis.nl', 'user.delete', 'weg@huis.nl', '{"organization": "klant"}'),
      ('2026-07-04', 'sign-in', 'session.refuse', 'klant@huis.nl', '{}'),
      ('2026-07-05', 'first start', 'organization.create', 'klant', '{}');
    insert into definition (mapping, stream_id, made_by)
      select '{"signals": [], "keep": []}', 1, who from unnest(array['Admin@huis.nl', 'weg@huis.nl', null]) as who;
    insert into writer (stream_id, logger_serial, valid_from) values (1, '7000001', '-infinity');
    insert into redecoding (stream_id, writer_id, definition_id, former, from_time, preview, started_by)
      values (1, 1, 1, '[]', '-infinity', true, 'KLANT@huis.nl')`);
  await migrate(database.pool, SCHEMA);
});
afterAll(() => database.drop());

test('rows from before the migration refer to people by id, also to deleted accounts, and are in the log of the machine’s owner at that time (13.9k)', async () => {
  const { pool } = database;
  const { rows: ids } = await pool.query<{ id: number }>('select id from account order by id');
  const [admin, klant] = ids.map(({ id }) => id);
  const everything = { organizations: 'all', actions: new Set<never>() } as const;
  const entries = (await readLog(pool, everything, {}, undefined, 50)).reverse();
  const gone = entries[1]?.who.id as number;
  expect(gone).toBeGreaterThan(klant as number);
  const weg = { id: gone, name: `vertrokken account ${gone}` };
  const boss = { id: admin, name: 'admin@huis.nl' };
  expect(entries).toMatchObject([
    {
      action: 'machine.edit',
      who: boss,
      subject: 'm-1',
      isMachine: true,
      organization: 'Klant',
      data: { alias: 'Kraan' },
    },
    { action: 'dbc.upload', who: weg, isMachine: true, organization: 'Koper' },
    { action: 'session.start', who: weg, account: weg },
    { action: 'user.delete', who: boss, account: weg },
    { action: 'session.refuse', account: { id: klant, name: 'klant@huis.nl' }, organization: 'Klant' },
    { action: 'organization.create', subject: 'klant', organization: 'Klant' },
  ]);
  expect(JSON.stringify((await pool.query('select * from audit')).rows)).not.toContain('@');
  const kinds = (await pool.query('select kind from audit order by id')).rows.map(({ kind }) => kind);
  expect(kinds).toEqual(['machine', 'definition', 'sign-in', 'account', 'refusal', 'organization']);
  // The id of a deleted account is not given to the next one.
  const { rows } = await pool.query<{ id: number }>(
    `insert into account (email, password_hash, organization_id) values ('nieuw@huis.nl', '', 2) returning id`,
  );
  expect(rows[0]?.id).toBeGreaterThan(gone);
});

test('the makers of definitions and re-decodings become account ids, or null for a deleted account (13.9k)', async () => {
  const column = async (sql: string) =>
    (await database.pool.query({ text: sql, rowMode: 'array' })).rows.flat();
  const of = async (email: string) => (await column(`select id from account where email = '${email}'`))[0];
  expect(await column('select made_by from definition order by id')).toEqual([
    await of('admin@huis.nl'),
    null,
    null,
  ]);
  expect(await column('select started_by from redecoding')).toEqual([await of('klant@huis.nl')]);
});
