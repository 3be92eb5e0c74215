import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSealedSample, secretsWith } from './platform/secrets.ts';
import { openSealed, SEALED_COLUMNS } from './sealed-columns.ts';
import { sealedUnbound } from './test/old-seal.ts';
import { SECRETS_KEY, type TestPortal, testPortal } from './test/portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

/** Columns with bytes that are not sealed: files and uploads; hashes have names that end in hash. */
const NOT_SEALED = [
  'factor.public_key',
  // The key hides the order of rows from customers, not from a reader of the database.
  'id_key.key',
  'machine_file.body',
  'object.body',
  'object_chunk.data',
  'part_chunk.data',
  'quarantine.body',
  'reading_file.content',
  'reading_file.sampled',
  'recovery_code.salt',
  // A sample that shows which key is in use; a rotation re-encrypts it too.
  'secrets_check.sealed',
];

test('every bytea column is listed as sealed or not sealed, so that a key rotation includes it (13.10d)', async () => {
  const { rows } = await portal.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and udt_name = 'bytea' order by 1`,
  );
  const others = rows.map(({ name }) => name).filter((name) => !name.endsWith('_hash'));
  expect(others).toEqual([...Object.keys(SEALED_COLUMNS), ...NOT_SEALED].sort());
});

test('the start encrypts values of an older version again once, bound to their rows (13.10d)', async () => {
  const { pool, secrets } = portal;
  const old = (text: string) => sealedUnbound(SECRETS_KEY, text);
  const streamId = await portal.machine(await portal.organization('klant'));
  const { writerId } = await portal.logger(streamId, '0000001');
  const keys = Array.from({ length: 450 }, (_, n) => `WS${n}`);
  await pool.query(
    `insert into writer_key (access_key, writer_id, secret) select key, $2, sealed from unnest($1::text[], $3::bytea[]) as n (key, sealed)`,
    [keys, writerId, keys.map((key) => old(`of ${key}`))],
  );
  await pool.query('delete from writer_key where access_key <> all ($1)', [keys]);
  await pool.query(
    `insert into logger_network (stream_id, kind, sim_pin, wifi_password) values ($1, 'wifi', $2, $3)`,
    [streamId, old('0000'), old('wachtwoord')],
  );
  await pool.query(
    `insert into logger_config (writer_id, guid, access_key, xml, created_at) values ($1, 'g', 'WS1', $2, now()), ($1, 'h', 'WS1', null, now())`,
    [writerId, old('<xml/>')],
  );
  await pool.query('update push_key set private_key = $1', [old('sleutel')]);
  await pool.query('insert into secrets_check (sealed) values ($1)', [old('werkstroom')]);

  expect(await openSealed(pool, secretsWith('22'.repeat(32)))).toBe(false);
  // Two processes start at once.
  expect(await Promise.all([openSealed(pool, secrets), openSealed(pool, secrets)])).toEqual([true, true]);

  const { rows: ofKeys } = await pool.query('select access_key, secret from writer_key');
  const opened = ofKeys.map((row) => secrets.open('writer_key.secret', row.access_key, row.secret));
  expect(opened.sort()).toEqual(keys.map((key) => `of ${key}`).sort());
  const [one, other] = ofKeys;
  expect(() => secrets.open('writer_key.secret', one.access_key, other.secret)).toThrow();
  const { rows: networks } = await pool.query('select * from logger_network');
  expect(secrets.open('logger_network.sim_pin', streamId, networks[0].sim_pin)).toBe('0000');
  expect(secrets.open('logger_network.wifi_password', streamId, networks[0].wifi_password)).toBe(
    'wachtwoord',
  );
  const { rows: configs } = await pool.query('select guid, xml from logger_config order by guid');
  expect(secrets.open('logger_config.xml', 'g', configs[0].xml)).toBe('<xml/>');
  expect(configs[1].xml).toBeNull();

  const { rows: checks } = await pool.query('select sealed from secrets_check');
  expect(isSealedSample(secrets, checks[0].sealed)).toBe(true);
  // A second start binds no values: an unbound value that appears now was inserted from outside.
  await pool.query(`update writer_key set secret = $1 where access_key = 'WS7'`, [old('of WS7')]);
  expect(await openSealed(pool, secrets)).toBe(true);
  const { rows: planted } = await pool.query(`select secret from writer_key where access_key = 'WS7'`);
  expect(() => secrets.open('writer_key.secret', 'WS7', planted[0].secret)).toThrow();
});

test('an encrypted value that does not open stops the start, and nothing is changed (13.10d)', async () => {
  const { pool, secrets } = portal;
  await pool.query('update secrets_check set sealed = $1', [sealedUnbound(SECRETS_KEY, 'werkstroom')]);
  const before = await pool.query('select access_key, secret from writer_key order by 1');
  await expect(openSealed(pool, secrets)).rejects.toThrow(/writer_key\.secret of WS\d+ cannot be opened/);
  const after = await pool.query('select access_key, secret from writer_key order by 1');
  expect(after.rows).toEqual(before.rows);
});
