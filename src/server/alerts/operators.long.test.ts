import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '#server/backup/test/run.ts';
import { BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import { inTransaction } from '#server/platform/database.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { createKey } from '#server/writers/keys.store.ts';
import type { Alerts } from '#shared/contract/alerts.ts';
import { type AlertTestPortal, BEHEERDER_EMAIL } from './test/alert-desk.ts';
import {
  ADMINISTRATOR_EMAIL,
  DAY_MINUTES,
  MINUTES_SINCE_TEST_START,
  OperatorTestPortal,
} from './test/operator-desk.ts';

let o: OperatorTestPortal;
let d: AlertTestPortal;
beforeAll(async () => {
  o = await OperatorTestPortal.open();
  ({ d } = o);
});
beforeEach(() => o.reset());
afterAll(() => d.close());

test('a machine whose logger does not run the downloaded configuration after 48 hours has an open alert until the logger runs it (16.1x)', async () => {
  await o.ruleOf('config-not-running');
  const get = async (url: string, query: object) => {
    const cookie = await d.desk.cookieOf(ADMINISTRATOR_EMAIL);
    const search = new URLSearchParams(query as Record<string, string>);
    const { statusCode, body } = await d.desk.portal.get(`${url}?${search}`, cookie);
    expect([statusCode, body]).toEqual([200, body]);
  };
  const serienummer = 'C-1';
  const form = validMachineForm(serienummer);
  await get('/api/machine/create', form);
  await get('/api/machine/writer/create', {
    bedrijf: 'klant',
    serienummer,
    influxserienummer: form.influx_serial,
    dbcserienummer: '',
  });
  const file = `data:application/octet-stream;base64,${Buffer.from(BATTERY_DBC).toString('base64')}`;
  const dbc = { serial: serienummer, name: 'accu.dbc', file };
  expect((await d.call('POST', '/api/machine/dbc/upload', ADMINISTRATOR_EMAIL, dbc)).status).toBe(200);
  await get('/api/machine/config/create', { serienummer });
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 3 * DAY_MINUTES);
  expect(await o.open()).toEqual([]);
  d.setClock(MINUTES_SINCE_TEST_START + 12);
  await get('/api/machine/config/download', { serienummer });
  for (const minute of [0, 5, 11])
    await d.evaluateClock(MINUTES_SINCE_TEST_START + 12 + 2 * DAY_MINUTES - 12 + minute);
  expect(await o.open()).toEqual([]);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 12 + 2 * DAY_MINUTES);
  expect(await o.open()).toEqual([
    ['config-not-running', serienummer, 'het gedownloade bestand draait nog niet'],
  ]);
  // The beheerder of the machine's owner does not see the alert.
  expect(await o.open(BEHEERDER_EMAIL)).toEqual([]);
  const { rows } = await d.pool.query<{ guid: string; writerId: number; loggerSerial: string }>(
    `select c.guid, w.id as "writerId", w.logger_serial as "loggerSerial" from logger_config c join writer w on w.id = c.writer_id`,
  );
  const { guid, writerId, loggerSerial } = rows[0] as (typeof rows)[number];
  const key = await createKey(d.pool, d.desk.portal.secrets, writerId);
  const status = JSON.stringify({ fw_ver: '1', config_GUID: guid, RTC_UNIX: 1_790_000_000 });
  await o.put({ ...key, loggerSerial }, 'Status.json', status);
  await d.desk.portal.portal.counters.flush();
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 13 + 2 * DAY_MINUTES);
  expect(await o.open()).toEqual([]);
});

test('a failure of the mail server is notified in the portal and on devices, and by mail once the server works again (16.1x)', async () => {
  await o.ruleOf('mail-failing');
  o.isRefusing = true;
  try {
    await inTransaction(d.pool, (client) =>
      d.desk.portal.portal.mail.queue(client, {
        to: 'x@klant.nl',
        subject: 'X',
        text: 'x',
        html: '<p>x</p>',
      }),
    );
    const states = async (name: string) => {
      const { rows } = await d.pool.query('select state from pgboss.job where name = $1 order by id', [name]);
      return rows.map(({ state }) => state);
    };
    await expect.poll(async () => (await states('mail')).includes('retry'), { timeout: 20_000 }).toBe(true);
    await d.evaluateClock(MINUTES_SINCE_TEST_START + 20);
    expect(await o.open()).toEqual([]);
    for (const minute of [25, 31]) await d.evaluateClock(MINUTES_SINCE_TEST_START + minute);
    await d.evaluateClock(MINUTES_SINCE_TEST_START + 36);
    expect(await o.open()).toEqual([
      ['mail-failing', null, expect.stringMatching(/^1 mail al 3\d min niet verstuurd$/)],
    ]);
    expect((await d.call<Alerts>('GET', '/api/alert/get', ADMINISTRATOR_EMAIL)).json.fresh).toBe(1);
    await d.notify(MINUTES_SINCE_TEST_START + 38);
    const pushed = `select from alert_message where channel = 'push' and sent_at is not null`;
    await expect.poll(async () => (await d.pool.query(pushed)).rowCount, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => states('alert-mail'), { timeout: 20_000 }).toContain('retry');
    expect(d.desk.server.delivered.map(({ source }) => source).join()).not.toContain('Mail komt niet weg');
  } finally {
    o.isRefusing = false;
    await d.pool.query(`update pgboss.job set start_after = now() where state = 'retry'`);
  }
  expect((await d.mails()).map(({ subject }) => subject)).toContain('Mail komt niet weg');
  await expect
    .poll(async () => {
      await d.evaluateClock(MINUTES_SINCE_TEST_START + 39);
      return o.open();
    })
    .toEqual([]);
});

test('a backup that is too old has an open alert until npm run backup succeeds (16.1x)', async () => {
  await d.pool.query(`update schema_migration set applied_at = applied_at - interval '10 days'`);
  await o.ruleOf('backup-old');
  expect(await o.open()).toEqual([['backup-old', null, 'al 10 dagen geen back-up gemaakt']]);
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-alerts-'));
  try {
    const settings = { DATABASE_URL: databaseUrlOf(d.desk.portal.connection), DATA_DIR: folder };
    // A backup fails in a folder that cannot be written.
    expect((await runCommand('backup', join(folder, 'nergens', 'a.backup'), settings)).code).toBe(1);
    await d.evaluateClock(MINUTES_SINCE_TEST_START + 12);
    expect(await o.open()).toHaveLength(1);
    expect(await runCommand('backup', join(folder, 'a.backup'), settings)).toMatchObject({
      code: 0,
      stderr: '',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 13);
  expect(await o.open()).toEqual([]);
});

test('a logger whose last ten log files gave no reading has an open alert of its machine until a file gives one (52.2)', async () => {
  await o.ruleOf('logs-empty');
  const { streamId } = await d.desk.machine(BEHEERDER_EMAIL);
  const logger = await d.desk.portal.logger(streamId, '7000077', undefined, new Date(0));
  const put = (n: number, line: string) => o.put(logger, `log/${n}.csv`, `time,Soc1\n${line}\n`);
  for (let n = 0; n < 9; n += 1) await put(n, '1970-01-02T00:00:00Z,5');
  const emptyLogs = async () => {
    const answer = await d.desk.portal.get(
      '/api/machine/empty-logs',
      await d.desk.cookieOf(ADMINISTRATOR_EMAIL),
    );
    return answer.json().map(({ words }: { words: string }) => words);
  };
  expect(await emptyLogs()).toEqual([]);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 12);
  expect(await o.open()).toEqual([]);
  await put(9, '1970-01-02T00:00:00Z,5');
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 13);
  expect(await o.open()).toEqual([
    ['logs-empty', expect.any(String), expect.stringMatching(/^de laatste 10 logbestanden: 0 metingen; /)],
  ]);
  expect(await o.open(BEHEERDER_EMAIL)).toEqual([]);
  expect(await emptyLogs()).toEqual(['laatste 10 logbestanden zonder metingen']);
  await put(10, `${new Date(d.desk.portal.portal.now() - 60_000).toISOString()},5`);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 14);
  expect(await o.open()).toEqual([]);
  expect(await emptyLogs()).toEqual([]);
});
