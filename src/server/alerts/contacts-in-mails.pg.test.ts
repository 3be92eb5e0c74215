import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ParsedMail } from '#server/mail/test/mailbox.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
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
beforeEach(async () => {
  await d.reset();
  await d.pool.query('delete from contact');
});
afterAll(() => d.close());

/** Adds a contact of the organization, or of one machine. */
async function contact(name: string, telephone: string, seenFrom = 'kijker', streamId?: number) {
  await d.pool.query(
    `with made as (
       insert into contact (organization_id, name, telephone, note, seen_from) values ($1, $2, $3, 'tot 17:00', $4) returning id, organization_id)
     insert into contact_use (organization_id, contact_id, stream_id) select organization_id, id, $5 from made`,
    [d.desk.klant, name, telephone, seenFrom, streamId ?? null],
  );
}
/** Returns the source of a mail, decoded from quoted-printable. */
const htmlOf = (mail: ParsedMail | undefined): string =>
  mail?.source.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
const LOW = { Soc1: 15, LATITUDE: 52.5168, LONGITUDE: 6.083, IsCharging: 0, ChargingCurrent: 0 };

test('alerts and mails name the nearest contact that their reader may see, with a link that dials its number (53.14)', async () => {
  await d.rule('low', { roles: ['beheerder', 'gebruiker'] });
  const { streamId } = await d.machine();
  await contact('Kantoor & Co', '085-0123456');
  await contact('Machinist', '06 12345678', 'beheerder', streamId);
  await d.live(streamId, readingsDuring(0, 4, LOW));
  expect((await d.alerts())[0]?.contact).toMatchObject({ contactName: 'Machinist', by: 'machine' });
  expect((await d.alerts('firing', ANNA_EMAIL))[0]?.contact).toMatchObject({ contactName: 'Kantoor & Co' });
  await d.notify(8);
  const mails = new Map((await d.mails()).map((mail) => [mail.to, mail]));
  const [boss, anna] = [mails.get(BEHEERDER_EMAIL), mails.get(ANNA_EMAIL)];
  expect(boss?.text).toContain('Bel Machinist (van deze machine; tot 17:00): 06 12345678');
  expect(htmlOf(boss)).toContain('<a href="tel:+31612345678">06 12345678</a>');
  expect(anna?.text).toContain('Bel Kantoor & Co (van de organisatie; tot 17:00): 085-0123456');
  expect(htmlOf(anna)).toContain('Bel Kantoor &amp; Co');
  expect(htmlOf(anna)).not.toContain('Machinist');
});

test('a mail about several machines names each contact once, with the machines (53.14)', async () => {
  await d.rule('low');
  const machines = [await d.machine(), await d.machine(), await d.machine()];
  await contact('Kantoor', '085-0123456');
  await contact('Machinist', '06-12345678', 'kijker', machines[0]?.streamId);
  for (const { streamId } of machines) await d.live(streamId, readingsDuring(0, 4, LOW));
  await d.notify(8);
  const [mail] = await d.mails();
  const [first, second, third] = machines.map(({ alias }) => alias);
  expect(mail?.text).toContain(`Bel Machinist (tot 17:00; voor ${first}): 06-12345678`);
  expect(mail?.text).toContain(
    `Bel Kantoor (van de organisatie; tot 17:00; voor ${second}, ${third}): 085-0123456`,
  );
});

test('a mail about the end of an alert names no contact, and neither does the resolved alert (53.14)', async () => {
  await d.rule('low', { tellsEnd: true });
  const { streamId } = await d.machine();
  await contact('Kantoor', '085-0123456');
  await d.live(streamId, readingsDuring(0, 4, LOW));
  await d.notify(8);
  await d.live(streamId, readingsDuring(8, 12, { ...LOW, Soc1: 80 }));
  await d.notify(30);
  const [, over] = await d.mails();
  expect(over?.subject).toContain('is voorbij');
  expect(over?.text).not.toContain('Kantoor');
  expect((await d.alerts('resolved'))[0]?.contact).toBe(null);
});

test('a mail about a silent machine says what was last known and what usually causes it (53.15)', async () => {
  await d.rule('silent');
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 4, LOW));
  await inEachShard(d.pool, 'update telemetry.latest set updated_at = $1', [new Date(testMinuteMs(4))]);
  for (let minute = 1_436; minute <= 1_446; minute += 5) await d.evaluateClock(minute);
  await d.evaluateClock(1_450);
  await d.notify(1_470);
  const [mail] = await d.mails();
  expect(mail?.subject).toContain('Logger stil');
  expect(mail?.text).toContain(
    'Laatst bekend (20-11-26, 14:03): plaats Zwolle; accu 15%; laden: laadde niet.\n\nMeestal: de accu is leeg',
  );
});
