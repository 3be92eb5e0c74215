import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import {
  AlertTestPortal,
  ANNA_EMAIL,
  BEHEERDER_EMAIL,
  readingsDuring,
  testMinuteMs,
} from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
beforeEach(() => d.reset());
afterAll(() => d.close());

const LOW = { Soc1: 15 };
const FULL = { Soc1: 80 };

test('readings that meet a rule’s condition open one alert, which is shown immediately and resolves when the condition ends (16.3d)', async () => {
  await d.rule('low');
  const { streamId, serial } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  expect(await d.recorded(streamId)).toEqual(['low 0…']);
  expect(await d.alerts()).toMatchObject([
    {
      kind: 'low',
      machine: { serialNumber: serial },
      words: 'accu op 15%',
      value: 15,
      threshold: 20,
      unit: '%',
      since: new Date(testMinuteMs(0)).toISOString(),
      until: null,
      isNew: true,
      state: 'firing',
      taken: null,
    },
  ]);
  // A person who is no recipient of the rule sees the alert, and it is not new to them.
  expect(await d.alerts('firing', ANNA_EMAIL)).toMatchObject([{ isNew: false }]);
  await d.live(streamId, readingsDuring(4, 8, FULL));
  expect(await d.recorded(streamId)).toEqual(['low 0-4']);
  expect(await d.alerts()).toEqual([]);
  expect(await d.alerts('resolved')).toMatchObject([{ until: new Date(testMinuteMs(4)).toISOString() }]);
});

test('an evaluation starts again if another transaction changes queued messages about its alerts while it runs (16.3d)', async () => {
  await d.rule('low');
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  const other = await d.pool.connect();
  await other.query('begin');
  await other.query(`update alert_outbox set due_at = now()`);
  const evaluated = d.live(streamId, readingsDuring(4, 8, FULL));
  await waitForLockWaits(d.pool, 1);
  await other.query('commit');
  other.release();
  await evaluated;
  expect(await d.recorded(streamId)).toEqual(['low 0-4']);
});

test('the transaction that makes messages starts again after a deadlock (16.3d)', async () => {
  await d.rule('low');
  const first = await d.machine();
  const second = await d.machine();
  for (const { streamId } of [first, second]) await d.live(streamId, readingsDuring(0, 4, LOW));
  const { rows } = await d.pool.query<{ id: string }>(
    'select alert_id as id from alert_outbox order by due_at, alert_id',
  );
  const [one, other] = [rows[0]?.id, rows.at(-1)?.id];
  const hold = 'update alert_outbox set due_at = due_at where alert_id = $1';
  const person = await d.pool.connect();
  await person.query('begin');
  await person.query(hold, [other]);
  const notified = d.notify(8);
  await waitForLockWaits(d.pool, 1);
  // On a slow machine PostgreSQL may end the deadlock by aborting this transaction instead.
  await person.query(hold, [one]).catch(() => {});
  await person.query('rollback');
  person.release();
  await notified;
  const { rows: left } = await d.pool.query('select from alert_outbox where message_id is null');
  expect(left).toEqual([]);
});

test('readings stored right after a rule was made are evaluated (16.3d)', async () => {
  const { streamId } = await d.machine();
  await d.rule('low');
  await d.desk.store(streamId, readingsDuring(1, 5, LOW));
  await d.evaluate(6);
  expect(await d.recorded(streamId)).toEqual(['low 1…']);
});

test('the first alert is mailed after a minute, later alerts are mailed as a list after a quarter of an hour, and the end of an alert only if its rule asks for that (16.4g)', async () => {
  await d.rule('low', { tellsEnd: true, people: [ANNA_EMAIL] });
  const one = await d.machine();
  const two = await d.machine();
  const three = await d.machine();
  await d.live(one.streamId, readingsDuring(0, 3, LOW));
  await d.notify(2.9);
  expect(await d.mails()).toEqual([]);
  await d.notify(4);
  const [first, ...others] = await d.mails();
  expect(first?.subject).toBe(`Accu laag: ${one.alias} (#${one.serial})`);
  expect(others).toHaveLength(1);
  await d.live(two.streamId, readingsDuring(4, 7, LOW));
  await d.live(three.streamId, readingsDuring(7, 10, LOW));
  await d.live(one.streamId, readingsDuring(10, 13, FULL));
  await d.notify(14);
  expect(await d.mails()).toHaveLength(2);
  await d.notify(19.1);
  const later = (await d.mails()).slice(2);
  expect(later.map(({ to }) => to).sort()).toEqual([ANNA_EMAIL, BEHEERDER_EMAIL]);
  expect(later[0]?.subject).toMatch(/^3 meldingen, waaronder Accu laag: Kraan/);
  expect(later[0]?.text).toContain(`Accu laag: ${one.alias} (#${one.serial}) is voorbij`);
  // The later mail belongs to the thread of the first mail.
  const header = (mail: { source: string } | undefined, name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(mail?.source ?? '')?.[1]?.trim();
  const thread = header(later[0], 'References');
  expect([first, ...others].map((mail) => header(mail, 'Message-ID'))).toContain(thread);
});

test('an alert that resolves before its notification is due is notified if its kind is an event, such as speeding, else not (16.4h)', async () => {
  await d.rule('low');
  await d.rule('speeding');
  const { streamId } = await d.machine();
  await d.live(streamId, [
    ...readingsDuring(0, 2.5, { Speed: 50, ...LOW }),
    ...readingsDuring(2.5, 5, { Speed: 0, ...FULL }),
  ]);
  expect(await d.recorded(streamId)).toEqual(['low 0-2.5', 'speeding 0-2.5']);
  await d.notify(6);
  const mails = await d.mails();
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Snelheid boven: Kraan/)]);
});

test('an alert that resolved before its notification is notified if a late reading opens it again (16.3e)', async () => {
  await d.rule('low');
  const { streamId } = await d.machine();
  await d.live(streamId, [...readingsDuring(0, 4, LOW), ...readingsDuring(4, 6.5, FULL)]);
  expect(await d.recorded(streamId)).toEqual(['low 0-4']);
  await d.desk.store(streamId, [{ time: testMinuteMs(5.25), signals: LOW }]);
  await d.evaluate(6.5);
  expect(await d.recorded(streamId)).toEqual(['low 0…']);
  await d.notify(9);
  expect((await d.mails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Accu laag: Kraan/),
  ]);
});

test('a webhook of the organization gets the events of docs/webhooks.md, but no event of a person’s own rule (16.5i, 42.71)', async () => {
  // Marks the webhook as claimed by another process for ever, so that none of its deliveries is sent.
  await d.pool.query(
    `insert into webhook (organization_id, name, url, secret, taken_until)
     values ($1, 'Planning', 'https://planning.klant.nl/in', '', 'infinity')`,
    [d.desk.klant],
  );
  await d.rule('low', { ruleName: 'Accu’s' });
  await d.rule('low', { isOwn: true }, ANNA_EMAIL);
  const { streamId, serial, alias } = await d.machine();
  await d.live(streamId, [...readingsDuring(0, 4, LOW), ...readingsDuring(4, 8, FULL)]);
  const { rows } = await d.pool.query('select event_id, type, body from webhook_delivery order by made_nth');
  const events = rows.map(({ eventId, type, body }) => ({ id: eventId, type, ...JSON.parse(body) }));
  const [opened, closed, ...others] = events;
  expect(others).toEqual([]);
  expect(opened).toEqual({
    id: `alert-${opened.data.alert}-opened`,
    type: 'alert.opened',
    timestamp: new Date(testMinuteMs(2)).toISOString(),
    data: {
      alert: expect.stringMatching(/^\d+$/),
      kind: 'low',
      severity: 'notice',
      rule: 'Accu’s',
      words: 'accu op 15%',
      value: 15,
      threshold: 20,
      unit: '%',
      since: expect.any(String),
      until: null,
      subject: null,
      machine: { serialNumber: serial, alias },
    },
  });
  expect(Date.parse(opened.data.since)).toBe(testMinuteMs(0));
  expect(closed).toMatchObject({ id: `alert-${opened.data.alert}-closed`, type: 'alert.closed' });
  expect(Date.parse(closed.data.until)).toBe(testMinuteMs(4));
  const example = /```json\n([\s\S]*?)```/.exec(await readFile('docs/webhooks.md', 'utf8'))?.[1] ?? '';
  const documented = JSON.parse(example);
  expect(Object.keys(documented.data).sort()).toEqual(Object.keys(opened.data).sort());
});

test('quiet hours delay alerts that are not urgent until the quiet hours end, 06:30 at the earliest (16.4i)', async () => {
  // START is 14:00; 20:00 is 360 minutes later, and 06:30 of the next day 990.
  await d.wants(BEHEERDER_EMAIL, { quiet: { from: '20:00', to: '05:00' } });
  await d.rule('low');
  await d.rule('speeding', { severity: 'urgent' });
  const { streamId } = await d.machine();
  await d.desk.store(streamId, [{ time: testMinuteMs(369), signals: LOW }]);
  await d.evaluate(370);
  await d.live(streamId, readingsDuring(370, 374, { Speed: 50, ...LOW }));
  await d.notify(376);
  expect((await d.mails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Dringend: Snelheid boven/),
  ]);
  await d.notify(989);
  expect(await d.mails()).toHaveLength(1);
  await d.notify(990.1);
  expect((await d.mails())[1]?.subject).toMatch(/^Accu laag/);
});

test('the alerts of a daily rule that are still open at 06:30 are sent then in one mail, and no alert of that rule is pushed to a device (53.9)', async () => {
  await d.wants(BEHEERDER_EMAIL, { quiet: null });
  await d.rule('low', { severity: 'daily' });
  await d.rule('speeding', { severity: 'daily' });
  const { streamId } = await d.machine();
  const other = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  await d.live(other.streamId, readingsDuring(5, 9, { Speed: 50, ...LOW }));
  await d.live(other.streamId, readingsDuring(10, 14, { Speed: 0, ...FULL }));
  const { rows } = await d.pool.query('select distinct channel from alert_outbox where message_id is null');
  expect(rows).toEqual([{ channel: 'mail' }]);
  await d.notify(989);
  expect(await d.mails()).toEqual([]);
  // START is 14:00, so minute 990 is 06:30 of the next day.
  await d.notify(990.1);
  const mails = await d.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('Reed 50 km/u');
  expect(mails[0]?.text.match(/Accu laag/g)).toHaveLength(1);
});

test('a mute stops the notifications about one machine or rule to one person, until it expires or that person ends it (16.4j)', async () => {
  await d.rule('low', { people: [ANNA_EMAIL] });
  const one = await d.machine();
  const two = await d.machine();
  await d.live(one.streamId, readingsDuring(0, 3, LOW));
  const [alert] = await d.alerts();
  const body = { alert: alert?._id, what: 'machine', until: 'tomorrow' };
  expect((await d.call('POST', '/api/alert/mute', BEHEERDER_EMAIL, body)).status).toBe(200);
  await d.live(two.streamId, readingsDuring(3, 6, LOW));
  await d.notify(8);
  const mails = await d.mails();
  const mailsTo = (who: string) => mails.filter(({ to }) => to === who).map(({ text }) => text);
  expect(mailsTo(ANNA_EMAIL)[0]).toContain(one.alias);
  expect(mailsTo(BEHEERDER_EMAIL)[0]).not.toContain(one.alias);
  expect(mailsTo(BEHEERDER_EMAIL)[0]).toMatch(/^Accu op 15%/);
  const { json } = await d.call<{ mutes: { _id: number; until: string }[] }>(
    'GET',
    '/api/alert/preferences',
    BEHEERDER_EMAIL,
  );
  // The mute ends at 06:30 in Amsterdam, in winter.
  expect(json.mutes).toMatchObject([
    { machine: { serialNumber: one.serial }, rule: null, until: '2026-11-21T05:30:00.000Z' },
  ]);
  expect((await d.call('POST', '/api/alert/unmute', ANNA_EMAIL, { _id: json.mutes[0]?._id })).status).toBe(
    404,
  );
  expect(
    (await d.call('POST', '/api/alert/unmute', BEHEERDER_EMAIL, { _id: json.mutes[0]?._id })).status,
  ).toBe(200);
  const { rows } = await d.pool.query('select action from audit order by id desc limit 1');
  expect(rows).toEqual([{ action: 'alert.unmute' }]);
});

test('late readings withdraw an alert whose condition did not hold, and record a past alert without notifying anyone (16.3e)', async () => {
  await d.rule('low');
  const { streamId } = await d.machine();
  const late = readingsDuring(1, 3, { ...FULL, ChargingCurrent: 0 });
  await d.live(streamId, readingsDuring(0, 1, LOW));
  await d.live(streamId, readingsDuring(3, 4, LOW));
  await d.notify(6);
  expect(await d.recorded(streamId)).toEqual(['low 0…']);
  expect(await d.mails()).toHaveLength(1);
  await d.desk.store(streamId, late);
  await d.live(streamId, readingsDuring(4, 5, FULL));
  await d.evaluate(10);
  expect(await d.recorded(streamId)).toEqual(['!low 0…']);
  await d.notify(22);
  expect((await d.mails())[1]?.subject).toMatch(/bleek niet zo$/);
  // Late readings can also add an alert: they are older than readings that were evaluated before, and the alert causes no mail.
  await d.live(streamId, readingsDuring(20, 21, FULL));
  await d.desk.store(streamId, readingsDuring(10, 18, LOW));
  await d.evaluate(30);
  expect(await d.recorded(streamId)).toEqual(['!low 0…', 'low 10…']);
  await d.notify(45);
  expect(await d.mails()).toHaveLength(2);
});

test('an alert that was open at the start of the re-evaluated days and has resolved is recorded once (16.3e)', async () => {
  await d.rule('low');
  const { streamId } = await d.machine();
  const every = (from: number, to: number, signals: Readonly<Record<string, number>>) =>
    Array.from({ length: (to - from) / 4 }, (_, n) => ({ time: testMinuteMs(from + 4 * n), signals }));
  for (const from of [0, 1_200, 2_400]) {
    await d.desk.store(streamId, every(from, from + 1_200, LOW));
    await d.evaluate(from + 1_200);
  }
  await d.desk.store(streamId, every(3_600, 3_640, FULL));
  await d.evaluate(3_640);
  await d.desk.store(streamId, [{ time: testMinuteMs(3_630.5), signals: FULL }]);
  await d.evaluate(3_650);
  expect(await d.recorded(streamId)).toEqual(['low 0-3600']);
});

test('an alert about a condition that ended more than an hour ago is recorded without a notification (16.3g)', async () => {
  await d.rule('low');
  const { streamId } = await d.machine();
  await d.desk.store(streamId, [
    ...readingsDuring(0, 10, LOW),
    ...readingsDuring(10, 15, FULL),
    ...readingsDuring(100, 101, FULL),
  ]);
  await d.evaluate(101);
  expect(await d.recorded(streamId)).toEqual(['low 0-10']);
  await d.notify(110);
  expect(await d.mails()).toEqual([]);
  expect(await d.alerts('resolved')).toMatchObject([{ isNew: false }]);
});

test('a changed condition ends the open alerts of a rule, and ignores earlier readings (16.3h, 55.72)', async () => {
  const _id = await d.rule('low');
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  const settings = { threshold: 10, clear: 12, hold: 2, clearHold: 2 };
  const saved = await d.saveRule('low', { _id, settings });
  expect(saved.status).toBe(200);
  // 55.72: the message names the changed fields by the labels of the form.
  expect(saved.json.message).toMatch(/^Gewijzigd: .*Onder: 20 % → 10 %.*\.$/);
  expect(await d.recorded(streamId)).toEqual(['low 0-4.5']);
  await d.live(streamId, readingsDuring(5, 8, LOW));
  expect(await d.recorded(streamId)).toHaveLength(1);
  await d.live(streamId, readingsDuring(8, 12, { Soc1: 5 }));
  expect(await d.recorded(streamId)).toEqual(['low 0-4.5', 'low 8…']);
  // After the rule is switched off it no longer notifies.
  expect((await d.saveRule('low', { _id, settings, isOn: false })).json.message).toBe('De regel staat uit.');
  expect(await d.alerts()).toEqual([]);
  await d.notify(20);
  expect(await d.mails()).toEqual([]);
  // A new name does not change the condition.
  expect((await d.saveRule('low', { _id, settings, isOn: false, ruleName: 'Bijna leeg' })).status).toBe(200);
  expect((await d.call<object[]>('GET', '/api/alert-rule/get', BEHEERDER_EMAIL)).json).toMatchObject([
    { ruleName: 'Bijna leeg', isOn: false, open: 0, organization: 'klant' },
  ]);
});

test('alerts of a machine stay with its former owner, and the new owner is not notified of them (16.3i)', async () => {
  await d.rule('low', { people: [ANNA_EMAIL] });
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  await d.pool.query(`update ownership set valid_to = $2 where stream_id = $1`, [
    streamId,
    new Date(testMinuteMs(4)),
  ]);
  const elsewhere = await d.desk.portal.organization('ander');
  await d.desk.portal.user('baas@ander.nl', elsewhere, 'beheerder');
  await d.pool.query('insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)', [
    streamId,
    elsewhere,
    new Date(testMinuteMs(4)),
  ]);
  expect(await d.alerts()).toEqual([]);
  expect(await d.alerts('firing', 'baas@ander.nl')).toEqual([]);
  await d.evaluateClock(5);
  expect(await d.recorded(streamId)).toEqual(['low 0-5']);
  await d.notify(6);
  expect(await d.mails()).toEqual([]);
});

test('one silent logger opens an alert, and many loggers that fall silent at once open one alert together (16.7b)', async () => {
  await d.rule('silent', { tellsEnd: true });
  const machines = [];
  for (let n = 0; n < 6; n += 1) machines.push(await d.machine());
  const first = machines[0]?.streamId;
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(0))]);
  for (let minute = 1_400; minute < 1_440; minute += 5) await d.evaluateClock(minute);
  expect(await d.alerts()).toEqual([]);
  // A machine that reported an hour later is not silent yet.
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1 where stream_id = $2', [
    new Date(testMinuteMs(60)),
    first,
  ]);
  await d.evaluateClock(1_440);
  await d.evaluateClock(1_441);
  const open = await d.alerts();
  expect(open.filter(({ machine }) => machine !== null)).toHaveLength(5);
  expect(open.find(({ machine }) => machine === null)?.words).toContain('5 van de 6 machines');
  await d.notify(1_452);
  const [mail, ...others] = await d.mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Logger stil: veel machines tegelijk');
  // The machines report again.
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(1_453))]);
  await d.evaluateClock(1_454);
  expect(await d.alerts()).toEqual([]);
  await d.notify(1_470);
  expect((await d.mails())[1]?.subject).toBe('Logger stil: veel machines tegelijk is voorbij');
});

test('the downtime of the portal does not count as silence of a machine, and a machine that is silent when a rule begins gives one notification (16.7c)', async () => {
  const { streamId } = await d.machine();
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(0))]);
  d.setClock(1_500);
  const _id = await d.rule('silent');
  await d.evaluateClock(1_500);
  await d.evaluateClock(1_505);
  expect(await d.recorded(streamId)).toEqual([]);
  await d.evaluateClock(1_511);
  expect(await d.alerts()).toMatchObject([{ isNew: true }]);
  await d.notify(1_522);
  expect(await d.mails()).toHaveLength(1);

  // A changed condition closes the alert and opens it again without a notification.
  for (const minute of [1_516, 1_521, 1_526, 1_530]) await d.evaluateClock(minute);
  await d.saveRule('silent', { _id, settings: { threshold: 20 } });
  await d.evaluateClock(1_531);
  expect(await d.recorded(streamId)).toEqual(['silent 0-1530', 'silent 0…']);
  expect(await d.alerts()).toMatchObject([{ isNew: false }]);
  await d.notify(1_550);
  expect(await d.mails()).toHaveLength(1);
});

test('a machine whose newest reading was days old when it was received counts as silent since the time of that reading (53.8)', async () => {
  const days = 3 * 1_440;
  const { streamId } = await d.machine();
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(days))]);
  d.setClock(days);
  await d.rule('silent');
  for (const minute of [days, days + 5, days + 11]) await d.evaluateClock(minute);
  expect(await d.recorded(streamId)).toEqual(['silent -1…']);
  expect(await d.alerts()).toMatchObject([{ words: 'al 3 dagen niets gehoord' }]);
});

test('many machines that are silent when a rule begins are notified as a list, not as a network failure (53.8)', async () => {
  for (let n = 0; n < 6; n += 1) await d.machine();
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(0))]);
  d.setClock(1_500);
  await d.rule('silent');
  for (const minute of [1_500, 1_505, 1_511]) await d.evaluateClock(minute);
  expect((await d.alerts()).every(({ machine }) => machine !== null)).toBe(true);
  await d.notify(1_522);
  const mails = await d.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).not.toContain('tegelijk');
});

test('setting the portal’s clock back neither resolves the alert about a silent machine nor sends a second notification (16.7y)', async () => {
  await d.rule('silent');
  const { streamId } = await d.machine();
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(0))]);
  for (const minute of [1_430, 1_440, 1_445, 1_400, 1_450, 1_455, 1_460]) await d.evaluateClock(minute);
  expect(await d.recorded(streamId)).toEqual(['silent 0…']);
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(1_462))]);
  await d.evaluateClock(1_400);
  expect(await d.recorded(streamId)).toEqual(['silent 0…']);
  await d.evaluateClock(1_463);
  expect(await d.recorded(streamId)).toEqual(['silent 0-1462']);
});

/** Monday 07:00, when the first shift after START begins, in minutes after START. */
const SHIFT = 3_900;

test('a machine that sends nothing after the shift began has an open alert until it sends, and none in the weekend (16.7d)', async () => {
  await d.rule('unseen');
  await d.rule('silent', { settings: { threshold: 100 } });
  const { streamId } = await d.machine();
  // A machine that never reported is not missed, and does not affect the alerts of others.
  await d.desk.machine();
  await inEachShard(d.pool, `update telemetry.latest set updated_at = $1 where isfinite(time)`, [
    new Date(testMinuteMs(0)),
  ]);
  for (const minute of [1_430, 1_440, SHIFT + 50, SHIFT + 59]) await d.evaluateClock(minute);
  expect(await d.recorded(streamId)).toEqual([]);
  await d.evaluateClock(SHIFT + 60);
  expect(await d.alerts()).toMatchObject([
    { kind: 'unseen', words: 'al 2 dagen niets gehoord', isNew: true },
  ]);
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1, time = $1 where stream_id = $2', [
    new Date(testMinuteMs(SHIFT + 62)),
    streamId,
  ]);
  await d.evaluateClock(SHIFT + 63);
  expect(await d.recorded(streamId)).toEqual([`unseen 0-${SHIFT + 62}`]);
});

test('the alert about machines that will not be fully charged at the start of the shift is sent two hours before it, with the machines grouped by place and the latest plug-in time (16.7e, 16.7g)', async () => {
  await d.rule('not-full', { people: [ANNA_EMAIL] });
  const machines = [await d.machine(), await d.machine(), await d.machine(), await d.machine()] as const;
  const [one, two, full, near] = machines;
  const inZwolle = { LATITUDE: 52.5, LONGITUDE: 6.09 };
  for (const { streamId } of machines)
    await d.desk.store(streamId, [
      {
        time: testMinuteMs(SHIFT - 125),
        signals: { Soc1: streamId === full.streamId ? 95 : 40, ...(streamId !== one.streamId && inZwolle) },
      },
    ]);
  const project = await row('project (organization_id, name, first_day)', `$1, 'Sluis', '2026-01-01'`);
  await d.pool.query(
    `insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, 'infinity')`,
    [project, one.streamId, new Date(testMinuteMs(0))],
  );
  // One machine has earlier charging sessions, in which each percent took a minute.
  await d.pool.query(
    `insert into charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, highest_watts, soc_from, soc_to,
       ended, first_percent, reached_ms)
     select $1, $2::timestamptz - make_interval(days => n), $2::timestamptz - make_interval(days => n) + interval '90 minutes',
       5400000, 0, 1, 20000, '{10}', '{100}', 'full', 10, array(select i * 60000 from generate_series(0, 90) i)
     from generate_series(1, 6) n`,
    [two.streamId, new Date(testMinuteMs(0))],
  );
  for (const minute of [SHIFT - 130, SHIFT - 121]) await d.evaluateClock(minute);
  expect(await d.alerts()).toEqual([]);
  await d.evaluateClock(SHIFT - 120);
  const said = new Map((await d.alerts()).map(({ machine, words }) => [machine?.serialNumber, words]));
  expect(said.get(one.serial)).toBe('accu op 40%, laadt niet');
  expect(said.get(two.serial)).toMatch(
    /^accu op 40%, laadt niet; vol lukt nog met de lader eraan voor 05:[45]\d$/,
  );
  expect(said.size).toBe(3);
  await d.notify(SHIFT - 118);
  const mails = await d.mails();
  expect(mails.map(({ subject }) => subject)).toEqual(
    Array(2).fill(expect.stringMatching(/^3 meldingen, waaronder Niet vol bij begin van de dienst: Kraan/)),
  );
  expect(mails[0]?.text.split('\n\n').slice(0, 7)).toEqual([
    'Niet vol bij begin van de dienst. Project Sluis:',
    `${one.alias} (#${one.serial}): accu op 40%, laadt niet.`,
    expect.stringMatching(/^Zet de machine aan de lader/),
    'Niet vol bij begin van de dienst. Omgeving Zwolle:',
    `${two.alias} (#${two.serial}): ${said.get(two.serial)}.`,
    `${near.alias} (#${near.serial}): accu op 40%, laadt niet.`,
    expect.stringMatching(/^Zet de machine aan de lader/),
  ]);
  await d.evaluateClock(SHIFT);
  expect(await d.alerts()).toEqual([]);
});

test('a machine that by its use on this weekday of the last four weeks will run out of charge before the end of the shift has an open alert until it charges (16.7w)', async () => {
  await d.rule('runs-short');
  const { streamId } = await d.machine();
  const other = await d.machine();
  const beginner = await d.machine();
  // On earlier Mondays the level falls by 5 points an hour for ten hours from 07:00 on.
  const WEEK = 7 * 24 * 60;
  const monday = (weeks: number): Reading[] =>
    Array.from({ length: 121 }, (_, n) => ({
      time: testMinuteMs(SHIFT - weeks * WEEK + 5 * n),
      signals: { Soc1: 100 - (5 * n) / 12, MotorSpeed: 1500 },
    }));
  for (const one of [streamId, other.streamId])
    for (const weeks of [2, 1]) await d.desk.store(one, monday(weeks));
  await d.desk.store(beginner.streamId, monday(1));
  await computeUntilUpToDate(d.pool);
  let evaluated = SHIFT - 20;
  const evaluateUntil = async (minute: number, signals?: Signals) => {
    for (; evaluated < minute; evaluated += 10) await d.evaluateClock(evaluated);
    if (signals) await d.desk.store(streamId, [{ time: testMinuteMs(minute), signals }]);
    await d.evaluateClock(minute);
  };
  // 06:49 is before the shift. On a usual day the level falls by 40 points from 09:00 until the end of the shift.
  await evaluateUntil(SHIFT - 11, { Soc1: 40 });
  await d.desk.store(other.streamId, readingsDuring(SHIFT + 120, SHIFT + 160, { Soc1: 65 }));
  await d.desk.store(beginner.streamId, readingsDuring(SHIFT + 120, SHIFT + 160, { Soc1: 30 }));
  await evaluateUntil(SHIFT + 120, { Soc1: 65 });
  expect(await d.alerts()).toEqual([]);
  await evaluateUntil(SHIFT + 121, { Soc1: 50 });
  expect(await d.alerts()).toMatchObject([
    {
      kind: 'runs-short',
      words: expect.stringMatching(
        /^accu op 50%, als gewoonlijk om ca\. 14:[23]\d onder 20%; dienst tot 17:00$/,
      ),
      isNew: true,
    },
  ]);
  await d.notify(SHIFT + 122.1);
  expect((await d.mails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Haalt het einde van de dienst niet: Kraan/),
  ]);
  // Silence does not resolve the alert.
  await evaluateUntil(SHIFT + 140);
  expect(await d.alerts()).toHaveLength(1);
  await evaluateUntil(SHIFT + 150, { Soc1: 50, IsCharging: 1, ChargingCurrent: 40 });
  await evaluateUntil(SHIFT + 160, { Soc1: 50, IsCharging: 0, ChargingCurrent: 0 });
  // The end of the shift resolves it.
  await evaluateUntil(SHIFT + 600);
  expect(await d.recorded(streamId)).toEqual([
    `runs-short ${SHIFT + 121}-${SHIFT + 150}`,
    `runs-short ${SHIFT + 160}-${SHIFT + 600}`,
  ]);
  expect(await d.recorded(other.streamId)).toEqual([]);
  expect(await d.recorded(beginner.streamId)).toEqual([]);
});

test('due maintenance has an open alert until it is done (16.7f)', async () => {
  await d.rule('maintenance');
  const { streamId } = await d.machine();
  const plan = (every: number) =>
    d.pool.query(
      `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
       values ($1, $2, 'Beurt van ' || $3::int, $3, 0, '2026-09-25')`,
      [streamId, d.desk.klant, every],
    );
  await plan(2);
  await plan(1);
  await plan(12);
  for (const minute of [1, 6, 12, 13]) await d.evaluateClock(minute);
  // Each plan has its own alert.
  const due = async () =>
    (await d.alerts()).map(({ words, isNew, subject }) => [words, isNew, subject]).sort();
  expect(await due()).toEqual([
    ['Beurt van 1 nodig op 25-10-2026', true, null],
    ['Beurt van 2 nodig op 25-11-2026', true, null],
  ]);
  await d.pool.query(`update maintenance_plan set last_day = '2026-11-20' where every_months = 1`);
  await d.evaluateClock(14);
  expect(await due()).toEqual([['Beurt van 2 nodig op 25-11-2026', true, null]]);
  // The last time that plan 1 was done is so long ago that it is due again, which opens another alert.
  await d.pool.query(`update maintenance_plan set last_day = '2026-10-01' where every_months = 1`);
  await d.evaluateClock(15);
  expect((await due()).map(([words]) => words)).toEqual([
    'Beurt van 1 nodig op 01-11-2026',
    'Beurt van 2 nodig op 25-11-2026',
  ]);
  await d.pool.query(`update maintenance_plan set last_day = '2026-11-20'`);
  await d.evaluateClock(16);
  expect(await d.recorded(streamId)).toEqual(['maintenance 12-14', 'maintenance 12-16', 'maintenance 15-16']);
});

test('people see and change only their own alerts, rules and mutes (16.3k)', async () => {
  await d.desk.portal
    .organization('elders')
    .then((id) => d.desk.portal.user('baas@elders.nl', id, 'beheerder'));
  const other = 'baas@elders.nl';
  await d.rule('low', { people: [ANNA_EMAIL] });
  const { streamId, serial } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  const own = await d.rule(
    'low',
    { isOwn: true, settings: { threshold: 90, clear: 95, hold: 0, clearHold: 0 } },
    ANNA_EMAIL,
  );
  await d.live(streamId, readingsDuring(4, 7, FULL));
  await d.live(streamId, readingsDuring(7, 8, LOW));
  const rules = async (as: string) =>
    (await d.call<{ _id: number }[]>('GET', '/api/alert-rule/get', as)).json.map(({ _id }) => _id);
  expect(await rules(ANNA_EMAIL)).toEqual([own]);
  expect(await rules(BEHEERDER_EMAIL)).toHaveLength(1);
  expect(await rules(other)).toEqual([]);
  const seen = async (as: string) =>
    (await Promise.all([d.alerts('firing', as), d.alerts('resolved', as)]))
      .flat()
      .map(({ rule }) => rule.isOwn);
  expect((await seen(ANNA_EMAIL)).sort()).toEqual([false, true]);
  expect(await seen(BEHEERDER_EMAIL)).toEqual([false]);
  expect(await seen(other)).toEqual([]);
  // An alert about many machines has no machine whose owner sees it; the rule's organization decides.
  await d.pool.query('update alert set stream_id = null');
  expect(await seen(other)).toEqual([]);
  expect(await seen(BEHEERDER_EMAIL)).toEqual([false]);
  await d.pool.query('update alert set stream_id = $1', [streamId]);

  const [bossRule] = await rules(BEHEERDER_EMAIL);
  const change = (as: string, _id: number | undefined, more = {}) =>
    d.saveRule('low', { ...(_id !== undefined && { _id }), ...more }, as).then(({ status }) => status);
  expect(await change(ANNA_EMAIL, bossRule)).toBe(404);
  expect(await change(other, bossRule)).toBe(404);
  expect(await change(BEHEERDER_EMAIL, own)).toBe(404);
  expect(await change(ANNA_EMAIL, undefined)).toBe(403);
  for (const named of [
    { machines: { by: 'chosen', serials: [serial] } },
    {
      machines: {
        by: 'labels',
        ids: [await row('label (organization_id, name, colour)', `$1, 'Kade', 'blue'`)],
      },
    },
    {
      machines: {
        by: 'projects',
        ids: [await row('project (organization_id, name, first_day)', `$1, 'Sluis', now()`)],
      },
    },
    { people: [ANNA_EMAIL] },
  ] as const) {
    expect([named, await change(BEHEERDER_EMAIL, undefined, named)]).toEqual([named, 200]);
    expect([named, await change(other, undefined, named)]).toEqual([named, 400]);
  }
});

/**
 * Inserts a row of the organization `klant`.
 * @returns its id
 */
async function row(table: string, values: string): Promise<number> {
  const { rows } = await d.pool.query(`insert into ${table} values (${values}) returning id`, [d.desk.klant]);
  return rows[0].id;
}

test('people who no longer see a machine, or left the organization, are not notified of it (16.4k)', async () => {
  const gone = 'gaat@klant.nl';
  await d.desk.portal.user(gone, d.desk.klant);
  await d.rule('low', { people: [gone] });
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  const elders = await d.desk.portal.organization('verder');
  const queued = async () =>
    (await d.pool.query('select from alert_outbox where message_id is null')).rowCount;
  expect(await queued()).toBe(4);
  await d.pool.query('update account set organization_id = $1 where email = $2', [elders, gone]);
  await d.pool.query('update stream set deleted_at = now() where id = $1', [streamId]);
  await d.notify(6);
  expect(await d.mails()).toEqual([]);
  await d.pool.query('update stream set deleted_at = null where id = $1', [streamId]);
  // An alert about many machines is not mailed to a person who left the organization either.
  await d.pool.query('update alert set stream_id = null');
  await d.pool.query(
    `insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select x.id, a.id, 'mail', 'opened', to_timestamp(0) from alert x, account a where a.email = $1`,
    [gone],
  );
  await d.notify(30);
  expect(await d.mails()).toEqual([]);
});

test('a rule that contradicts itself is refused with an error at its field, and not stored (16.1v)', async () => {
  const low = { threshold: 30, clear: 20, hold: 2, clearHold: 2 };
  const refused = await d.saveRule('low', { settings: low, roles: [] });
  expect(refused).toMatchObject({
    status: 400,
    json: {
      message: 'Voorbij vanaf mag niet onder de grens liggen. Kies wie de meldingen krijgt.',
      faults: [{ field: 'settings.clear' }, { field: 'people' }],
    },
  });
  for (const settings of [{}, { ...low, clear: 40, threshold: -1 }, { ...low, clear: 40, hold: 1e9 }])
    expect((await d.saveRule('low', { settings })).status).toBe(400);
  expect((await d.call<object[]>('GET', '/api/alert-rule/get', BEHEERDER_EMAIL)).json).toEqual([]);
});
