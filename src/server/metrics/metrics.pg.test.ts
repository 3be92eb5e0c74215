import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { TestFleet } from '#server/telemetry/test/fleet.ts';
import { VERSION } from '#server/version.ts';
import { type Exposition, readExposition } from './test/exposition.ts';

const TOKEN = 'a-token-of-prometheus/0123456789';
const BEARER = { authorization: `Bearer ${TOKEN}` };
let fleet: TestFleet;
let administrator: string;

beforeAll(async () => {
  fleet = await TestFleet.open({ METRICS_TOKEN: TOKEN });
  const { portal } = fleet;
  const { rows } = await portal.pool.query<{ id: number }>(
    `select id from organization where name = 'admin'`,
  );
  await portal.user('beheer@werkstroom.nl', rows[0]?.id ?? (await portal.organization('admin')));
  await portal.user('spoor@lmb.nl', await portal.organization('lmb', { isLmbCustomer: true }));
  administrator = await portal.login('beheer@werkstroom.nl');
});
afterAll(() => fleet.close());

const scrape = async (): Promise<string> =>
  (await fetch(`${fleet.portal.address}/metrics`, { headers: BEARER })).text();
const metrics = async (): Promise<Exposition> => readExposition(await scrape());
/** Reads repeatedly until `holds` returns true, since the metrics of the database are cached for 2 s. Returns the last value read. */
const later = async <T>(read: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> => {
  for (let n = 0; ; n += 1) {
    const seen = await read();
    if (holds(seen) || n > 40) return seen;
    await new Promise((again) => setTimeout(again, 200));
  }
};

describe('access to the metrics', () => {
  const status = async (cookie?: string, headers: Record<string, string> = {}) =>
    (await fleet.portal.get('/metrics', cookie, headers)).statusCode;

  test('the metrics are served to administrators and the holder of the token only (API-02)', async () => {
    expect(await status(administrator)).toBe(200);
    expect(await status(undefined, BEARER)).toBe(200);
    expect(await status(undefined, { authorization: `bearer  ${TOKEN}` })).toBe(200);
    expect(await status()).toBe(401);
    expect(await status(fleet.cookie)).toBe(403);
    expect(await status(await fleet.portal.login('spoor@lmb.nl'))).toBe(403);
  });

  test.each([
    ['another token', 'Bearer another-token-of-prometheus-0'],
    ['a part of it', `Bearer ${TOKEN.slice(0, -1)}`],
    ['more than it', `Bearer ${TOKEN}0`],
    ['none', 'Bearer'],
    ['an empty one', 'Bearer  '],
    ['another scheme', `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`],
    ['no scheme', TOKEN],
  ])('a call for the metrics is refused with %s (API-02)', async (_what, authorization) => {
    expect(await status(undefined, { authorization })).toBe(401);
    expect(await status(fleet.cookie, { authorization })).toBe(403);
    expect(await status(administrator, { authorization })).toBe(200);
  });

  test('the token gives access to no other call, and does not work as a query parameter (API-02)', async () => {
    for (const url of ['/api/user/get', '/api/live', '/api/organization/get']) {
      expect((await fleet.portal.get(url, undefined, BEARER)).statusCode).toBe(401);
    }
    expect((await fleet.portal.get(`/metrics?token=${TOKEN}&access_token=${TOKEN}`)).statusCode).toBe(401);
  });

  test('the answer with the metrics forbids caches to store the metrics', async () => {
    const { headers } = await fleet.portal.get('/metrics', undefined, BEARER);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});

describe('the metrics', () => {
  test('the metrics count uploads, readings, keys, mails and jobs, and measure the database (INGEST-03)', async () => {
    const { portal } = fleet;
    const before = await metrics();
    expect(before.values.get('werkstroom_newest_reading_age_seconds')).toBeUndefined();
    const grown = (after: Exposition, name: string) =>
      (after.values.get(name) ?? 0) - (before.values.get(name) ?? 0);
    const logger = await fleet.newLogger();
    const stranger = { ...logger, accessKey: 'WSUNKNOWNKEY0000' };
    const now = Math.floor(fleet.clock / 1000);
    await fleet.snapshot(logger, { GMT_UNIX: now - 5, Soc1: 50 });
    await fleet.snapshot(logger, { GMT_UNIX: now - 5, Soc1: 50 });
    await fleet.snapshot(logger, { GMT_UNIX: now - 5, Speed: 3 });
    await fleet.snapshot(logger, { Soc1: 50 });
    expect(await fleet.putStatus(stranger, 'a_snapshot.json', '{}')).toBe(403);
    expect(await fleet.putStatus({ ...logger, secret: 'wrong' }, 'a_snapshot.json', '{}')).toBe(403);
    await portal.portal.mail.queue(portal.pool, { to: 'a@klant.nl', subject: 'x', text: 'x', html: 'x' });

    const seen = await later(
      metrics,
      (after) =>
        after.values.get('werkstroom_unknown_keys') === 1 &&
        after.values.get('werkstroom_streams{state="reporting"}') === 1 &&
        grown(after, 'werkstroom_mails_total{outcome="sent"}') === 1,
    );
    expect(
      Object.fromEntries(
        [
          'werkstroom_uploads_total{outcome="stored"}',
          'werkstroom_uploads_total{outcome="quarantined"}',
          'werkstroom_uploads_total{outcome="refused"}',
          'werkstroom_uploads_total{outcome="unknown_key"}',
          'werkstroom_readings_total{outcome="stored"}',
          'werkstroom_readings_total{outcome="merged"}',
          'werkstroom_readings_total{outcome="duplicate"}',
          'werkstroom_mails_total{outcome="sent"}',
          'werkstroom_http_request_duration_seconds_count{method="PUT",route="/{bucket}/{key}",status="2xx"}',
          'werkstroom_http_request_duration_seconds_count{method="PUT",route="/{bucket}/{key}",status="4xx"}',
        ].map((name) => [name.replace('werkstroom_', ''), grown(seen, name)]),
      ),
    ).toEqual({
      'uploads_total{outcome="stored"}': 3,
      'uploads_total{outcome="quarantined"}': 1,
      'uploads_total{outcome="refused"}': 1,
      'uploads_total{outcome="unknown_key"}': 1,
      'readings_total{outcome="stored"}': 1,
      'readings_total{outcome="merged"}': 1,
      'readings_total{outcome="duplicate"}': 1,
      'mails_total{outcome="sent"}': 1,
      'http_request_duration_seconds_count{method="PUT",route="/{bucket}/{key}",status="2xx"}': 4,
      'http_request_duration_seconds_count{method="PUT",route="/{bucket}/{key}",status="4xx"}': 2,
    });
    const value = (name: string) => seen.values.get(`werkstroom_${name}`);
    expect(value('database_up')).toBe(1);
    expect(value('quarantined')).toBe(1);
    expect(value('unfinished_upload_bytes')).toBe(0);
    expect(value('upload_queue_depth')).toBe(0);
    expect(value('upload_queue_age_seconds')).toBe(0);
    expect(value('database_size_bytes')).toBeGreaterThan(1_000_000);
    expect(value('newest_reading_age_seconds')).toBeLessThan(60);
    expect(value('jobs{queue="mail",state="retry"}')).toBe(0);
    for (const pool of ['pages', 'ingest', 'files'])
      expect(value(`database_connections{pool="${pool}",state="waiting"}`)).toBe(0);
    expect(value(`build_info{node="${process.versions.node}",version="${VERSION}"}`)).toBe(1);
    expect(seen.types.get('process_resident_memory_bytes')).toBe('gauge');
    expect(seen.types.get('nodejs_eventloop_lag_p99_seconds')).toBe('gauge');
  });

  test('the metrics count calls of the live data, which are answered before the routes', async () => {
    const live = (headers: Record<string, string> = {}) =>
      fetch(`${fleet.portal.address}/api/live`, { headers: { cookie: fleet.cookie, ...headers } });
    const count = (seen: Exposition, status: string) =>
      seen.values.get(
        `werkstroom_http_request_duration_seconds_count{method="GET",route="/api/live",status="${status}"}`,
      ) ?? 0;
    const before = await metrics();
    const etag = String((await live()).headers.get('etag'));
    await live({ 'if-none-match': etag });
    await fetch(`${fleet.portal.address}/api/live`);
    const after = await metrics();
    expect(['2xx', '3xx', '4xx'].map((status) => count(after, status) - count(before, status))).toEqual([
      1, 1, 1,
    ]);
    expect(after.values.get('werkstroom_sessions_cached')).toBeGreaterThan(0);
    expect(after.values.get('werkstroom_live_image_age_seconds')).toBeGreaterThanOrEqual(0);
  });

  test('unknown addresses and methods add no series to the metrics', async () => {
    const ask = async (n: number) => {
      const { address } = fleet.portal;
      await fetch(`${address}/nergens/${n}`, { method: n % 2 ? 'GET' : 'PROPFIND' });
      await fetch(`${address}/api/machine/get/serial?serial=${n}`);
      await fetch(`${address}/api/img/S-${n}`);
      await fetch(`${address}/telemetry/map_SN${n}/a.json`, { method: n % 2 ? 'PUT' : 'MKCOL' });
    };
    for (let n = 0; n < 4; n += 1) await ask(n);
    const names = async () =>
      [...(await metrics()).values.keys()].filter((name) => name.startsWith('werkstroom_')).sort();
    await names();
    const before = await names();
    for (let n = 4; n < 40; n += 1) await ask(n);
    expect(await names()).toEqual(before);
  });

  /** A role of PostgreSQL, whose name looks like that of a metric. */
  const DATABASE_ROLE = 'werkstroom_app';
  test('docs/monitoring.md names exactly the metrics that exist', async () => {
    const documented = readFileSync('docs/monitoring.md', 'utf8').match(/\bwerkstroom_\w+/g) ?? [];
    const families = [...(await metrics()).types.keys()].filter((name) => name.startsWith('werkstroom_'));
    const names = documented
      .filter((name) => name !== DATABASE_ROLE)
      .map((name) => name.replace(/_duration_seconds_count$/, '_duration_seconds'));
    expect([...new Set(names)].sort()).toEqual(families.sort());
  });

  test('the metrics contain the free share of the disk, the age of the last verified backup and the queue of mails (55.31)', async () => {
    const { pool, portal } = fleet.portal;
    const value = (seen: Exposition, name: string) => seen.values.get(`werkstroom_${name}`);
    const before = await metrics();
    expect(value(before, 'disk_free_ratio')).toBeGreaterThan(0);
    expect(value(before, 'disk_free_ratio')).toBeLessThan(1);
    expect(value(before, 'backup_age_seconds')).toBeUndefined();
    await pool.query('insert into backup_made (at) values ($1)', [new Date(fleet.clock - 3_600_000)]);
    await inTransaction(pool, (client) =>
      portal.mail.queue(client, { to: 'b@klant.nl', subject: 'x', text: 'x', html: 'x' }),
    );
    await pool.query(`update pgboss.job set state = 'retry', start_after = now() + interval '1 day', completed_on = null,
      created_on = now() - interval '20 minutes' where name = 'mail' and data ->> 'to' = 'b@klant.nl'`);
    const seen = await later(metrics, (after) => value(after, 'mail_queue_depth') === 1);
    expect(value(seen, 'mail_queue_depth')).toBe(1);
    expect(value(seen, 'mail_queue_age_seconds')).toBeGreaterThanOrEqual(1_200);
    expect(value(seen, 'backup_age_seconds')).toBeCloseTo(3_600);
  });

  test('the metrics contain no name of a customer, person or device (API-02)', async () => {
    const logger = await fleet.newLogger();
    // Only names and labels are searched, because the digits of a value may equal a serial number by chance.
    const text = (await scrape()).replace(/^([^#].*) \S+$/gm, '$1');
    expect(text).toMatch(/^process_start_time_seconds$/m);
    for (const canary of [
      'klant',
      'lmb',
      '@',
      logger.serialNumber,
      logger.loggerSerial,
      logger.accessKey,
      TOKEN,
    ]) {
      expect(text).not.toContain(canary);
    }
  });

  test('the metrics report an unreachable database as database_up 0', async () => {
    const { pool } = fleet.portal;
    await pool.query('alter table unknown_key rename to elsewhere');
    const seen = await later(metrics, ({ values }) => values.get('werkstroom_database_up') === 0);
    expect(seen.values.get('werkstroom_database_up')).toBe(0);
    expect(seen.values.has('werkstroom_unknown_keys')).toBe(false);
    expect(seen.types.get('werkstroom_unknown_keys')).toBe('gauge');
    expect(seen.values.get('werkstroom_uploads_total{outcome="stored"}')).toBeGreaterThan(0);
    await pool.query('alter table elsewhere rename to unknown_key');
  });
});
