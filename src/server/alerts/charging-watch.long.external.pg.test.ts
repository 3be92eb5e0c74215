import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import {
  CHARGER_OFF,
  CHARGER_ON,
  ChargingTestPortal,
  readingsDuring,
  testMinuteMs,
} from './test/charging-desk.ts';

let desk: ChargingTestPortal;
beforeAll(async () => {
  desk = await ChargingTestPortal.open();
});
afterAll(() => desk.close());

const kindsOf = async (machine: { serial: string }): Promise<string[]> =>
  (await desk.mailsAbout(machine)).map(({ subject }) => subject.split(': ', 2)[1] ?? '').sort();
const CHARGE = [
  ...readingsDuring(0, 10, CHARGER_OFF),
  ...readingsDuring(10, 30, CHARGER_ON),
  ...readingsDuring(30, 40, CHARGER_OFF),
];
const SHORTER = [...readingsDuring(0, 10, CHARGER_OFF), ...readingsDuring(10, 20, CHARGER_ON)];

test('a machine that charges at its first reading gives no charging event (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 15, CHARGER_ON));
  expect(await desk.events(machine.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual([]);
});

test('a charge that was detected before the subscription is not mailed, and one that is detected after it is (MAIL-01)', async () => {
  const machine = await desk.machine();
  await desk.store(machine.streamId, [
    ...SHORTER,
    ...readingsDuring(20, 30, CHARGER_OFF),
    ...readingsDuring(30, 31, CHARGER_ON),
  ]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: machine.serial })).toBe(200);
  await desk.evaluate(31);
  await desk.live(machine.streamId, readingsDuring(31, 35, CHARGER_ON));
  expect(await desk.events(machine.streamId)).toEqual(['started 30']);
  const known = await desk.machine();
  await desk.store(known.streamId, [
    ...readingsDuring(0, 27, CHARGER_OFF),
    ...readingsDuring(27, 31, CHARGER_ON),
  ]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: known.serial })).toBe(200);
  await desk.live(known.streamId, readingsDuring(31, 35, CHARGER_ON));
  expect(await desk.events(known.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('a restart of the portal gives no charging event, and a change of charging while it was down gives one (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 11, CHARGER_OFF));
  const second = await desk.anotherProcess();
  await desk.evaluate(11, second);
  await desk.store(machine.streamId, readingsDuring(11, 20, CHARGER_ON));
  await desk.evaluate(180, second);
  const third = await desk.anotherProcess();
  await desk.evaluate(181, third);
  expect(await desk.events(machine.streamId)).toEqual(['started 11']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('two processes at once mail each event once (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  const both = [desk.portal.portal, await desk.anotherProcess()];
  for (let minute = 0; minute < 40; minute++) {
    await desk.store(
      machine.streamId,
      CHARGE.filter(({ time }) => time >= testMinuteMs(minute) && time < testMinuteMs(minute + 1)),
    );
    await desk.evaluate(minute + 1, ...both);
  }
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('duplicate readings and a full replay mail nothing twice (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  for (const reading of ['once', 'twice']) {
    await desk.live(machine.streamId, CHARGE);
    expect([reading, await kindsOf(machine)]).toEqual([reading, ['laden begonnen', 'laden gestopt']]);
  }
  await desk.evaluate(300);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

/** Shuffles deterministically. */
function shuffled<T>(list: readonly T[]): T[] {
  const keyed = list.map((item, n) => [((n + 1) * 7919) % 1009, item] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}

test('readings that arrive out of order give the same charging mails (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  const mixed = shuffled(CHARGE);
  for (let n = 0; n < mixed.length; n += 20) {
    await desk.store(machine.streamId, mixed.slice(n, n + 20));
    await desk.evaluate(40 + n / 20);
  }
  await desk.evaluate(60);
  expect(await desk.events(machine.streamId)).toHaveLength(2);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('a charge in the late log of a logger that was offline for hours is mailed (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_OFF));
  // Back online, the logger sends its newest readings first, and later the log of the hours in between.
  await desk.live(machine.streamId, readingsDuring(200, 210, CHARGER_OFF));
  expect(await kindsOf(machine)).toEqual([]);
  await desk.store(machine.streamId, [
    ...readingsDuring(10, 60, CHARGER_OFF),
    ...readingsDuring(60, 150, CHARGER_ON),
    ...readingsDuring(150, 200, CHARGER_OFF),
  ]);
  await desk.evaluate(212);
  expect(await desk.events(machine.streamId)).toEqual(['started 60', 'ended 150']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('a charging event across a gap in the readings is not mailed again when a late log fills the gap (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_OFF));
  await desk.live(machine.streamId, readingsDuring(200, 210, CHARGER_ON));
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  await desk.store(machine.streamId, [
    ...readingsDuring(10, 100, CHARGER_OFF),
    ...readingsDuring(100, 200, CHARGER_ON),
  ]);
  await desk.evaluate(216);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 9.8-200']);
});

test('a stored reading to which the charging current is added later gives a charging event (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_OFF));
  await desk.store(machine.streamId, readingsDuring(10, 14, { LATITUDE: 52 }));
  await desk.evaluate(20);
  await desk.store(machine.streamId, readingsDuring(10, 14, CHARGER_ON));
  await desk.evaluate(26);
  expect(await desk.events(machine.streamId)).toEqual(['started 10']);
});

test('an import of old data sends no mail, neither for a new machine nor for one that already reports (MAIL-01)', async () => {
  const lastYear = [...CHARGE, ...readingsDuring(40, 400, CHARGER_OFF)].map((reading) => ({
    ...reading,
    time: reading.time - 365 * 86_400_000,
  }));
  const fresh = await desk.machine('anna@klant.nl');
  const known = await desk.machine('anna@klant.nl');
  await desk.live(known.streamId, readingsDuring(0, 10, CHARGER_OFF));
  for (const { streamId } of [fresh, known]) await desk.store(streamId, lastYear);
  await desk.evaluate(11);
  await desk.evaluate(20);
  await desk.live(fresh.streamId, readingsDuring(20, 25, CHARGER_ON));
  await desk.live(known.streamId, readingsDuring(20, 25, CHARGER_ON));
  expect(await kindsOf(fresh)).toEqual(['laden begonnen']);
  expect((await desk.mailsAbout(fresh))[0]?.text).toContain('tussen');
  expect(await kindsOf(known)).toEqual(['laden begonnen']);
});

test('readings of two days that arrive at once mail recent charging events only (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_OFF));
  const backlog: Reading[] = [
    ...readingsDuring(10, 100, CHARGER_OFF),
    ...readingsDuring(100, 200, CHARGER_ON),
    ...readingsDuring(200, 2_700, CHARGER_OFF),
    ...readingsDuring(2_700, 2_880, CHARGER_ON),
  ];
  await desk.store(machine.streamId, backlog);
  await desk.evaluate(2_881);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 2700']);
});

test('a charge that ended during a weekend without readings is mailed with the times and days before and after it (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_ON));
  await desk.live(machine.streamId, readingsDuring(3_700, 3_710, CHARGER_OFF));
  const [mail] = await desk.mailsAbout(machine);
  expect(mail?.text).toContain('tussen 14:09 en 03:40 (20-11-26 tot 23-11-26)');
  expect(await kindsOf(machine)).toEqual(['laden gestopt']);
});

test('an event and its mails are stored in one transaction (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 10, CHARGER_OFF));
  await desk.portal.pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room'; end $$`);
  await desk.portal.pool.query(
    'create trigger refuse before insert on alert_outbox for each row execute function refuse()',
  );
  await desk.store(machine.streamId, readingsDuring(10, 20, CHARGER_ON));
  await expect(desk.evaluate(20)).rejects.toThrow('no room');
  expect(await desk.events(machine.streamId)).toEqual([]);
  await desk.portal.pool.query('drop trigger refuse on alert_outbox');
  // The broken connection holds the advisory lock until the database notices.
  await expect
    .poll(
      async () => {
        await desk.evaluate(21);
        return desk.events(machine.streamId);
      },
      { timeout: 20_000 },
    )
    .toEqual(['started 10']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('a machine without subscribers is not evaluated (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  expect(await desk.post('/api/mail/unsubscribe', 'anna@klant.nl', { serialNumber: machine.serial })).toBe(
    200,
  );
  await desk.live(machine.streamId, CHARGE);
  expect(await desk.events(machine.streamId)).toEqual([]);
  const { rows } = await desk.portal.pool.query('select from alert_cursor where stream_id = $1', [
    machine.streamId,
  ]);
  expect(rows).toEqual([]);
});
