import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { parseMail } from '#server/mail/test/mailbox.ts';
import { inTransaction } from '#server/platform/database.ts';
import { installJobs, openJobs } from '#server/platform/jobs.ts';
import { migrate, migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type AlertProcess, alertProcess } from './test/alert-process.ts';
import { at, during, OFF, ON } from './test/charging-desk.ts';

const THIS = '0043-charging-rules.sql';
const QUICK = { retries: 50, firstRetryS: 60, longestRetryS: 60 };

let database: TestDatabase;
let server: MailServer;
let process: AlertProcess | undefined;
/** Shifts the events into the last days, which the migration reads. */
const shift = Math.floor((Date.now() - at(200)) / 1000) * 1000;
const then = (minutes: number): number => at(minutes) + shift;
const seconds = (minutes: number) => `to_timestamp(${then(minutes) / 1000})`;

beforeAll(async () => {
  [database, server] = await Promise.all([testDatabase({ bare: true }), startMailServer(0)]);
  const { pool } = database;
  const before = (await readMigrations(SCHEMA.migrations)).filter((name) => name < THIS);
  await inTransaction(pool, (client) => migrateTo(client, SCHEMA.migrations, before));
  const event = (kind: string, minutes: number) =>
    `(1, '${kind}', ${seconds(minutes)}, null, '{"knownAt": ${then(minutes + 2)}, "soc": 40, "mailed": true, "signals": {"Soc1": 40}}')`;
  await pool.query(`
    insert into organization (name, clean, code) values ('admin', 'Beheer', 'x'), ('klant', 'Klant', 'y');
    insert into account (email, password_hash, organization_id, confirmed_at, role)
      select who || '@' || name || '.nl', '', id, now(), case name when 'admin' then 'administrator' else 'gebruiker' end from organization, unnest(array['anna', 'bert']) as who order by id, who;
    insert into stream (kind, serial, alias) values ('machine', 'M-1', 'Kraan'), ('machine', 'M-2', 'Rups');
    insert into machine (stream_id, brand, model) select id, 'Volta', 'EX-1' from stream;
    insert into latest (stream_id) select id from stream;
    insert into ownership (stream_id, organization_id) select s.id, o.id from stream s, organization o where o.name = 'klant';
    insert into subscription (stream_id, account_id) select 1, id from account where email in ('anna@klant.nl', 'anna@admin.nl');
    insert into subscription (stream_id, account_id) select 2, id from account where email = 'bert@klant.nl';
    insert into charging_cursor (stream_id, begin_time, time, count, seen_at) values (1, ${seconds(0)}, ${seconds(40)}, 0, now());
    insert into event values ${event('started', 10)}, ${event('ended', 30)};`);
  await installJobs(pool);
  // The mail to one subscriber is pending; the other subscriber has already got it.
  const jobs = await openJobs(pool, () => {});
  const { rows } = await pool.query<{ id: number }>(`select id from account where email = 'anna@klant.nl'`);
  const down = await jobs.queue('charging-mail', QUICK, async () => {
    throw new Error('down');
  });
  await down.add(pool, { streamId: 1, kind: 'ended', from: then(30), accountId: rows[0]?.id });
  await jobs.close();
  await migrate(pool, SCHEMA);
});
afterAll(async () => {
  await process?.close();
  await server.close();
  await database.drop();
});

test('the migration turns stored subscriptions into rules, and no mail is lost or repeated (16.5j)', async () => {
  const { pool } = database;
  const { rows } = await pool.query(
    `select a.email, o.name as organization, r.ids, r.is_on from alert_rule r join account a on a.id = r.account_id
       join organization o on o.id = r.organization_id where r.kind = 'charging' order by 1`,
  );
  expect(rows).toEqual([
    { email: 'anna@admin.nl', organization: 'admin', ids: [1], is_on: true },
    { email: 'anna@klant.nl', organization: 'klant', ids: [1], is_on: true },
    { email: 'bert@klant.nl', organization: 'klant', ids: [2], is_on: true },
  ]);
  const readings = [
    ...during(0, 10, OFF),
    ...during(10, 30, ON),
    ...during(30, 100, OFF),
    // Readings that arrived while the portal was down.
    ...during(100, 110, ON),
  ].map(({ time, signals }) => ({ streamId: 1, time: time + shift, signals }));
  await pool.query('select ensure_week($1), ensure_week($2)', [new Date(then(0)), new Date(then(110))]);
  await storeReadings(pool, readings);
  process = await alertProcess({ pool, port: server.port, warnings: [], now: () => then(111) });
  await process.evaluate();
  const mails = () =>
    server.delivered
      .map(({ source }) => parseMail(source))
      .map(({ to, subject }) => `${to} ${subject}`)
      .sort();
  await expect
    .poll(mails, { timeout: 20_000 })
    .toEqual([
      'anna@admin.nl Kraan (#M-1): laden begonnen',
      'anna@klant.nl Kraan (#M-1): laden begonnen',
      'anna@klant.nl Kraan (#M-1): laden gestopt',
    ]);
  const { rows: left } = await pool.query(
    `select (select count(*)::int from alert where kind = 'charging') as events,
       (select count(*)::int from pgboss.job where state < 'completed' and name = 'charging-mail') as waiting`,
  );
  expect(left).toEqual([{ events: 6, waiting: 0 }]);
});
