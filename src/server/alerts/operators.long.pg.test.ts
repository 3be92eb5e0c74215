import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import type { AlertPreview, Alerts } from '#shared/contract/alerts.ts';
import { ALERT_KIND_NAMES, isOperatorKind, type OperatorAlertKind } from '#shared/domain/alerts/kinds.ts';
import { amsterdamDay, amsterdamInstant } from '#shared/domain/amsterdam-time.ts';
import { addFirstOperatorRules } from './operator-rules.ts';
import { type AlertTestPortal, BEHEERDER_EMAIL, TEST_START_MS } from './test/alert-desk.ts';
import {
  ADMINISTRATOR_EMAIL,
  DAY_MINUTES,
  MINUTES_SINCE_TEST_START,
  OperatorTestPortal,
  TECHNICUS_EMAIL,
} from './test/operator-desk.ts';

const KINDS = ALERT_KIND_NAMES.filter(isOperatorKind);

let o: OperatorTestPortal;
let d: AlertTestPortal;
beforeAll(async () => {
  o = await OperatorTestPortal.open();
  ({ d } = o);
});
beforeEach(() => o.reset());
afterAll(() => d.close());

const asked = (kind: OperatorAlertKind) => ({
  kind,
  settings: { threshold: 3 },
  hours: 'always',
  machines: { by: 'all' },
  isOwn: false,
});

test('only administrators make and see rules about the portal itself (16.1x)', async () => {
  for (const kind of KINDS) {
    for (const [as, isOwn] of [
      [BEHEERDER_EMAIL, false],
      [BEHEERDER_EMAIL, true],
      [TECHNICUS_EMAIL, false],
      [TECHNICUS_EMAIL, true],
    ] as const)
      expect([kind, as, isOwn, (await o.save(kind, { isOwn }, as)).status]).toEqual([kind, as, isOwn, 403]);
    expect((await d.call('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, asked(kind))).status).toBe(403);
  }
  for (const [wrong, message] of [
    [{ organization: 'klant' }, 'Deze soort is van het portaal zelf, en van geen organisatie.'],
    [{ isOwn: true }, 'Deze soort is van het portaal zelf, en van geen organisatie.'],
    [{ roles: ['beheerder'] }, 'Die rol heeft daar niemand.'],
    [{ machines: { by: 'labels', ids: [1] } }, 'Deze soort is van geen machines.'],
    [{ people: [BEHEERDER_EMAIL] }, `${BEHEERDER_EMAIL} is niet van deze organisatie.`],
  ] as const)
    expect(await o.save('disk', wrong)).toMatchObject({ status: 400, json: { message } });
  expect(await d.saveRule('low', { roles: ['technicus'] })).toMatchObject({ status: 400 });

  const id = await o.ruleOf('unknown-logger', { people: [TECHNICUS_EMAIL] });
  const customers = await d.rule('low');
  // A rule cannot change between a kind of the portal and one of machines.
  expect((await d.saveRule('low', { _id: id, organization: 'klant' }, ADMINISTRATOR_EMAIL)).status).toBe(400);
  expect((await o.save('disk', { _id: customers })).status).toBe(400);
  await o.uploadUnknown('WSVREEMD', 3);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 12);
  const isThere = [['unknown-logger', 'WSVREEMD', '3 keer geweigerd']];
  expect([await o.open(), await o.open(TECHNICUS_EMAIL), await o.open(BEHEERDER_EMAIL)]).toEqual([
    isThere,
    isThere,
    [],
  ]);
  const rulesOf = async (as: string) =>
    (await d.call<{ kind: string }[]>('GET', '/api/alert-rule/get', as)).json.map(({ kind }) => kind);
  expect(await rulesOf(ADMINISTRATOR_EMAIL)).toEqual(['low', 'unknown-logger']);
  expect([await rulesOf(BEHEERDER_EMAIL), await rulesOf(TECHNICUS_EMAIL)]).toEqual([['low'], []]);
  const [alert] = (await d.call<Alerts>('GET', '/api/alert/get', ADMINISTRATOR_EMAIL)).json.alerts;
  expect(alert).toMatchObject({ isNew: true, organization: 'admin', machine: null });
  for (const url of ['/api/alert/take', '/api/alert/mute']) {
    const body = { alert: alert?._id, takes: true, what: 'rule', until: 'ever' };
    expect((await d.call('POST', url, BEHEERDER_EMAIL, body)).status).toBe(404);
  }
  expect((await o.save('unknown-logger', { _id: id }, BEHEERDER_EMAIL)).status).toBe(404);
  expect((await d.call('POST', '/api/alert-rule/delete', TECHNICUS_EMAIL, { _id: id })).status).toBe(404);
});

test('each unknown logger that uploads opens one alert, also if several processes run, and the alert resolves after a day without uploads (16.1x)', async () => {
  await o.ruleOf('unknown-logger', { tellsEnd: true });
  await o.uploadUnknown('WSEEN', 3);
  await o.uploadUnknown('WSTWEE', 4);
  await o.uploadUnknown('WSKORT', 2);
  const other = await d.desk.anotherProcess();
  await other.alerts.close();
  d.setClock(MINUTES_SINCE_TEST_START + 12);
  await Promise.all([other.alerts.evaluateClock(), d.desk.portal.portal.alerts.evaluateClock()]);
  await other.alerts.evaluateClock();
  const open = (await o.open()).sort();
  expect(open).toEqual([
    ['unknown-logger', 'WSEEN', '3 keer geweigerd'],
    ['unknown-logger', 'WSTWEE', '4 keer geweigerd'],
  ]);
  await d.notify(MINUTES_SINCE_TEST_START + 14);
  expect((await d.mails()).map(({ to, subject }) => [to, subject])).toEqual([
    [ADMINISTRATOR_EMAIL, expect.stringMatching(/^2 meldingen, waaronder Onbekende logger: WS/)],
  ]);
  // A key that a logger has now is no longer unknown.
  await d.pool.query(`delete from unknown_key where access_key = 'WSEEN'`);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 15);
  expect((await o.open()).map(([, subject]) => subject)).toEqual(['WSTWEE']);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + DAY_MINUTES + 16);
  expect(await o.open()).toEqual([]);
});

test('a growing quarantine has one open alert until it contains only few deliveries of the last 24 hours (16.1x)', async () => {
  await o.ruleOf('quarantine', { settings: { threshold: 2, clear: 1 } });
  const { streamId } = await d.machine();
  d.setClock(MINUTES_SINCE_TEST_START + 11);
  const logger = await d.desk.portal.logger(streamId, '7000010');
  for (let n = 0; n < 2; n += 1) await o.put(logger, 'snapshot.json', `geen json ${n}`);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 12);
  expect(await o.open()).toEqual([]);
  await o.put(logger, 'snapshot.json', 'nog steeds geen json');
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 13);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 14);
  expect(await o.open()).toEqual([['quarantine', null, '3 in 24 uur, de meeste van logger 7000010 (3)']]);
  const { json } = await d.call<AlertPreview>('POST', '/api/alert-rule/preview', ADMINISTRATOR_EMAIL, {
    ...asked('quarantine'),
    settings: { threshold: 2, clear: 1 },
  });
  expect(json).toMatchObject({
    isKnown: true,
    count: 1,
    alerts: [{ machine: null, until: null, words: '3 in 24 uur, de meeste van logger 7000010 (3)' }],
  });
  await d.evaluateClock(MINUTES_SINCE_TEST_START + DAY_MINUTES + 15);
  expect(await o.open()).toEqual([]);
});

test('the disk of each running process has its own alert (16.1x)', async () => {
  await o.ruleOf('disk');
  const { DATA_DIR } = d.desk.portal.portal.config;
  const { rows } = await d.pool.query('select place, free_bytes, all_bytes from portal_disk');
  expect(rows).toEqual([
    { place: `${hostname()}:${DATA_DIR}`, freeBytes: expect.any(Number), allBytes: expect.any(Number) },
  ]);
  expect(rows[0].allBytes).toBeGreaterThan(rows[0].freeBytes);
  const other = async (minute: number, percent: number) => {
    d.setClock(MINUTES_SINCE_TEST_START + minute);
    await d.pool.query(
      `insert into portal_disk values ('ander:/data', $1, 100, $2) on conflict (place) do update set free_bytes = $1, measured_at = $2`,
      [percent, new Date(d.desk.portal.portal.now())],
    );
    await d.evaluateClock(MINUTES_SINCE_TEST_START + minute);
    return (await o.open()).filter(([, place]) => place === 'ander:/data').length;
  };
  expect(await other(12, 11)).toBe(0);
  expect(await other(13, 9)).toBe(1);
  expect(await other(14, 11)).toBe(1);
  expect(await other(15, 12)).toBe(0);
  expect(await other(16, 9)).toBe(1);
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 26);
  expect(await o.open()).toEqual(expect.arrayContaining([['disk', 'ander:/data', expect.any(String)]]));
  await d.evaluateClock(MINUTES_SINCE_TEST_START + 27);
  expect((await o.open()).filter(([, place]) => place === 'ander:/data')).toEqual([]);
  const { rows: recorded } = await d.pool.query(`select from alert where subject = 'ander:/data'`);
  expect(recorded).toHaveLength(2);
});

test('the preview of a rule about the portal itself finds alerts if the past state is known (16.2x)', async () => {
  await o.uploadUnknown('WSTOEN', 3);
  d.setClock(MINUTES_SINCE_TEST_START + 2 * DAY_MINUTES);
  const preview = async (kind: OperatorAlertKind, settings: object) =>
    (
      await d.call<AlertPreview>('POST', '/api/alert-rule/preview', ADMINISTRATOR_EMAIL, {
        ...asked(kind),
        settings,
      })
    ).json;
  const keys = await preview('unknown-logger', { threshold: 3 });
  expect(keys.alerts.filter(({ subject }) => subject === 'WSTOEN')).toEqual([
    {
      machine: null,
      subject: 'WSTOEN',
      words: '3 keer geweigerd',
      since: expect.any(String),
      at: expect.any(String),
      until: expect.any(String),
    },
  ]);
  expect(await preview('backup-old', { threshold: 2 })).toEqual({
    isKnown: false,
    count: 0,
    alerts: [],
    machines: null,
  });
});

test('an administrator without preferences gets disk and backup alerts by mail at night, the rest in the morning (55.30)', async () => {
  await d.pool.query('delete from alert_preference');
  await d.pool.query(`update schema_migration set applied_at = applied_at - interval '10 days'`);
  await inTransaction(d.pool, async (client) => {
    const { rows } = await client.query(`select id from organization where name = 'admin'`);
    await addFirstOperatorRules(client, rows[0].id);
  });
  await o.uploadUnknown('WSNACHT', 3);
  const tomorrow = amsterdamDay(TEST_START_MS + (MINUTES_SINCE_TEST_START + DAY_MINUTES) * 60_000);
  const three = ((amsterdamInstant(`${tomorrow} 03:00`, 'first') as number) - TEST_START_MS) / 60_000;
  const at = (minute: number) => new Date(TEST_START_MS + minute * 60_000);
  await d.pool.query('update unknown_key set last_seen_at = $1', [at(three)]);
  await d.pool.query(`insert into portal_disk values ('host:/data', 4, 100, $1)`, [at(three)]);
  for (const minute of [three - 11, three - 6, three]) await d.evaluateClock(minute);
  expect((await o.open()).map(([kind, subject]) => [kind, subject])).toEqual(
    expect.arrayContaining([
      ['backup-old', null],
      ['disk', 'host:/data'],
      ['unknown-logger', 'WSNACHT'],
    ]),
  );
  await d.notify(three + 2);
  const mailed = async () =>
    (await d.mails()).map(({ to, subject, text }) => [to, `${subject} ${text}`.replace(/\s+/g, ' ')]);
  // Each urgent alert is in a mail of its own.
  const night = await mailed();
  expect(night.map(([to]) => to)).toEqual([ADMINISTRATOR_EMAIL, ADMINISTRATOR_EMAIL]);
  expect(night.map(([, text]) => text).sort()).toEqual([
    expect.stringContaining('Back-up te oud'),
    expect.stringContaining('Schijf bijna vol: host:/data'),
  ]);
  await d.notify(three + 3.5 * 60 + 1);
  const morning = (await mailed()).slice(2);
  expect(morning).toEqual([[ADMINISTRATOR_EMAIL, expect.stringContaining('Onbekende logger: WSNACHT')]]);
  expect((await o.open(TECHNICUS_EMAIL)).length).toBeGreaterThanOrEqual(3);
});
