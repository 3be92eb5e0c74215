import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHARGER_OFF, CHARGER_ON, ChargingTestPortal, readingsDuring } from './test/charging-desk.ts';
import { readChargingUnsubscribeToken } from './unsubscribe-token.ts';

let desk: ChargingTestPortal;
beforeAll(async () => {
  desk = await ChargingTestPortal.open({ refuse: (to) => (to.startsWith('weg') ? 550 : undefined) });
  for (const name of ['bert', 'weg', 'carla']) await desk.portal.user(`${name}@klant.nl`, desk.klant);
});
afterAll(() => desk.close());

const charge = [
  ...readingsDuring(0, 10, { ...CHARGER_OFF, Soc1: 40 }),
  ...readingsDuring(10, 30, { ...CHARGER_ON, Soc1: 40 }),
  ...readingsDuring(30, 40, { ...CHARGER_OFF, Soc1: 60 }),
];

test('a charging event is mailed once to each subscriber, also if the mail server refuses another recipient (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl', 'weg@klant.nl', 'bert@klant.nl');
  await desk.live(machine.streamId, charge);
  const mails = await desk.mailsAbout(machine);
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    `anna@klant.nl Kraan 1 (#${machine.serial}): laden begonnen`,
    `anna@klant.nl Kraan 1 (#${machine.serial}): laden gestopt`,
    `bert@klant.nl Kraan 1 (#${machine.serial}): laden begonnen`,
    `bert@klant.nl Kraan 1 (#${machine.serial}): laden gestopt`,
  ]);
});

test('a charging mail contains the machine, the event, the SoC, when it will be full, and a link (MAIL-02)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, [
    ...readingsDuring(0, 10, { ...CHARGER_OFF, Soc1: 40 }),
    ...readingsDuring(10, 14, { ...CHARGER_ON, Soc1: 40 }),
  ]);
  const [mail] = await desk.mailsAbout(machine);
  // 0.8 x 100 kWh x 60 % at 40 A x 700 V = 28 kW: 1:43 after 14:12.
  expect(mail?.text).toBe(`Kraan 2 (Volta EX-1, #${machine.serial}) is begonnen met laden.

Wanneer: 20-11-26, 14:10

Accu: 40%

Verwacht vol: ca. 20-11-26, 15:54 (laadtijd 01:43)

Naar de machine: https://portaal.nl/machine/${machine.serial}

Werkstroom

Geen mail meer over het laden van deze machine: https://portaal.nl/machine/${machine.serial}?afmelden=1
`);
  expect(mail?.source).toMatch(/^Content-Type: text\/html; charset=utf-8$/im);
  expect(mail?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
  const [, token = ''] =
    /^List-Unsubscribe:\s+<https:\/\/portaal.nl\/api\/mail\/unsubscribe\/([\w-]+)>$/im.exec(
      mail?.source ?? '',
    ) ?? [];
  // The token contains no more than the mail (12.B6).
  expect(readChargingUnsubscribeToken(desk.portal.secrets, token)?.serial).toBe(machine.serial);
});

test('a charging event across a gap in the readings is mailed once, with the times before and after the gap (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 5, CHARGER_OFF));
  await desk.live(machine.streamId, readingsDuring(65, 75, CHARGER_ON));
  const mails = await desk.mailsAbout(machine);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('Wanneer: tussen 14:04 en 15:05 (20-11-26)');
});

test('a charging current that flaps around the threshold for an hour gives two mails (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  for (let minute = 0; minute < 60; minute += 3)
    await desk.live(
      machine.streamId,
      readingsDuring(minute, minute + 3, { IsCharging: 1, ChargingCurrent: minute % 2 ? 1.1 : 0.9 }),
    );
  expect(await desk.mailsAbout(machine)).toHaveLength(2);
  expect((await desk.events(machine.streamId)).length).toBeGreaterThan(10);
});

type Loss = (streamId: number, serial: string) => Promise<unknown>;
const sql =
  (text: string): Loss =>
  (streamId) =>
    desk.portal.pool.query(text, [streamId]);
const losses: readonly (readonly [string, Loss])[] = [
  [
    'unsubscribed',
    (_, serial) => desk.post('/api/mail/unsubscribe', 'carla@klant.nl', { serialNumber: serial }),
  ],
  [
    'is of another organization now',
    sql(
      `with o as (insert into organization (name, clean, code) values ('ander' || $1, 'Ander', 'X' || $1) returning id)
     update account set organization_id = (select id from o) where email = 'carla@klant.nl'`,
    ),
  ],
  [
    'machine was sold',
    sql(
      `with o as (insert into organization (name, clean, code) values ('koper' || $1, 'Koper', 'K' || $1) returning id),
         w as (update ownership set valid_to = now() where stream_id = $1::int returning stream_id)
     insert into ownership (stream_id, organization_id, valid_from) select w.stream_id, o.id, now() from o, w`,
    ),
  ],
  [
    'is an LMB logging customer’s now, as the machine is',
    sql(
      `with o as (insert into organization (name, clean, code, is_berende) values ('spoor' || $1, 'Spoor', 'Z' || $1, true) returning id),
         w as (update ownership set organization_id = (select id from o) where stream_id = $1::int)
     update account set organization_id = (select id from o) where email = 'carla@klant.nl'`,
    ),
  ],
  ['was deleted', sql(`delete from account where email = 'carla@klant.nl' and $1::int > 0`)],
  ['machine was deleted', sql('update stream set deleted_at = now() where id = $1')],
  [
    'machine is of another organization now',
    sql(
      `with o as (insert into organization (name, clean, code) values ('nieuw' || $1, 'Nieuw', 'Y' || $1) returning id)
     update ownership set organization_id = (select id from o) where stream_id = $1::int`,
    ),
  ],
];
test.each(losses)(
  'a subscriber who no longer sees the machine gets no mail: %s (MAIL-01)',
  async (_, lose) => {
    await desk.portal.pool.query(`delete from account where email = 'carla@klant.nl'`);
    await desk.portal.user('carla@klant.nl', desk.klant);
    await desk.portal.pool.query(
      `delete from session where account_id not in (select id from account where email = 'anna@klant.nl')`,
    );
    desk.forget('carla@klant.nl');
    const machine = await desk.machine('carla@klant.nl');
    await desk.store(machine.streamId, charge);
    // The subscriber loses the machine between the event and its mail, as can happen while the mail server is down.
    const pause = await desk.pauseMails();
    await desk.evaluate(40);
    expect(await desk.events(machine.streamId)).toEqual(['started 10', 'ended 30']);
    expect(await desk.queued()).toBe(2);
    await lose(machine.streamId, machine.serial);
    await pause.end();
    expect(await desk.mailsAbout(machine)).toEqual([]);
  },
);

test('a subscriber of a disabled organization gets no charging mail, and a subscribed administrator does (MAIL-01)', async () => {
  const dicht = await desk.portal.organization('dicht');
  await desk.portal.user('dirk@dicht.nl', dicht);
  await desk.portal.user('baas@portaal.nl', await desk.portal.organization('admin'));
  const machine = await desk.machine();
  await desk.portal.pool.query('update ownership set organization_id = $2 where stream_id = $1', [
    machine.streamId,
    dicht,
  ]);
  for (const email of ['dirk@dicht.nl', 'baas@portaal.nl'])
    expect(await desk.post('/api/mail/subscribe', email, { serialNumber: machine.serial })).toBe(200);
  await desk.portal.pool.query('update organization set is_active = false where id = $1', [dicht]);
  await desk.live(machine.streamId, charge);
  expect((await desk.mailsAbout(machine)).map(({ to }) => to)).toEqual([
    'baas@portaal.nl',
    'baas@portaal.nl',
  ]);
});

test("a new owner's subscriber gets no events from before the transfer (MAIL-01)", async () => {
  const nieuw = await desk.portal.organization('verhuisd');
  await desk.portal.user('eva@verhuisd.nl', nieuw);
  const machine = await desk.machine();
  await desk.portal.pool.query(
    'update ownership set organization_id = $2, valid_from = $3 where stream_id = $1',
    [machine.streamId, nieuw, new Date(Date.UTC(2026, 10, 20, 13, 20))],
  );
  await desk.post('/api/mail/subscribe', 'eva@verhuisd.nl', { serialNumber: machine.serial });
  await desk.live(machine.streamId, charge);
  expect((await desk.mailsAbout(machine)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('laden gestopt'),
  ]);
});

test('an unconfirmed address gets no mail about a machine until it is confirmed (13.2g)', async () => {
  for (const name of ['nieuw', 'oud']) await desk.portal.user(`${name}@klant.nl`, desk.klant);
  const confirm = (at: string) =>
    desk.portal.pool.query(`update account set confirmed_at = ${at} where email = 'nieuw@klant.nl'`);
  await confirm('null');
  const machine = await desk.machine('nieuw@klant.nl', 'oud@klant.nl');
  await desk.live(machine.streamId, charge.slice(0, 100));
  expect((await desk.mailsAbout(machine)).map(({ to }) => to)).toEqual(['oud@klant.nl']);
  await confirm('now()');
  await desk.live(machine.streamId, charge.slice(100));
  expect((await desk.mailsAbout(machine)).map(({ to }) => to).sort()).toEqual([
    'nieuw@klant.nl',
    'oud@klant.nl',
    'oud@klant.nl',
  ]);
});
