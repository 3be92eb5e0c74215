import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openOutbound } from '#server/platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from '#server/platform/outbound-allow.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { resealAll } from '#server/sealed-columns.ts';
import { PASSWORD, SECRETS_KEY, type TestPortal, testPortal } from '#server/test/portal.ts';
import type { PushNotice } from '#shared/domain/push-notice.ts';
import { openPushSender } from './push.ts';
import { expirePushDeliveries } from './push-devices.store.ts';
import {
  openTestOutboundClient,
  type PushService,
  readVapid,
  startPushService,
  type TestDevice,
} from './test/push-service.ts';

let service: PushService;
let portal: TestPortal;
let klant: number;
beforeAll(async () => {
  service = await startPushService();
  portal = await testPortal({ PUBLIC_URL: 'https://portaal.nl' }, Date.now, undefined, undefined, {
    push: openTestOutboundClient(service.origin),
  });
  klant = await portal.organization('klant');
});
afterAll(async () => {
  await portal.close();
  await service.close();
});

let email: string;
let accountId: number;
let people = 0;
beforeEach(async () => {
  people += 1;
  email = `anna${people}@klant.nl`;
  await portal.user(email, klant);
  ({ id: accountId } = (await portal.pool.query('select id from account where email = $1', [email])).rows[0]);
  service.asked.length = 0;
  service.taken.length = 0;
});

const post = async (cookie: string, url: string, payload?: object) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/push/${url}`,
    headers: { cookie },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, message: answer.json().message as string };
};
const listed = async (cookie: string) => (await portal.get('/api/push/get', cookie)).json();
/** Signs a person in on a phone of their own. */
async function phone(of = email): Promise<{ cookie: string; device: TestDevice }> {
  const cookie = await portal.login(of);
  const device = service.device();
  expect(await post(cookie, 'subscribe', device.subscription)).toMatchObject({ status: 200 });
  return { cookie, device };
}
let notices = 0;
function notice(changed: Partial<PushNotice> = {}): PushNotice {
  notices += 1;
  return {
    id: `alert ${notices}`,
    title: 'Accu laag: Kraan 1',
    body: 'Nog 12 %. Zet hem aan de lader.',
    path: '/machine/K-1',
    tag: 'alert-1',
    urgent: false,
    ...changed,
  };
}
const send = (what: PushNotice, of = accountId) => portal.portal.push.send(of, what);
/** Opens push as another process on the same database would. */
const another = (changed: Partial<Parameters<typeof openPushSender>[0]>) =>
  openPushSender({
    db: portal.pool,
    secrets: portal.secrets,
    outbound: portal.portal.outbound.push,
    publicUrl: 'https://portaal.nl',
    warn: () => {},
    now: Date.now,
    ...changed,
  });
const takenBy = ({ path }: TestDevice) => service.taken.filter((pushed) => pushed.path === path);

test('a notification reaches each device of a person once, signed by the portal and readable by the device only (16.5a)', async () => {
  const [one, other] = [await phone(), await phone()];
  const sent = notice({ urgent: true });
  expect(await send(sent)).toBe(2);
  expect(await send(sent)).toBe(2);
  expect(service.taken).toHaveLength(2);
  const { publicKey } = await listed(one.cookie);
  for (const { device } of [one, other]) {
    const [pushed] = takenBy(device);
    if (!pushed) throw new Error('It did not come.');
    expect(JSON.parse(device.read(pushed))).toEqual(sent);
    expect(pushed.body.includes('Kraan')).toBe(false);
    const { key, claims } = readVapid(pushed);
    expect(key).toBe(publicKey);
    expect(claims).toMatchObject({ aud: service.origin, sub: 'https://portaal.nl' });
    expect(Number(claims.exp) - Date.now() / 1000).toSatisfy((s: number) => s > 0 && s <= 86_400);
    expect(pushed.headers).toMatchObject({
      urgency: 'high',
      ttl: '86400',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(() =>
      readVapid({
        ...pushed,
        headers: {
          authorization: pushed.headers.authorization?.replace(/.(?=\.[^.]*,)/, (c) =>
            c === 'A' ? 'B' : 'A',
          ),
        },
      }),
    ).toThrow();
  }
  await send(notice());
  await send(notice({ tag: 'alert-2' }));
  const [, calm, another] = takenBy(one.device);
  expect([calm?.headers.urgency, calm?.headers.topic]).toEqual([
    'normal',
    takenBy(one.device)[0]?.headers.topic,
  ]);
  expect(another?.headers.topic).not.toBe(calm?.headers.topic);
});

test.each([404, 410])(
  'a device is removed when its push service answers %d, and the other devices get the notification (16.5b)',
  async (status) => {
    const [gone, there] = [await phone(), await phone()];
    service.behave(gone.device, { status });
    expect(await send(notice())).toBe(1);
    expect((await listed(there.cookie)).devices).toHaveLength(1);
    await send(notice());
    expect(service.asked.filter(({ path }) => path === gone.device.path)).toHaveLength(1);
    expect(await post(gone.cookie, 'test')).toMatchObject({ status: 404 });
  },
);

test('a push service is tried again after the time that it asks for, without repeating delivered notifications (16.5c)', async () => {
  const [busy, there] = [await phone(), await phone()];
  service.behave(busy.device, { status: 429, headers: { 'retry-after': '120' } });
  const sent = notice();
  await expect(send(sent)).rejects.toMatchObject({ name: 'PushRetryLater', afterMs: 120_000 });
  service.behave(busy.device, { status: 201 });
  const again = await send(sent).catch((error) => error);
  expect([again.name, again.afterMs > 100_000 && again.afterMs <= 120_000]).toEqual(['PushRetryLater', true]);
  expect([takenBy(busy.device).length, takenBy(there.device).length]).toEqual([0, 1]);
  expect(
    (await listed(there.cookie)).devices.map(({ hasFailed }: { hasFailed: boolean }) => hasFailed),
  ).toEqual([false, true]);
  await portal.pool.query('update push_subscription set wait_until = now()');
  expect(await send(sent)).toBe(2);
  expect([takenBy(busy.device).length, takenBy(there.device).length]).toEqual([1, 1]);
});

test('a push service that fails or does not answer is tried again, and one that refuses is not (16.5c)', async () => {
  const { device, cookie } = await phone();
  const sent = notice();
  for (const status of [500, 503, 408]) {
    service.behave(device, { status });
    await portal.pool.query('update push_subscription set wait_until = null');
    await expect(send(sent)).rejects.toMatchObject({ afterMs: 60_000 });
  }
  service.behave(device, 'silence');
  const withTimeLimit = await another({ outbound: openTestOutboundClient(service.origin, 200) });
  await portal.pool.query('update push_subscription set wait_until = null');
  await expect(withTimeLimit.send(accountId, sent)).rejects.toMatchObject({ name: 'PushRetryLater' });
  await portal.pool.query('update push_subscription set wait_until = null');
  for (const status of [400, 403, 413, 302]) {
    service.behave(device, { status, headers: { location: 'http://localhost:1/' } });
    expect(await send(notice())).toBe(0);
  }
  expect((await listed(cookie)).devices).toMatchObject([{ hasFailed: true, lastSent: null }]);
  service.behave(device, { status: 201 });
  expect(await withTimeLimit.send(accountId, sent)).toBe(1);
  expect((await listed(cookie)).devices).toMatchObject([{ hasFailed: false, lastSent: expect.any(String) }]);
});

test.each<[string, (of: { cookie: string; id: number }) => Promise<unknown>]>([
  [
    'signing out',
    ({ cookie }) => portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } }),
  ],
  [
    'being signed out from elsewhere',
    async ({ id }) => {
      const payload = { id };
      const headers = { cookie: await portal.login(email) };
      return portal.app.inject({ method: 'POST', url: '/api/account/sessions/end', headers, payload });
    },
  ],
  [
    'signing out everywhere else',
    async () => {
      const headers = { cookie: await portal.login(email) };
      return portal.app.inject({ method: 'POST', url: '/api/account/sessions/end-others', headers });
    },
  ],
  [
    'a new password',
    async () => {
      const headers = { cookie: await portal.login(email) };
      const payload = { present: PASSWORD, new: 'quite another password' };
      return portal.app.inject({ method: 'POST', url: '/api/account/password', headers, payload });
    },
  ],
  [
    'the sign-in being too old',
    ({ id }) => portal.pool.query(`update session set expires_at = now() where id = $1`, [id]),
  ],
  [
    'not having used it for long',
    ({ id }) =>
      portal.pool.query(`update session set last_used_at = now() - interval '73 hours' where id = $1`, [id]),
  ],
  [
    'deleting the account',
    ({ cookie }) => portal.app.inject({ method: 'DELETE', url: '/api/account', headers: { cookie } }),
  ],
  [
    'going to another organization',
    async () =>
      portal.pool.query('update account set organization_id = $2 where id = $1', [
        accountId,
        await portal.organization('elders'),
      ]),
  ],
  ['another role', () => portal.pool.query(`update account set role = 'kijker' where id = $1`, [accountId])],
])('after %s nothing is sent to that device (16.5d)', async (_, leave) => {
  const { device, cookie } = await phone();
  const [own] = (await listed(cookie)).devices;
  expect(await send(notice())).toBe(1);
  await leave({ cookie, id: own.id });
  expect(await send(notice())).toBe(0);
  expect(takenBy(device)).toHaveLength(1);
});

test('no push notification is sent to the people of a disabled organization (16.5d)', async () => {
  const dicht = await portal.organization('dicht');
  await portal.user('piet@dicht.nl', dicht);
  const { device } = await phone('piet@dicht.nl');
  const { rows } = await portal.pool.query(`select id from account where email = 'piet@dicht.nl'`);
  await portal.pool.query('update organization set is_active = false where id = $1', [dicht]);
  expect(await send(notice(), rows[0].id)).toBe(0);
  expect(takenBy(device)).toEqual([]);
});

test('people see and remove only their own devices for push notifications, and a shared browser belongs to its last user (16.5e)', async () => {
  const { cookie, device } = await phone();
  await portal.user(`kijk${people}@klant.nl`, klant, 'kijker');
  const other = await portal.login(`kijk${people}@klant.nl`);
  const [own] = (await listed(cookie)).devices;
  expect(own).toMatchObject({ isOwn: true, lastSent: null, hasFailed: false, device: 'lightMyRequest' });
  expect((await listed(other)).devices).toEqual([]);
  expect(await post(other, 'unsubscribe', { id: own.id })).toMatchObject({ status: 404 });
  expect((await listed(cookie)).devices).toHaveLength(1);

  // Repeating the call changes nothing.
  await post(cookie, 'subscribe', device.subscription);
  expect((await listed(cookie)).devices).toMatchObject([{ id: own.id, since: own.since }]);
  await post(other, 'subscribe', device.subscription);
  expect((await listed(cookie)).devices).toEqual([]);
  expect(await send(notice())).toBe(0);
  const [taken] = (await listed(other)).devices;
  expect(await post(other, 'unsubscribe', { id: taken.id })).toMatchObject({
    status: 200,
    message: 'Je krijgt geen meldingen meer op dit apparaat.',
  });
  expect((await listed(other)).devices).toEqual([]);
  const { rows } = await portal.pool.query(
    `select action from audit where action like 'push.%' order by id desc limit 2`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['push.unsubscribe', 'push.subscribe']);
});

test('concurrent push subscriptions of one browser leave exactly one subscription (16.5e)', async () => {
  const cookies = await Promise.all([1, 2, 3, 4].map(() => portal.login(email)));
  const { subscription } = service.device();
  const answers = await Promise.all(cookies.map((cookie) => post(cookie, 'subscribe', subscription)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await listed(cookies[0] as string)).devices).toHaveLength(1);
});

test('an account has at most ten devices for push notifications (16.5e)', async () => {
  for (let n = 0; n < 10; n += 1) await phone();
  const cookie = await portal.login(email);
  expect(await post(cookie, 'subscribe', service.device().subscription)).toMatchObject({
    status: 409,
    message: 'Je krijgt al meldingen op 10 apparaten. Haal er eerst een weg.',
  });
});

const REFUSED = 'Adres van de meldingendienst: daar mag het portaal niet heen, of daar is niets te vinden.';
test.each<[string, (of: TestDevice['subscription']) => object, string]>([
  ['plain http', (of) => ({ ...of, endpoint: 'http://push.example.nl/x' }), REFUSED],
  ['another port', (of) => ({ ...of, endpoint: 'https://push.example.nl:8443/x' }), REFUSED],
  ['this machine', (of) => ({ ...of, endpoint: 'https://127.0.0.1/x' }), REFUSED],
  ['the metadata of a cloud', (of) => ({ ...of, endpoint: 'https://169.254.169.254/x' }), REFUSED],
  ['a password', (of) => ({ ...of, endpoint: 'https://a:b@9.9.9.9/x' }), REFUSED],
  ['no address', (of) => ({ ...of, endpoint: 'geen' }), 'Adres van de meldingendienst is geen adres'],
  [
    'a long address',
    (of) => ({ ...of, endpoint: `https://9.9.9.9/${'x'.repeat(1_000)}` }),
    'Adres van de meldingendienst is te lang',
  ],
  ['no key', (of) => ({ ...of, keys: { auth: of.keys.auth } }), 'is onleesbaar'],
  ['half a key', (of) => ({ ...of, keys: { ...of.keys, p256dh: of.keys.p256dh.slice(9) } }), 'is onleesbaar'],
  [
    'a key that is no point of the curve',
    (of) => ({ ...of, keys: { ...of.keys, p256dh: `BA${'A'.repeat(85)}` } }),
    'De sleutel van deze browser is onleesbaar.',
  ],
  ['a name that nobody has (41.3)', (of) => ({ ...of, endpoint: `https://${'x'.repeat(64)}.nl/x` }), REFUSED],
])('a subscription with %s is refused (16.5f)', async (_, of, why) => {
  const cookie = await portal.login(email);
  const answer = await post(cookie, 'subscribe', of(service.device().subscription));
  expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(why)]);
  expect((await listed(cookie)).devices).toEqual([]);
});

test('a push service whose name resolves to an internal address when sending gets no request and no retry (16.5f)', async () => {
  const { cookie } = await phone();
  await portal.pool.query(
    'update push_subscription set endpoint = $1 where session_id in (select id from session where account_id = $2)',
    ['https://push.example.nl/x', accountId],
  );
  const addresses = ['93.184.216.34', '127.0.0.1'];
  const outbound = openOutbound({
    allow: readOutboundAllow([]) as OutboundAllow,
    resolve: async () => [{ address: addresses.shift() ?? '127.0.0.1' }],
  });
  const push = await another({ outbound });
  await outbound.check('https://push.example.nl/x');
  expect(await push.send(accountId, notice())).toBe(0);
  expect((await listed(cookie)).devices).toMatchObject([{ hasFailed: true }]);
});

test('a test notification is sent to the calling device, at most ten times a quarter of an hour (16.5g)', async () => {
  const [one, other] = [await phone(), await phone()];
  expect(await post(one.cookie, 'test')).toEqual({ status: 200, message: 'De proefmelding is verstuurd.' });
  const [pushed] = takenBy(one.device);
  expect(JSON.parse(one.device.read(pushed ?? expect.unreachable()))).toMatchObject({
    title: 'Proefmelding',
  });
  expect(takenBy(other.device)).toEqual([]);
  service.behave(one.device, { status: 500 });
  expect(await post(one.cookie, 'test')).toMatchObject({ status: 502 });
  await portal.pool.query('update push_subscription set wait_until = null');
  service.behave(one.device, { status: 403 });
  expect(await post(one.cookie, 'test')).toMatchObject({ status: 409 });
  for (let n = 3; n < 10; n += 1) await post(one.cookie, 'test');
  expect(await post(one.cookie, 'test')).toMatchObject({ status: 429 });
  expect(await post(await portal.login(email), 'test')).toMatchObject({
    status: 404,
    message: 'Dit apparaat krijgt geen meldingen. Zet ze eerst aan.',
  });
});

test('the VAPID key is made once by the first process, and survives a new SECRETS_KEY (16.5h)', async () => {
  const { pool } = portal;
  const opened = (secrets = portal.secrets) => another({ secrets, publicUrl: 'http://localhost:3000' });
  const known = portal.portal.push.publicKey;
  await pool.query('delete from push_key');
  const made = await Promise.all([1, 2, 3].map(() => opened()));
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1);
  expect(made[0]?.publicKey).not.toBe(known);
  const next = deriveSecrets('22'.repeat(32));
  await resealAll(pool, (...place) => portal.secrets.open(...place), next);
  await expect(opened()).rejects.toThrow();
  expect((await opened(next)).publicKey).toBe(made[0]?.publicKey);
  await resealAll(pool, (...place) => next.open(...place), deriveSecrets(SECRETS_KEY));

  const { device } = await phone();
  expect(await (await opened()).send(accountId, notice())).toBe(1);
  const { key, claims } = readVapid(takenBy(device)[0] ?? expect.unreachable());
  expect([key, claims.sub]).toEqual([made[0]?.publicKey, 'mailto:noreply@localhost']);
});

test('delivery records of push notifications are kept for three days (16.5h)', async () => {
  await phone();
  const sent = notice();
  await send(sent);
  await expirePushDeliveries(portal.pool);
  const known = async () =>
    (await portal.pool.query('select from push_taken where notice_id = $1', [sent.id])).rowCount;
  expect(await known()).toBe(1);
  await portal.pool.query(
    `update push_taken set taken_at = now() - interval '73 hours' where notice_id = $1`,
    [sent.id],
  );
  await expirePushDeliveries(portal.pool);
  expect(await known()).toBe(0);
});
