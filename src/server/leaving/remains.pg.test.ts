import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { countRemainingRows, type DeletedOrganizationIds, remainingRowsText } from './remains.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const NOTHING: DeletedOrganizationIds = {
  organizationId: 0,
  streamIds: [],
  accountIds: [],
  times: [],
  loggerSerials: [],
  emails: [],
};

test('the scan for remaining data counts rows that name an organization, a stream or an account in any table, also in a new table (55.44)', async () => {
  const { pool } = database;
  expect(
    await countRemainingRows(pool, { ...NOTHING, organizationId: 77, streamIds: [78], accountIds: [79] }),
  ).toEqual([]);
  const idOf = async (sql: string): Promise<number> =>
    (await pool.query<{ id: number }>(sql)).rows[0]?.id as number;
  const organizationId = await idOf(
    `insert into organization (name, clean, code) values ('weg', 'Weg', 'x') returning id`,
  );
  const accountId = await idOf(
    `insert into account (email, password_hash, organization_id) values ('a@weg.nl', '', ${organizationId}) returning id`,
  );
  await pool.query(`
    insert into audit (action, kind, subject, organization_id) values ('organization.leave', 'organization', 'weg', ${organizationId});
    insert into audit (action, kind, subject, actor_id) values ('session.start', 'sign-in', '', ${accountId});
    create table note_of_later (id integer, stream_id integer);
    create table made_by_later (maker integer references account);
    insert into made_by_later values (${accountId});
    insert into note_of_later values (1, 78), (2, 78), (3, 5)`);
  const found = await countRemainingRows(pool, {
    ...NOTHING,
    organizationId,
    streamIds: [78],
    accountIds: [accountId],
  });
  expect(found).toEqual([
    { table: 'account', rows: 1 },
    { table: 'audit', rows: 2 },
    { table: 'made_by_later', rows: 1 },
    { table: 'note_of_later', rows: 2 },
    { table: 'organization', rows: 1 },
  ]);
  expect(remainingRowsText(found, 400)).toEqual([
    'tabel account: 1 rij',
    'logboek: 2 regels, elk tot het 400 dagen oud is',
    'tabel made_by_later: 1 rij',
    'tabel note_of_later: 2 rijen',
    'tabel organization: 1 rij',
    'back-ups van voor vandaag: tot die worden weggegooid',
  ]);
  expect(await countRemainingRows(pool, NOTHING)).toEqual([]);
});

test('the scan for remaining data counts uploads of loggers, mails, and rows in erased periods of machines that others own now, but no rows of these owners (55.45)', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into stream (kind, serial, alias) values ('machine', 'S-1', 'S-1') returning id`,
  );
  const streamId = rows[0]?.id as number;
  await pool.query(
    `insert into writer (stream_id, logger_serial, valid_from, valid_to, created_at)
     values ($1, '8000001', '2026-01-01', '2026-03-01', '2026-01-01'), ($1, '8000003', '2026-03-01', 'infinity', '2026-03-01')`,
    [streamId],
  );
  const upload = (logger: string, at: string) =>
    pool.query(
      `insert into object (logger_serial, key, size, etag, content_type, modified_at) values ($1, $2::text, 1, '', '', $2::text::timestamptz)`,
      [logger, at],
    );
  await upload('8000001', '2026-01-15');
  await upload('8000001', '2026-02-15'); // the machine belonged to the buyer by then
  await upload('8000001', '2026-04-15'); // the logger was bound to no machine by then
  await upload('8000002', '2026-01-15'); // the logger's binding was removed
  await upload('8000003', '2026-04-15'); // the machine belongs to the buyer
  for (const [time, latitude] of [
    ['2026-01-15', 52],
    ['2026-02-15', 53],
  ])
    await pool.query('insert into reading (stream_id, time, latitude) values ($1, $2, $3)', [
      streamId,
      time,
      latitude,
    ]);
  await pool.query(`select pgboss.create_queue('mail', '{"policy": "standard"}')`);
  await pool.query(
    `insert into pgboss.job (name, data) values ('mail', '{"to": "Baas@weg.nl"}'), ('mail', '{"to": "baas@blijft.nl"}')`,
  );
  const found = await countRemainingRows(pool, {
    ...NOTHING,
    times: [{ streamId, from: '-infinity', to: '2026-02-01' }],
    loggerSerials: ['8000001', '8000002', '8000003'],
    emails: ['baas@weg.nl'],
  });
  expect(found).toEqual([
    { table: 'reading', rows: 1 },
    { table: 'object', rows: 3 },
    { table: 'pgboss.job', rows: 1 },
  ]);
  expect(remainingRowsText(found, 400)).toContain('1 mail die net werd verzonden');
});

test('the scan for remaining data counts refused keys whose folder is of a logger of the customer, unless that logger reports for a machine (55.69)', async () => {
  const { pool } = database;
  await pool.query(
    `insert into unknown_key (access_key, folder) values ('A', 'graver_SN7000009'), ('B', 'graver_SN7000008/x')`,
  );
  const found = await countRemainingRows(pool, { ...NOTHING, loggerSerials: ['7000009'] });
  expect(found).toEqual([{ table: 'unknown_key', rows: 1 }]);
  await pool.query('delete from unknown_key');
});
