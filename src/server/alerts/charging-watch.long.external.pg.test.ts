import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import { at, ChargingDesk, during, OFF, ON } from './test/charging-desk.ts';

let desk: ChargingDesk;
beforeAll(async () => {
  desk = await ChargingDesk.open();
});
afterAll(() => desk.close());

const kindsOf = async (machine: { serial: string }): Promise<string[]> =>
  (await desk.mailsAbout(machine)).map(({ subject }) => subject.split(': ', 2)[1] ?? '').sort();
const CHARGE = [...during(0, 10, OFF), ...during(10, 30, ON), ...during(30, 40, OFF)];
const SHORTER = [...during(0, 10, OFF), ...during(10, 20, ON)];

test('a machine that charges at its first reading gives no charging event (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 15, ON));
  expect(await desk.events(machine.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual([]);
});

test('a charge that was detected before the subscription is not mailed, and one that is detected after it is (MAIL-01)', async () => {
  const machine = await desk.machine();
  await desk.store(machine.streamId, [...SHORTER, ...during(20, 30, OFF), ...during(30, 31, ON)]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: machine.serial })).toBe(200);
  await desk.evaluate(31);
  await desk.live(machine.streamId, during(31, 35, ON));
  expect(await desk.events(machine.streamId)).toEqual(['started 30']);
  const known = await desk.machine();
  await desk.store(known.streamId, [...during(0, 27, OFF), ...during(27, 31, ON)]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: known.serial })).toBe(200);
  await desk.live(known.streamId, during(31, 35, ON));
  expect(await desk.events(known.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('a restart of the portal gives no charging event, and a change of charging while it was down gives one (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 11, OFF));
  const second = await desk.anotherProcess();
  await desk.evaluate(11, second);
  await desk.store(machine.streamId, during(11, 20, ON));
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
      CHARGE.filter(({ time }) => time >= at(minute) && time < at(minute + 1)),
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
  await desk.live(machine.streamId, during(0, 10, OFF));
  // Back online, the logger sends its newest readings first, and later the log of the hours in between.
  await desk.live(machine.streamId, during(200, 210, OFF));
  expect(await kindsOf(machine)).toEqual([]);
  await desk.store(machine.streamId, [
    ...during(10, 60, OFF),
    ...during(60, 150, ON),
    ...during(150, 200, OFF),
  ]);
  await desk.evaluate(212);
  expect(await desk.events(machine.streamId)).toEqual(['started 60', 'ended 150']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('a charging event across a gap in the readings is not mailed again when a late log fills the gap (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.live(machine.streamId, during(200, 210, ON));
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  await desk.store(machine.streamId, [...during(10, 100, OFF), ...during(100, 200, ON)]);
  await desk.evaluate(216);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 9.8-200']);
});

test('a stored reading that gets its charging current later gives a charging event (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.store(machine.streamId, during(10, 14, { LATITUDE: 52 }));
  await desk.evaluate(20);
  await desk.store(machine.streamId, during(10, 14, ON));
  await desk.evaluate(26);
  expect(await desk.events(machine.streamId)).toEqual(['started 10']);
});

test('an import of old data sends no mail, neither for a new machine nor for one that already reports (MAIL-01)', async () => {
  const lastYear = [...CHARGE, ...during(40, 400, OFF)].map((reading) => ({
    ...reading,
    time: reading.time - 365 * 86_400_000,
  }));
  const fresh = await desk.machine('anna@klant.nl');
  const known = await desk.machine('anna@klant.nl');
  await desk.live(known.streamId, during(0, 10, OFF));
  for (const { streamId } of [fresh, known]) await desk.store(streamId, lastYear);
  await desk.evaluate(11);
  await desk.evaluate(20);
  await desk.live(fresh.streamId, during(20, 25, ON));
  await desk.live(known.streamId, during(20, 25, ON));
  expect(await kindsOf(fresh)).toEqual(['laden begonnen']);
  expect((await desk.mailsAbout(fresh))[0]?.text).toContain('tussen');
  expect(await kindsOf(known)).toEqual(['laden begonnen']);
});

test('readings of two days that arrive at once mail recent charging events only (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  const backlog: Reading[] = [
    ...during(10, 100, OFF),
    ...during(100, 200, ON),
    ...during(200, 2_700, OFF),
    ...during(2_700, 2_880, ON),
  ];
  await desk.store(machine.streamId, backlog);
  await desk.evaluate(2_881);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 2700']);
});

test('a charge that ended during a weekend without readings is mailed with the times and days before and after it (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, ON));
  await desk.live(machine.streamId, during(3_700, 3_710, OFF));
  const [mail] = await desk.mailsAbout(machine);
  expect(mail?.text).toContain('tussen 14:09 en 03:40 (20-11-26 tot 23-11-26)');
  expect(await kindsOf(machine)).toEqual(['laden gestopt']);
});

test('an event and its mails are stored in one transaction (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.portal.pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room'; end $$`);
  await desk.portal.pool.query(
    'create trigger refuse before insert on alert_outbox for each row execute function refuse()',
  );
  await desk.store(machine.streamId, during(10, 20, ON));
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
