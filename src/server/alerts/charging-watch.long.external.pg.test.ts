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

test('MAIL-01 a first reading that charges is no event', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 15, ON));
  expect(await desk.events(machine.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual([]);
});

test('MAIL-01 what happened before somebody subscribed is told to nobody; what was about to happen is', async () => {
  const machine = await desk.machine();
  await desk.store(machine.streamId, [...SHORTER, ...during(20, 30, OFF), ...during(30, 31, ON)]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: machine.serial })).toBe(200);
  await desk.look(31);
  await desk.live(machine.streamId, during(31, 35, ON));
  expect(await desk.events(machine.streamId)).toEqual(['started 30']);
  const known = await desk.machine();
  await desk.store(known.streamId, [...during(0, 27, OFF), ...during(27, 31, ON)]);
  expect(await desk.post('/api/mail/subscribe', 'anna@klant.nl', { serialNumber: known.serial })).toBe(200);
  await desk.live(known.streamId, during(31, 35, ON));
  expect(await desk.events(known.streamId)).toEqual([]);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('MAIL-01 a restart is no event, and a change while the portal was down is one', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 11, OFF));
  const second = await desk.anotherProcess();
  await desk.look(11, second);
  await desk.store(machine.streamId, during(11, 20, ON));
  await desk.look(180, second);
  const third = await desk.anotherProcess();
  await desk.look(181, third);
  expect(await desk.events(machine.streamId)).toEqual(['started 11']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('MAIL-01 two processes at once tell each event once', async () => {
  const machine = await desk.machine('anna@klant.nl');
  const both = [desk.portal.portal, await desk.anotherProcess()];
  for (let minute = 0; minute < 40; minute++) {
    await desk.store(
      machine.streamId,
      CHARGE.filter(({ time }) => time >= at(minute) && time < at(minute + 1)),
    );
    await desk.look(minute + 1, ...both);
  }
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('MAIL-01 duplicate readings and a replay of all of them tell nothing twice', async () => {
  const machine = await desk.machine('anna@klant.nl');
  for (const reading of ['once', 'twice']) {
    await desk.live(machine.streamId, CHARGE);
    expect([reading, await kindsOf(machine)]).toEqual([reading, ['laden begonnen', 'laden gestopt']]);
  }
  await desk.look(300);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

/** The same in any order, always. */
function shuffled<T>(list: readonly T[]): T[] {
  const keyed = list.map((item, n) => [((n + 1) * 7919) % 1009, item] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}

test('MAIL-01 readings out of order tell the same', async () => {
  const machine = await desk.machine('anna@klant.nl');
  const mixed = shuffled(CHARGE);
  for (let n = 0; n < mixed.length; n += 20) {
    await desk.store(machine.streamId, mixed.slice(n, n + 20));
    await desk.look(40 + n / 20);
  }
  await desk.look(60);
  expect(await desk.events(machine.streamId)).toHaveLength(2);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('MAIL-01 a logger that was offline for hours: a whole charge in its late log is told', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  // Back online: what is now comes first, the log of the hours in between after it.
  await desk.live(machine.streamId, during(200, 210, OFF));
  expect(await kindsOf(machine)).toEqual([]);
  await desk.store(machine.streamId, [
    ...during(10, 60, OFF),
    ...during(60, 150, ON),
    ...during(150, 200, OFF),
  ]);
  await desk.look(212);
  expect(await desk.events(machine.streamId)).toEqual(['started 60', 'ended 150']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen', 'laden gestopt']);
});

test('MAIL-01 a change across a gap is not told again when the late log says when it was', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.live(machine.streamId, during(200, 210, ON));
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  await desk.store(machine.streamId, [...during(10, 100, OFF), ...during(100, 200, ON)]);
  await desk.look(216);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 9.8-200']);
});

test('MAIL-01 an instant that gains the charging current late counts', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.store(machine.streamId, during(10, 14, { LATITUDE: 52 }));
  await desk.look(20);
  await desk.store(machine.streamId, during(10, 14, ON));
  await desk.look(26);
  expect(await desk.events(machine.streamId)).toEqual(['started 10']);
});

test('MAIL-01 an import of old data mails nothing, for a new machine and for one that reports', async () => {
  const lastYear = [...CHARGE, ...during(40, 400, OFF)].map((reading) => ({
    ...reading,
    time: reading.time - 365 * 86_400_000,
  }));
  const fresh = await desk.machine('anna@klant.nl');
  const known = await desk.machine('anna@klant.nl');
  await desk.live(known.streamId, during(0, 10, OFF));
  for (const { streamId } of [fresh, known]) await desk.store(streamId, lastYear);
  await desk.look(11);
  await desk.look(20);
  await desk.live(fresh.streamId, during(20, 25, ON));
  await desk.live(known.streamId, during(20, 25, ON));
  expect(await kindsOf(fresh)).toEqual(['laden begonnen']);
  expect((await desk.mailsAbout(fresh))[0]?.text).toContain('tussen');
  expect(await kindsOf(known)).toEqual(['laden begonnen']);
});

test('MAIL-01 a backlog of two days tells what is recent, not what is history', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  const backlog: Reading[] = [
    ...during(10, 100, OFF),
    ...during(100, 200, ON),
    ...during(200, 2_700, OFF),
    ...during(2_700, 2_880, ON),
  ];
  await desk.store(machine.streamId, backlog);
  await desk.look(2_881);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
  expect(await desk.events(machine.streamId)).toEqual(['started 2700']);
});

test('MAIL-01 a weekend of silence: the change is told with both times and days', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, ON));
  await desk.live(machine.streamId, during(3_700, 3_710, OFF));
  const [mail] = await desk.mailsAbout(machine);
  expect(mail?.text).toContain('tussen 14:09 en 03:40 (20-11-26 tot 23-11-26)');
  expect(await kindsOf(machine)).toEqual(['laden gestopt']);
});

test('MAIL-01 an event and its mails are stored together or not at all', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, during(0, 10, OFF));
  await desk.portal.pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room'; end $$`);
  await desk.portal.pool.query(
    'create trigger refuse before insert on alert_outbox for each row execute function refuse()',
  );
  await desk.store(machine.streamId, during(10, 20, ON));
  await expect(desk.look(20)).rejects.toThrow('no room');
  expect(await desk.events(machine.streamId)).toEqual([]);
  await desk.portal.pool.query('drop trigger refuse on alert_outbox');
  // The connection that broke off has the lock of the watch until the database notices that it is gone.
  await expect
    .poll(
      async () => {
        await desk.look(21);
        return desk.events(machine.streamId);
      },
      { timeout: 20_000 },
    )
    .toEqual(['started 10']);
  expect(await kindsOf(machine)).toEqual(['laden begonnen']);
});

test('MAIL-01 nobody subscribed: nothing is looked at', async () => {
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
