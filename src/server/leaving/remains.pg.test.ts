import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { findRemains, remainsInWords } from './remains.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const NOTHING = { organizationId: 0, streamIds: [], accountIds: [] };

test('55.44 the scan counts rows that name an organization, a stream or an account in any table, also in one that is new', async () => {
  const { pool } = database;
  expect(await findRemains(pool, { organizationId: 77, streamIds: [78], accountIds: [79] })).toEqual([]);
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
  const found = await findRemains(pool, { organizationId, streamIds: [78], accountIds: [accountId] });
  expect(found).toEqual([
    { table: 'account', rows: 1 },
    { table: 'audit', rows: 2 },
    { table: 'made_by_later', rows: 1 },
    { table: 'note_of_later', rows: 2 },
    { table: 'organization', rows: 1 },
  ]);
  expect(remainsInWords(found, 400)).toEqual([
    'tabel account: 1 rij',
    'logboek: 2 regels, elk tot het 400 dagen oud is',
    'tabel made_by_later: 1 rij',
    'tabel note_of_later: 2 rijen',
    'tabel organization: 1 rij',
    'back-ups van voor vandaag: tot die worden weggegooid',
  ]);
  expect(await findRemains(pool, NOTHING)).toEqual([]);
});
