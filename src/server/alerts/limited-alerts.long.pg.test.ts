import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  openTestOutboundClient,
  type PushService,
  startPushService,
  type TestDevice,
} from '#server/push/test/push-service.ts';
import { AlertTestPortal, ANNA_EMAIL, readingsDuring } from './test/alert-desk.ts';

const LOW = { Soc1: 15, ChargingCurrent: 0, IsCharging: 0 };

let service: PushService;
let device: TestDevice;
let d: AlertTestPortal;
beforeAll(async () => {
  service = await startPushService();
  d = await AlertTestPortal.open({}, {}, { push: openTestOutboundClient(service.origin) });
});
beforeEach(async () => {
  await d.reset();
  service.taken.length = 0;
});
afterAll(async () => {
  await d.close();
  await service.close();
});

test('a person limited to a label gets mails and notifications only about machines with that label, and none after the label is deleted (53.20)', async () => {
  const [one, other] = [await d.machine(), await d.machine()];
  const { rows } = await d.pool.query<{ id: number }>(
    `insert into label (organization_id, name, colour) values ($1, 'Huur', 'blue') returning id`,
    [d.desk.klant],
  );
  const label = rows[0]?.id as number;
  await d.pool.query('insert into machine_label (label_id, stream_id) values ($1, $2)', [
    label,
    one.streamId,
  ]);
  await d.pool.query(
    `update account set limit_projects = '{}', limit_labels = array[$2::int] where email = $1`,
    [ANNA_EMAIL, label],
  );
  d.desk.forget(ANNA_EMAIL);
  device = service.device();
  expect((await d.call('POST', '/api/push/subscribe', ANNA_EMAIL, device.subscription)).status).toBe(200);
  const subscribe = (serialNumber: string) =>
    d.call('POST', '/api/mail/subscribe', ANNA_EMAIL, { serialNumber });
  expect([(await subscribe(one.serial)).status, (await subscribe(other.serial)).status]).toEqual([200, 404]);
  await d.rule('low', { people: [ANNA_EMAIL], roles: [] });
  for (const { streamId } of [one, other]) await d.live(streamId, readingsDuring(0, 4, LOW));
  await d.notify(6);
  const mails = (await d.mails()).filter(({ to }) => to === ANNA_EMAIL);
  expect(
    mails.map((mail) => [one, other].map(({ serial }) => JSON.stringify(mail).includes(`#${serial}`))),
  ).toEqual([[true, false]]);
  await expect.poll(() => service.taken.length, { timeout: 20_000 }).toBe(1);
  expect((await d.alerts('firing', ANNA_EMAIL)).map(({ machine }) => machine?.serialNumber)).toEqual([
    one.serial,
  ]);

  await d.pool.query('delete from label where id = $1', [label]);
  await d.pool.query('delete from alert');
  for (const { streamId } of [one, other])
    await d.live(streamId, readingsDuring(10, 14, { ...LOW, Soc1: 40 }));
  for (const { streamId } of [one, other]) await d.live(streamId, readingsDuring(20, 24, LOW));
  await d.notify(30);
  expect((await d.mails()).filter(({ to }) => to === ANNA_EMAIL)).toHaveLength(1);
  await expect.poll(() => d.alerts('firing', ANNA_EMAIL), { timeout: 20_000 }).toEqual([]);
});
