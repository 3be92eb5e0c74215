import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FleetToKeep, fleetToKeep, upload } from '#server/backup/test/fleet-to-keep.ts';
import { LOCKS } from '#server/platform/advisory-locks.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations, type Schema } from '#server/platform/migrate.ts';
import { ofStream } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';
import { encoded, insertFile } from '#server/telemetry/readings/reading-files.store.ts';
import { lossOf, NO_LOSS } from '#server/test/acknowledged.ts';
import { closeAll, TEST_CLOSED } from '#server/test/closed.ts';
import { testDatabase } from '#server/test/database.ts';
import { NOUNS } from '#server/test/security/principals/nouns.ts';

/** A full database is migrated to a later version, beside a portal of the current version that runs on it. */
let fleet: FleetToKeep;
let folder: string;
let holder: Transaction;
let next: Schema;
beforeAll(async () => {
  [fleet, folder] = await Promise.all([fleetToKeep(), mkdtemp(join(tmpdir(), 'werkstroom-next-'))]);
  await fleet.portal.portal.dayComputation.close();
  // Upkeep would move readings into files between two comparisons.
  holder = await fleet.portal.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [LOCKS.closedReadings]);
  await fillTheRest(fleet.portal.pool);
  await insertFile(fleet.portal.pool, 1, encoded({ times: Float64Array.of(0), columns: new Map() }));
  next = { ...SCHEMA, migrations: join(folder, 'migrations'), routines: join(folder, 'server') };
  for (const from of [SCHEMA.migrations, SCHEMA.routines]) {
    const to = from === SCHEMA.migrations ? next.migrations : next.routines;
    const files = (await readdir(from, { recursive: true })).filter((name) => name.endsWith('.sql'));
    for (const file of files) {
      await mkdir(dirname(join(to, file)), { recursive: true });
      await copyFile(join(from, file), join(to, file));
    }
  }
});
afterAll(async () => {
  holder.release(true);
  await fleet.portal.close();
  await rm(folder, { recursive: true, force: true });
});

/** Adds a row to every table that the fleet leaves empty. */
async function fillTheRest(pool: Pool): Promise<void> {
  await pool.query(`
    insert into former_logger (logger_serial, until) values ('7000009', '2026-10-01');
    insert into former_definition (writer_id, until, definition_id)
      select w.id, now(), d.id from writer w, definition d limit 1;
    insert into redecoding (stream_id, writer_id, definition_id, bindings, from_time, preview, started_by)
      select w.stream_id, w.id, d.id, '[]', '-infinity', true, 1 from writer w, definition d limit 1;
    insert into erasure (stream_id, from_time, to_time, made_at) select id, now() - interval '1 hour', now(), now() from stream limit 1;
    insert into erased_reading (stream_id, time, erasure_id, signals) values (1, now(), 1, '{"Soc1": 5}');
    insert into redecoded (stream_id, time, n, definition_id, signals) values (1, now(), 1, 1, '{"Soc1": 5}');
    insert into leaving (organization_id, started_at, remove_from, was_active, stream_ids)
      select id, now(), now() + interval '30 days', true, '{}' from organization limit 1;
    insert into erased_period (ownership_id, erased_at) select id, now() from ownership limit 1;
    insert into erased_hours (stream_id, until, running_ms) select id, now(), 5 from stream limit 1;
    insert into unknown_key (access_key) values ('STRANGER');
    insert into audit (actor, action, kind, subject) values ('first start', 'machine.create', 'machine', 'A-1');
    insert into refusal (minute, network, action, address, device, call, count)
      values (now() + interval '1 day', '192.0.2.1', 'session.refuse', '192.0.2.1', '', '', 2);
    insert into session (token_hash, account_id, expires_at) select '\\x01', id, now() + interval '13 days' from account limit 1;
    insert into ended_session (token_hash, account_id, expires_at) select '\\x03', id, now() + interval '13 days' from account limit 1;
    insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
      select gen_random_uuid(), id, 'x', now(), 5, 'y', now() from account limit 1;
    insert into invitation (organization_id, email, role, expires_at, token_hashes)
      select id, 'b@klant.nl', 'kijker', now() + interval '7 days', '{"\\\\x04"}' from organization limit 1;
    insert into applicant (organization_id, email, password_hash) select id, 'c@klant.nl', 'x' from organization limit 1;
    insert into departed (organization_id, address_hash) select id, '\\x05' from organization limit 1;
    with other as (insert into account (email, password_hash, organization_id)
      select 'z@klant.nl', 'x', id from organization limit 1 returning id)
    insert into factor (account_id, kind, name, secret, last_step) select id, 'totp', 'app', '\\x06', 0 from other;
    insert into recovery_code (account_id, code_hash, salt) select id, '\\x07', '\\x08' from account limit 1;
    insert into sign_in_step (token_hash, tries_left, expires_at) values ('\\x09', 5, now() + interval '13 days');
    insert into known_device (account_id, token_hash) select id, '\\x02' from account limit 1;
    insert into rate_limit (key, window_start, count) values ('login anna', now(), 3);
    insert into logger_network (stream_id, kind) select id, 'wifi' from stream limit 1;
    insert into logger_config (writer_id, guid, access_key, created_at, address, settings_digest)
      select id, 'g', 'K', now(), 'https://portaal.nl', 'd' from writer limit 1;
    insert into logger_event (writer_id, at, kind, detail) select id, now(), 'firmware', '2.1' from writer limit 1;
    insert into stored_log (logger_serial, bytes) values ('7000001', 3);
    insert into object_chunk (object_id, n, data) select id, 0, 'abc' from object limit 1;
    insert into multipart_upload (id, writer_id, key, content_type, metadata) select 'u', id, 'k', '', '{}' from writer limit 1;
    insert into upload_part (upload_id, number, size, etag) values ('u', 1, 3, 'e');
    insert into part_chunk (part_id, n, data) select id, 0, 'abc' from upload_part;
    insert into quarantine (logger_serial, key, reason, size) values ('7000001', 'x.json', 'onleesbaar', 3);
    insert into import_progress (fingerprint, resume) values ('f1', '{"offset": 12}');
    insert into background_task (name, done) values ('Geschiedenis vullen', 0.5);
    insert into oidc_provider (organization_id, issuer, domain, client_id, client_secret)
      select id, 'https://idp.example', 'klant.nl', 'x', '\\x08' from organization where name = 'klant';
    insert into account_identity (account_id, issuer, subject) select id, 'https://idp.example', '1' from account limit 1;
    insert into oidc_attempt (token_hash, organization_id, state, nonce, code_verifier, expires_at)
      select '\\x09', organization_id, 's', 'n', 'v', now() + interval '13 days' from oidc_provider;
    insert into oidc_arrival (token_hash, account_id, issuer, subject, expires_at)
      select '\\x0a', id, 'https://idp.example', '1', now() + interval '13 days' from account limit 1;
    insert into removed_position (stream_id, before) select id, now() from stream limit 1;
    insert into secrets_check (sealed) values ('x') on conflict do nothing;
    insert into project (organization_id, name, first_day) select id, 'Sluis', '2026-09-01' from organization limit 1;
    insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, tells_end, is_on, valid_from)
      select id, 'Laag', 'low', '{}', 'always', 'all', 'notice', false, false, now() from organization limit 1;
    insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, is_news, made_at)
      select r.id, 1, r.organization_id, s.id, 'low', 'notice', 'accu op 10%', now(), now(), now(), true, now()
      from alert_rule r, stream s limit 1;
    insert into alert_seen select x.id, a.id from alert x, account a limit 1;
    insert into alert_mute (account_id, rule_id, until) select a.id, r.id, 'infinity' from account a, alert_rule r limit 1;
    insert into alert_preference select id, true, false, '21:00', '06:30' from account limit 1;
    insert into alert_message (account_id, channel, made_at, sent_at) select id, 'mail', now(), now() from account limit 1;
    insert into alert_outbox select x.id, m.account_id, 'mail', 'opened', now(), m.id from alert x, alert_message m;
    insert into backup_made (at) values (now());
    insert into portal_disk values ('host:/data', 1, 2, now());
    insert into alert_presence select id, now(), '{}', '' from stream limit 1;
    insert into alert_clock (looked_at, since) values (now(), now()) on conflict do nothing;
    insert into assignment (project_id, stream_id, valid_from) select p.id, s.id, now() from project p, stream s limit 1;
    insert into project_exception (project_id, stream_id, valid_from) select p.id, s.id, now() from project p, stream s limit 1;
    insert into presence (stream_id, from_time, to_time, project_id, by_hand, unseen_ms) values (99, now(), now(), 1, true, 0);
    insert into charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, soc_from, soc_to)
      values (99, now(), now(), 1, 0, 1, '{50}', '{80}');
    insert into charge_forecast values (99, now(), 40, now(), now());
    insert into dm1_day values (99, 20600, 0, 33, '[]', '{"first": 0, "chains": []}');
    insert into fault_episode values (99, now(), 0, 33, 100, 1, false, now(), null, 'stop', 3);
    insert into day_figures values (99, '2026-09-01', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null, null, null, 0, 0, 0, 0, 0, 0, 0, 0);
    insert into changed_history (stream_id, from_time) values (99, now());
  `);
  for (const row of NOUNS.flatMap(({ rows = [] }) => rows)) await pool.query(row);
}

/** Tables that the running portal itself keeps writing. */
const WRITTEN_ALL_THE_TIME = ['alert_clock', 'alert_cursor', 'change_counter', 'writer_health'];

/** Every row of every table, restricted to the columns that existed before the migration. */
type Content = Map<string, { columns: readonly string[]; rows: unknown[] }>;
async function contentOf(pool: Pool, like?: Content): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1`,
  );
  const content: Content = new Map();
  for (const { name, columns } of tables) {
    const asked = like?.get(name)?.columns ?? columns;
    const list = asked.map((column) => `'${column}', to_jsonb("${column}")`).join();
    const { rows } = await pool.query<{ row: unknown }>(
      `select jsonb_build_object(${list}) as row from "${name}" order by 1`,
    );
    content.set(name, { columns: asked, rows: rows.map(({ row }) => row) });
  }
  return content;
}

/** Expects the rows that the tables had; of `written` tables only their number. */
function expectKept(before: Content, after: Content, written: readonly string[] = []): void {
  for (const [name, { rows }] of before) {
    const now = after.get(name)?.rows;
    if (name === 'schema_routine') continue;
    if (name === 'schema_migration') expect(now?.slice(0, rows.length), name).toEqual(rows);
    else if (written.includes(name)) expect(now, name).toHaveLength(rows.length);
    else expect(now, name).toEqual(rows);
  }
}

const columnsOf = async (pool: Pool, sql: string): Promise<unknown[]> =>
  (await pool.query({ text: sql, rowMode: 'array' })).rows.flat();

test('a database of version 1.0 keeps every row of every table through all later migrations (INGEST-02, 11.1, 46.2)', async () => {
  const database = await testDatabase({ bare: true });
  try {
    const { pool } = database;
    await inTransaction(pool, (client) => migrateTo(client, SCHEMA.migrations, ['0001-baseline.sql']));
    expect(
      await columnsOf(pool, 'select sha256 from schema_migration'),
      'A migration is never edited: add a new one.',
    ).toEqual(['a91b56bebc663b4e58eaa8a193aca1bbb00faf73745d3f5cce60cfe26f2353cd']);
    await pool.query(await readFile(new URL('version-1.0.sql', import.meta.url), 'utf8'));
    const before = await contentOf(pool);
    expect([...before].filter(([, { rows }]) => rows.length === 0).map(([name]) => name)).toEqual([
      'schema_routine',
    ]);
    const [, ...later] = await readMigrations(SCHEMA.migrations);
    expect(await migrate(pool, SCHEMA)).toEqual(later);
    expectKept(before, await contentOf(pool, before));
  } finally {
    await database.drop();
  }
});

test('a migration keeps every row of every table and installs the new function (INGEST-02, 11.1)', async () => {
  const { pool, portal } = fleet.portal;
  // Upload counts per logger are stored with a delay.
  await portal.counters.flush();
  await closeAll(pool);
  const before = await contentOf(pool);
  const empty = [...before].filter(([, { rows }]) => rows.length === 0).map(([name]) => name);
  expect(empty).toEqual(TEST_CLOSED ? ['reading'] : []);
  await writeFile(
    join(next.migrations, '0199-colour.sql'),
    `alter table machine add column colour text not null default 'geel'; update machine set colour = 'rood';`,
  );
  // The new function stores 77 as every reading's maximum speed.
  const asFast = (sql: string) =>
    sql.replace(/select stream_id, bucket[^;]+?packs::double/, (columns) =>
      columns.replace('speed_max', '77.0::float8'),
    );
  next = { ...next, expand: (sql) => asFast(SCHEMA.expand(sql)) };
  expect(await migrate(pool, next)).toEqual(['0199-colour.sql']);
  expect(await migrate(pool, next)).toEqual([]);
  expectKept(before, await contentOf(pool, before), WRITTEN_ALL_THE_TIME);
  expect(await columnsOf(pool, 'select distinct colour from machine')).toEqual(['rood']);
});

test('the portal that ran during the migration still stores uploads and shows them (LIVE-01, INGEST-01)', async () => {
  const { portal, quiet } = fleet;
  const cookie = await portal.login('a@klant.nl');
  const second = Math.floor(Date.now() / 1000);
  await upload(portal.address, quiet, { GMT_UNIX: second, Soc1: 39, MotorSpeed: 0 });
  const live = async () => (await fetch(`${portal.address}/api/live`, { headers: { cookie } })).json();
  await expect
    .poll(live, { timeout: 5_000 })
    .toMatchObject({ 'Q-1': { liveData: { GMT_UNIX: second, Soc1: 39 } } });
  expect(await lossOf(portal.pool, new Map([[quiet.streamId, [second]]]))).toEqual(NO_LOSS);
  // The speed was stored by the function of the newer version.
  const newest = 'select speed_max from rollup order by bucket desc limit 1';
  expect(await columnsOf(portal.pool, newest)).toEqual([77]);
});

test('another signal with its own column only needs that column, not another text of the functions (INGEST-02, 11.3)', async () => {
  const { pool } = fleet.portal;
  await writeFile(
    join(next.migrations, '0100-pressure.sql'),
    'alter table telemetry.reading add column pressure double precision;',
  );
  const all = /\{\{([^{}:]*\$[^{}:]*)\}\}/g;
  const expand = (sql: string) =>
    SCHEMA.expand(sql.replace(all, (list, text: string) => `${list}, ${text.replaceAll('$', 'pressure')}`));
  next = { ...next, expand };
  expect(await migrate(pool, next)).toEqual(['0100-pressure.sql']);
  // The function with the old arguments is gone.
  const shard = ofStream(pool, 1);
  const { rows } = await shard.query<{ names: string[] }>(
    `select proargnames as names from pg_proc where proname = 'store_readings'
       and pronamespace = (select relnamespace from pg_class where oid = 'telemetry.reading'::regclass)`,
  );
  expect(rows).toHaveLength(1);
  const values: Record<string, string> = {
    in_stream: '{1}',
    in_time: '{2026-11-02T08:00Z}',
    in_speed: '{3}',
    in_pressure: '{180}',
  };
  const given = rows[0]?.names.map(
    (name) => `${name} => '${values[name] ?? (name.startsWith('in_') ? '{null}' : '{}')}'`,
  );
  await shard.query(`select telemetry.store_readings(${given?.join(', ')})`);
  const stored = `select speed, pressure from telemetry.reading where stream_id = 1 and time = '2026-11-02T08:00Z'`;
  expect((await shard.query(stored)).rows).toEqual([{ speed: 3, pressure: 180 }]);
});
