import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPortal, type Portal } from '#server/portal.ts';
import { type FleetLogger, TestFleet } from '#server/telemetry/test/fleet.ts';
import { sendQuotaMails } from './quota-mails.ts';

let fleet: TestFleet;
let administrator: string;
let another: Portal | undefined;
beforeAll(async () => {
  fleet = await TestFleet.open({ LOG_MIB_PER_KEY_DAY: '2', LOG_MIB_PER_ORGANIZATION: '3' });
  await fleet.portal.user('beheer@portaal.nl', await fleet.portal.organization('admin'));
  administrator = await fleet.portal.login('beheer@portaal.nl');
});
afterAll(async () => {
  await another?.close();
  await fleet.close();
});

const sql = async (text: string, values: unknown[] = []) =>
  (await fleet.portal.pool.query(text, values)).rows;
const rxd = (kib: number) => Buffer.alloc(1024 * kib, 'x');
const spent = async ({ accessKey }: FleetLogger): Promise<number> =>
  Number((await sql('select log_bytes from writer_key where access_key = $1', [accessKey]))[0].logBytes);

test('a log file beyond the quota of its key is refused until midnight, but snapshots, Status.json and other files are accepted (12.B2)', async () => {
  const logger = await fleet.newLogger();
  expect(await fleet.putStatus(logger, 'a.rxd', rxd(1500))).toBe(200);
  expect(await fleet.putStatus(logger, 'b.rxd', rxd(549))).toBe(503);
  expect(await fleet.putStatus(logger, 'c.rxd', rxd(548))).toBe(200);
  expect(await fleet.putStatus(logger, 'd.csv', 'time,Soc1\n1780000000,1\n')).toBe(503);
  // The file was refused before its body arrived, so it was not decoded either.
  expect(await fleet.readingsOf(logger.streamId)).toBe(0);
  expect([await fleet.headStatus(logger, 'b.rxd'), await fleet.headStatus(logger, 'c.rxd')]).toEqual([
    404, 200,
  ]);
  const snapshot = JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 50 });
  expect(await fleet.putStatus(logger, 'snapshot.json', snapshot)).toBe(200);
  expect(await fleet.putStatus(logger, 'Status.json', '{}')).toBe(200);
  expect(await spent(logger)).toBe(2048 * 1024);
  expect(await fleet.putStatus(await fleet.newLogger(), 'b.rxd', rxd(549))).toBe(200);

  await sql('update writer_key set log_day = log_day - 1 where access_key = $1', [logger.accessKey]);
  expect(await fleet.putStatus(logger, 'b.rxd', rxd(549))).toBe(200);
  expect(await spent(logger)).toBe(549 * 1024);
});

test('simultaneous log files beyond the quota of their key are not stored, and an interrupted one does not count (12.B2)', async () => {
  const logger = await fleet.newLogger();
  await sql('alter table object_chunk rename to object_chunk_away');
  try {
    expect(await fleet.putStatus(logger, '0.rxd', rxd(900))).toBe(503);
  } finally {
    await sql('alter table object_chunk_away rename to object_chunk');
  }
  expect(await spent(logger)).toBe(0);
  const answers = await Promise.all([1, 2, 3, 4].map((n) => fleet.putStatus(logger, `${n}.rxd`, rxd(900))));
  expect(answers.sort()).toEqual([200, 200, 503, 503]);
  expect(await spent(logger)).toBe(1800 * 1024);
  // Even a small file takes space for its rows.
  expect(await fleet.putStatus(logger, 'tiny.rxd', 'x')).toBe(200);
  expect(await spent(logger)).toBe(1804 * 1024);
});

/** Creates a logger of a machine of another organization than the fleet's. */
async function loggerOf(organizationId: number, loggerSerial: string): Promise<FleetLogger> {
  const serialNumber = `Q-${loggerSerial}`;
  const streamId = await fleet.portal.machine(organizationId, { serial: serialNumber });
  return { ...(await fleet.portal.logger(streamId, loggerSerial)), serialNumber };
}

test('the oldest log files of an organization over its quota are deleted, their readings kept, and administrators notified once (12.B2)', async () => {
  const { portal } = fleet;
  const full = await portal.organization('vol');
  const [first, second] = [await loggerOf(full, '6000001'), await loggerOf(full, '6000002')];
  const elsewhere = await loggerOf(await portal.organization('ruim'), '6000003');
  await fleet.put(elsewhere, 'old.rxd', rxd(10));
  await fleet.put(first, 'export.csv', 'time,Soc1\n1780000000,1\n1780000001,2\n');
  await fleet.put(second, '1.rxd', rxd(900));
  await fleet.put(first, '2.rxd', rxd(900));
  await fleet.put(second, '3.rxd', rxd(900));
  // A file that replaces another counts once.
  await fleet.put(first, '2.rxd', rxd(910));
  await fleet.put(first, '4.rxd', rxd(200));
  const quotaMails = () =>
    sql(`select data ->> 'to' as to, data ->> 'subject' as subject, data ->> 'text' as text from pgboss.job
      where name = 'mail' and data ->> 'subject' like '%vol BV%'`);
  const health = async () =>
    (await portal.get(`/api/machine/writer/health/${first.serialNumber}`, administrator)).json().quotaNotices;
  const OF_ALL =
    /^De logbestanden van vol BV gebruiken 2,8 MiB van 3,0 MiB \(95%\)\. Is dat vol, dan gaan de oudste weg/;
  const OF_KEY =
    /^Logger 6000001 van vol BV stuurde vandaag 2,0 MiB van 2,0 MiB \(98%\) aan logbestanden\. Wat niet meer/;
  expect(await health()).toEqual([expect.stringMatching(OF_ALL), expect.stringMatching(OF_KEY)]);
  const elsewheres = await portal.get(`/api/machine/writer/health/${elsewhere.serialNumber}`, administrator);
  expect(elsewheres.json().quotaNotices).toEqual([]);
  const metrics = (await portal.get('/metrics', administrator)).body;
  expect(metrics).toMatch(/^werkstroom_log_quota_used_ratio\{quota="key_day"\} (0\.9|1$)/m);
  expect(metrics).toMatch(/^werkstroom_log_quota_used_ratio\{quota="organization"\} 1\.\d/m);

  await fleet.put(second, '5.rxd', rxd(240));
  // A second process of the portal starts, and runs the tasks of every minute at once.
  const { config, pools, secrets, quotas, log, now, mail } = portal.portal;
  another = await openPortal(config, pools, portal.connection, secrets, log, now);
  await expect.poll(() => fleet.headStatus(second, '1.rxd'), { timeout: 20_000 }).toBe(404);
  expect(await fleet.headStatus(first, 'export.csv')).toBe(404);
  for (const [logger, name] of [
    [first, '2.rxd'],
    [second, '3.rxd'],
    [first, '4.rxd'],
    [second, '5.rxd'],
    [elsewhere, 'old.rxd'],
  ] as const)
    expect([name, await fleet.headStatus(logger, name)]).toEqual([name, 200]);
  expect(await fleet.readingsOf(first.streamId)).toBe(2);
  const [counted, there] = await Promise.all([
    sql('select logger_serial, bytes::int from stored_log order by 1'),
    sql(
      `select logger_serial, sum(greatest(size, 4096))::int as bytes from object where log_stored_at is not null group by 1 order by 1`,
    ),
  ]);
  expect(counted).toEqual(there);

  const letter = expect.stringMatching(
    /De logbestanden van vol BV [\s\S]*Logger 6000001 [\s\S]*Logger 6000002 /,
  );
  const mails = [{ to: 'beheer@portaal.nl', subject: 'Logbestanden van vol BV: bijna vol', text: letter }];
  expect(await quotaMails()).toEqual(mails);
  const tellAgain = () => sendQuotaMails(portal.pool, mail, quotas, config.PUBLIC_URL, now());
  await tellAgain();
  expect(await quotaMails()).toHaveLength(1);
  await sql('update organization set log_quota_told_on = log_quota_told_on - 1 where id = $1', [full]);
  await tellAgain();
  expect(await quotaMails()).toHaveLength(2);
});
