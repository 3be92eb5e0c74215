import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlertPreview, AlertRule } from '#shared/contract/alerts.ts';
import { createRandomMachineHistory } from '#shared/domain/alerts/test/random-machine-history.ts';
import { evaluateReading, type WatchState } from '#shared/domain/alerts/watch.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { chooseSeeds } from '#shared/domain/test/oracle/random-machine.ts';
import { filterUnrecordedEvents } from './charging-alerts.ts';
import {
  AlertTestPortal,
  ANNA_EMAIL,
  BEHEERDER_EMAIL,
  readingsDuring,
  testMinuteMs,
} from './test/alert-desk.ts';
import { CHARGER_OFF, CHARGER_ON } from './test/charging-desk.ts';

const ADMIN = 'beheer@portaal.nl';
const LOW = { Soc1: 10 };

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
  await d.desk.portal.user(ADMIN, await d.desk.portal.organization('admin'));
});
beforeEach(() => d.reset());
afterAll(() => d.close());

type Machine = { readonly streamId: number; readonly serial: string };

const subscribe = async ({ serial }: Machine, as = ANNA_EMAIL) =>
  expect(await d.desk.post('/api/mail/subscribe', as, { serialNumber: serial })).toBe(200);
const isSubscribed = async ({ serial }: Machine, as = ANNA_EMAIL) =>
  (await d.call<object>('GET', `/api/mail/subscription-status?serialNumber=${serial}`, as)).json;
const rules = async (as: string) => (await d.call<AlertRule[]>('GET', '/api/alert-rule/get', as)).json;
const subjects = async () => (await d.mails()).map(({ to, subject }) => `${to} ${subject.split(': ', 2)[1]}`);

test('a charging event notifies immediately in its own message, and delays no other alert (16.5j)', async () => {
  await d.rule('low', { isOwn: true }, ANNA_EMAIL);
  const one = await d.machine();
  const two = await d.machine();
  for (const machine of [one, two]) await subscribe(machine);
  for (const { streamId } of [one, two])
    await d.live(streamId, [
      ...readingsDuring(0, 2, CHARGER_OFF),
      ...readingsDuring(2, 5, CHARGER_ON),
      ...readingsDuring(5, 8, CHARGER_OFF),
    ]);
  await d.notify(9);
  expect((await subjects()).sort()).toEqual([
    `${ANNA_EMAIL} laden begonnen`,
    `${ANNA_EMAIL} laden begonnen`,
    `${ANNA_EMAIL} laden gestopt`,
    `${ANNA_EMAIL} laden gestopt`,
  ]);
  await d.live(one.streamId, readingsDuring(9, 12, LOW));
  await d.notify(13);
  expect((await d.mails()).slice(4).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Accu laag: /),
  ]);
  // A charging alert has already resolved when it is recorded, and does not count as new.
  expect(await d.recorded(one.streamId)).toEqual(['charging 2-2', 'charging 5-5', 'low 9…']);
  const { json } = await d.call<{ fresh: number }>('GET', '/api/alert/get?state=firing', ANNA_EMAIL);
  expect(json.fresh).toBe(1);
});

test('only quiet hours that a person chose delay charging mails (16.5j)', async () => {
  await d.pool.query('delete from alert_preference');
  await d.wants(BEHEERDER_EMAIL, { quiet: { from: '22:00', to: '06:30' } });
  d.setClock(595);
  const machine = await d.machine();
  for (const as of [ANNA_EMAIL, BEHEERDER_EMAIL]) await subscribe(machine, as);
  // START is 14:00, so the machine begins to charge at 02:02, in the quiet hours of BOSS.
  await d.live(machine.streamId, [
    ...readingsDuring(720, 722, CHARGER_OFF),
    ...readingsDuring(722, 726, CHARGER_ON),
  ]);
  await d.notify(727);
  expect(await subjects()).toEqual([`${ANNA_EMAIL} laden begonnen`]);
  // Minutes 989 and 990 after START are 06:29 and 06:30, when the quiet hours of BOSS end.
  await d.notify(989);
  expect(await subjects()).toHaveLength(1);
  await d.notify(990);
  expect((await subjects()).slice(1)).toEqual([`${BEHEERDER_EMAIL} laden begonnen`]);
});

test('a person without alert mails still gets the charging mails of a subscribed machine (16.5j)', async () => {
  await d.wants(ANNA_EMAIL, { byMail: false });
  const machine = await d.machine();
  await subscribe(machine);
  await d.live(machine.streamId, [...readingsDuring(0, 2, CHARGER_OFF), ...readingsDuring(2, 5, CHARGER_ON)]);
  await d.notify(6);
  expect(await subjects()).toEqual([`${ANNA_EMAIL} laden begonnen`]);
});

test('late readings that disprove a charging event do not withdraw it, and send no mail that says it was wrong (16.5j)', async () => {
  const machine = await d.machine();
  await subscribe(machine);
  await d.live(machine.streamId, readingsDuring(0, 5, CHARGER_OFF));
  await d.live(machine.streamId, readingsDuring(65, 70, CHARGER_ON));
  await d.notify(71);
  expect(await subjects()).toEqual([`${ANNA_EMAIL} laden begonnen`]);
  await d.desk.store(machine.streamId, [
    ...readingsDuring(5, 60, CHARGER_ON),
    ...readingsDuring(60, 65, CHARGER_OFF),
  ]);
  await d.evaluate(80);
  await d.notify(81);
  expect(await d.recorded(machine.streamId)).toEqual(['charging 4.8-65', 'charging 60-60']);
  expect(await subjects()).not.toContain(expect.stringContaining('bleek niet zo'));
});

test('a person sees and can delete a subscription to charging mails in the list of rules, but cannot make or change one there (16.5j)', async () => {
  const machine = await d.machine();
  for (let n = 0; n < 20; n++) await d.rule('low', { isOwn: true, isOn: false }, ANNA_EMAIL);
  for (const as of [ANNA_EMAIL, ADMIN]) await subscribe(machine, as);
  for (const as of [ANNA_EMAIL, ADMIN])
    expect((await rules(as)).filter(({ kind }) => kind === 'charging')).toMatchObject([
      { ruleName: 'Laadupdate', isOwn: true, machines: { by: 'chosen', serials: [machine.serial] } },
    ]);
  expect((await rules(BEHEERDER_EMAIL)).filter(({ kind }) => kind === 'charging')).toEqual([]);
  expect((await d.saveRule('charging', { isOwn: true }, ANNA_EMAIL)).json.message).toContain(
    'pagina van de machine',
  );
  const own = (await rules(ANNA_EMAIL)).find(({ kind }) => kind === 'charging');
  expect((await d.saveRule('low', { isOwn: true, _id: own?._id ?? 0 }, ANNA_EMAIL)).status).toBe(400);
  expect((await d.call('POST', '/api/alert-rule/delete', BEHEERDER_EMAIL, { _id: own?._id })).status).toBe(
    404,
  );
  expect(await isSubscribed(machine)).toEqual({ isSubscribed: true });
  expect((await d.call('POST', '/api/alert-rule/delete', ANNA_EMAIL, { _id: own?._id })).status).toBe(200);
  expect(await isSubscribed(machine)).toEqual({ isSubscribed: false });
  expect(await isSubscribed(machine, ADMIN)).toEqual({ isSubscribed: true });
  await subscribe(machine);
  const koper = await d.desk.portal.organization('koper');
  await d.pool.query('update ownership set organization_id = $2 where stream_id = $1', [
    machine.streamId,
    koper,
  ]);
  expect((await rules(ANNA_EMAIL)).filter(({ kind }) => kind === 'charging')).toEqual([]);
  expect((await rules(ADMIN)).filter(({ kind }) => kind === 'charging')).toHaveLength(1);
});

test('a person who moves to another organization and back is notified again only after returning (16.5j)', async () => {
  await d.desk.portal.organization('ander');
  await d.desk.portal.user('reizend@klant.nl', d.desk.klant);
  const machine = await d.machine();
  await subscribe(machine, 'reizend@klant.nl');
  const move = async (organization: string) => {
    const body = { email: 'reizend@klant.nl', organization };
    expect((await d.call('POST', '/api/user/organization', ADMIN, body)).status).toBe(200);
  };
  await d.live(machine.streamId, readingsDuring(0, 2, CHARGER_OFF));
  await move('ander');
  await d.live(machine.streamId, readingsDuring(2, 70, CHARGER_ON));
  await d.notify(71);
  expect(await subjects()).toEqual([]);
  await move('klant');
  await d.live(machine.streamId, readingsDuring(71, 75, CHARGER_OFF));
  await d.notify(76);
  expect(await subjects()).toEqual(['reizend@klant.nl laden gestopt']);
});

/** Returns the times at which charging events notify, by evaluating every reading in order. */
function notifiedAt(readings: readonly Reading[]): number[] {
  let state: WatchState | undefined;
  const machine = {
    rules: [{ key: '', kind: 'charging' as const, settings: {}, inWorkOnly: false, from: 0 }],
    batteries: [{ capacity: 100 }],
    ownedSince: 0,
    isWorkTime: () => true,
  };
  const found = readings.flatMap((reading) => {
    const next = evaluateReading(state, reading, machine);
    state = next.state;
    return next.ended.flatMap(({ event, at: now }) => (event ? [{ event, now }] : []));
  });
  return filterUnrecordedEvents(found).flatMap(({ event, notifies }) => (notifies ? [event.from] : []));
}

test('the preview of a charging rule finds the same events as an evaluation of all readings, on random days (16.2a)', async () => {
  let all = 0;
  for (const seed of chooseSeeds([1, 2, 3, 4, 5, 6], 60)) {
    const course = createRandomMachineHistory(seed);
    const last = course.readings.at(-1)?.time ?? 0;
    const later = Math.floor((testMinuteMs(0) - last) / 60_000) * 60_000 - seed * 60_000;
    const readings = course.readings.map(({ time, signals }) => ({ time: time + later, signals }));
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, readings);
    const asked = { kind: 'charging', settings: {}, hours: 'always', machines: { by: 'all' }, isOwn: false };
    const { json } = await d.call<AlertPreview>('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, asked);
    const expected = notifiedAt(readings);
    expect([seed, json.alerts.map(({ since }) => Date.parse(since)).reverse()]).toEqual([
      seed,
      expected.slice(-50),
    ]);
    expect(json.count).toBe(expected.length);
    all += expected.length;
    await d.reset();
  }
  expect(all).toBeGreaterThan(10);
});
