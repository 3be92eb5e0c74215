import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#server/auth/new-account.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, openPool, type Pool } from '#server/platform/database.ts';
import { openOutbound, type ResolveHost } from '#server/platform/outbound.ts';
import { readOutboundAllow } from '#server/platform/outbound-allow.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { ROOT_CERTIFICATE } from '#server/platform/test/certificates.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { SECRETS_KEY } from '#server/test/portal.ts';
import { type DeliveryState, deliveryText } from '#shared/domain/webhooks.ts';
import { cancelDeliveries, expireDeliveries, listDeliveries } from './deliveries.store.ts';
import { generateWebhookSecret } from './signature.ts';
import { type Receiver, startReceiver } from './test/receiver.ts';
import { addWebhook, changeWebhook, listWebhooks, removeWebhook, switchWebhook } from './webhooks.store.ts';
import { openWebhooks, type WebhookEvent, type Webhooks } from './webhooks.ts';

const HOUR = 3_600_000;
const TIMEOUT_MS = 400;
const SOON = { interval: 10, timeout: 10_000 };
const secrets = deriveSecrets(SECRETS_KEY);

let database: TestDatabase;
let pool: Pool;
let receiver: Receiver;
let webhooks: Webhooks;
let madeBy: number;
const clock = { ahead: 0 };
const now = () => Date.now() + clock.ahead;
const loopback: ResolveHost = async () => [{ address: '127.0.0.1' }];
const opened: Webhooks[] = [];
const warnings: string[] = [];
/** Opens the sender of webhook messages, as another process would, and waits for its first poll. */
function open(resolve = loopback, timeoutMs = TIMEOUT_MS): Webhooks {
  const allow = readOutboundAllow([`inlog.example.nl:${receiver.port}`]) ?? expect.unreachable();
  const outbound = openOutbound({ allow, resolve, ca: ROOT_CERTIFICATE, timeoutMs });
  const warn = (what: string, why: string) => void warnings.push(`${what}: ${why}`);
  const one = openWebhooks({ pool, outbound, secrets, warn, now });
  opened.push(one);
  return one;
}

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.application, () => {});
  receiver = await startReceiver(true);
  webhooks = open();
  const admin = { name: 'admin', clean: 'Beheer', isLmbCustomer: false };
  const organizationId = await createOrganization(pool, admin);
  const account = { email: 'a@b.nl', passwordHash: '', organizationId, role: 'administrator' } as const;
  await createAccount(pool, { ...account, isConfirmed: true });
  madeBy = (await pool.query('select id from account')).rows[0].id;
});
afterEach(async () => {
  // Deletes the messages of the webhooks too, so that the next test sees no further attempt.
  await pool.query('delete from webhook');
  clock.ahead = 0;
  receiver.received.length = 0;
  receiver.answers = {};
  expect(warnings.splice(0)).toEqual([]);
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await receiver.close();
  await pool.end();
  await database.drop();
});

let made = 0;
const organization = (): Promise<number> => {
  made += 1;
  return createOrganization(pool, { name: `klant-${made}`, clean: `Klant ${made}`, isLmbCustomer: false });
};
const urlOf = (path: string) => `https://inlog.example.nl:${receiver.port}${path}`;
const webhook = (organizationId: number, url: string, secret = generateWebhookSecret()): Promise<number> =>
  addWebhook(pool, secrets, { organizationId, name: 'Planning', url, secret, madeBy });
const event = (id: string, data: object = {}): WebhookEvent => ({
  id,
  type: 'alert.opened',
  at: Date.parse('2026-11-23T08:00:00Z'),
  data,
});
const logOf = async (organizationId: number) =>
  (await listDeliveries(pool, organizationId)).map((one) =>
    deliveryText({ ...one, isWaiting: one.nextTryAt !== null } as DeliveryState),
  );
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id']);

test('the library of Standard Webhooks accepts a message, and refuses a changed one (16.5n)', async () => {
  const klant = await organization();
  const secret = generateWebhookSecret();
  await webhook(klant, urlOf('/n'), secret);
  const data = { machine: 'Graafmachine “Één”', soc: 12.5 };
  await webhooks.queue(pool, klant, event('alert-7-opened', data));
  await webhooks.sendDue();
  const [{ headers, body } = expect.unreachable(), ...others] = receiver.at('/n');
  expect(others).toEqual([]);
  const said = headers as Record<string, string>;
  const verified = new Verifier(secret).verify(body, said);
  expect(verified).toEqual({ type: 'alert.opened', timestamp: '2026-11-23T08:00:00.000Z', data });
  expect([said['webhook-id'], said['content-type'], said['user-agent']]).toEqual([
    'alert-7-opened',
    'application/json',
    'Werkstroom',
  ]);
  for (const [otherBody, other] of [
    [body.replace('12.5', '99.5'), {}],
    [body, { 'webhook-id': 'alert-8-opened' }],
    [body, { 'webhook-timestamp': String(Number(said['webhook-timestamp']) - 1) }],
  ] as const)
    expect(() => new Verifier(secret).verify(otherBody, { ...said, ...other })).toThrow('signature');
  expect(() => new Verifier(generateWebhookSecret()).verify(body, said)).toThrow('signature');
});

test('a failed webhook message is retried with the same id until it is accepted, and the status 410 switches the webhook off (16.5o)', async () => {
  const klant = await organization();
  const id = await webhook(klant, urlOf('/o'));
  await webhooks.queue(pool, klant, event('one'));
  for (const [status, ahead] of [
    [500, 0],
    [429, 31_000],
    [302, 92_000],
    [undefined, 213_000],
  ] as const) {
    receiver.answers = { '/o': status };
    clock.ahead = ahead;
    await webhooks.sendDue();
    const why = status ?? 'geen antwoord binnen 10 seconden';
    expect(await logOf(klant)).toEqual([`Mislukt (${why}), wordt opnieuw geprobeerd`]);
    // A second call at the same time sends nothing, because the next attempt is not yet due.
    await webhooks.sendDue();
  }
  receiver.answers = {};
  clock.ahead = 454_000;
  await webhooks.sendDue();
  expect(idsAt('/o')).toEqual(['one', 'one', 'one', 'one', 'one']);
  expect(new Set(receiver.at('/o').map(({ body }) => body)).size).toBe(1);
  expect(await logOf(klant)).toEqual(['Aangekomen']);
  // A repeated event adds no message.
  await webhooks.queue(pool, klant, event('one'));
  receiver.answers = { '/o': 410 };
  await webhooks.queue(pool, klant, event('two'));
  await webhooks.queue(pool, klant, event('three'));
  // Polls the log, because sendDue() does not send a message that the timer of `webhooks` has already claimed.
  const log = async () => {
    await webhooks.sendDue();
    return (await logOf(klant)).sort();
  };
  await expect
    .poll(log, { timeout: 20_000 })
    .toEqual(['Aangekomen', 'Niet verstuurd (webhook uitgezet)', 'Opgegeven na 1 keer (410)']);
  expect(receiver.received).toHaveLength(6);
  expect(await listWebhooks(pool, klant)).toMatchObject([
    { _id: id, isOn: false, isGone: true, waiting: 0, givenUp: 2 },
  ]);
  const { rows } = await pool.query(
    `select actor, subject, data, changes from audit where action = 'webhook.switch'`,
  );
  expect(rows).toEqual([
    {
      actor: 'webhook',
      subject: `klant-${made}`,
      data: { name: 'Planning' },
      changes: { isOn: [true, false] },
    },
  ]);
});

test('a webhook message that fails for 24 hours is given up, and is delivered when a person sends it again (16.5o)', async () => {
  const klant = await organization();
  await webhook(klant, urlOf('/dag'));
  receiver.answers = { '/dag': 503 };
  await webhooks.queue(pool, klant, event('dag'));
  for (let minute = 0; minute <= 24 * 60 + 5; minute += 5) {
    clock.ahead = minute * 60_000;
    await webhooks.sendDue();
  }
  expect(await logOf(klant)).toEqual([`Opgegeven na ${receiver.received.length} keer (503)`]);
  expect(receiver.received.length).toBeGreaterThan(8);
  expect(new Set(idsAt('/dag'))).toEqual(new Set(['dag']));
  receiver.answers = {};
  const [{ _id } = expect.unreachable()] = await listDeliveries(pool, klant);
  await webhooks.resend(pool, _id);
  await webhooks.sendDue();
  expect(await logOf(klant)).toEqual(['Aangekomen']);
  expect(idsAt('/dag').at(-1)).toBe('dag');
  // A message that could not be sent for more than a day, for example because the portal was down, is not sent any more.
  await pool.query('update organization set is_active = false where id = $1', [klant]);
  await pool.query('update webhook_delivery set next_try_at = asked_at where id = $1', [_id]);
  await webhooks.sendDue();
  await pool.query('update organization set is_active = true where id = $1', [klant]);
  const count = receiver.received.length;
  clock.ahead += 25 * HOUR + 60_000;
  await webhooks.sendDue();
  expect([await logOf(klant), receiver.received.length]).toEqual([['Niet verstuurd (te laat)'], count]);
  await pool.query(`update webhook_delivery set asked_at = now() - interval '31 days' where id = $1`, [_id]);
  await expireDeliveries(pool);
  expect(await logOf(klant)).toEqual([]);
});

test('a webhook is reported as failing since the first failed message after the last success (16.5u)', async () => {
  const klant = await organization();
  const id = await webhook(klant, urlOf('/sinds'));
  const state = async () => {
    const [{ arrivedAt, failingSince } = expect.unreachable()] = await listWebhooks(pool, klant);
    return [arrivedAt, failingSince];
  };
  const askedAt = async (which: string) =>
    (await listDeliveries(pool, klant)).find(({ event: one }) => one === which)?.askedAt;
  receiver.answers = { '/sinds': 500 };
  for (const which of ['a', 'b']) {
    await webhooks.queue(pool, klant, event(which));
    await webhooks.sendDue();
    clock.ahead += 1_000;
  }
  expect(await state()).toEqual([null, await askedAt('a')]);
  receiver.answers = {};
  await webhooks.queue(pool, klant, event('c'));
  await webhooks.sendDue();
  const [arrivedAt] = await state();
  expect(await state()).toEqual([expect.any(String), null]);
  // If a message that was queued earlier fails now, the webhook counts as failing since that message was queued.
  receiver.answers = { '/sinds': 500 };
  clock.ahead += 40_000;
  await webhooks.sendDue();
  expect(await state()).toEqual([arrivedAt, arrivedAt]);
  // Cancelled messages do not count as failures, so after their cancellation the webhook is no longer failing.
  await cancelDeliveries(pool, id);
  expect(await state()).toEqual([arrivedAt, null]);
});

test('receivers of one organization that never answer delay no other organization’s messages (16.5p)', async () => {
  const [dead, healthy] = [await organization(), await organization()];
  for (let n = 0; n < 8; n += 1) await webhook(dead, urlOf('/dood'));
  await webhook(healthy, urlOf('/gezond'));
  receiver.answers = { '/dood': undefined };
  await webhooks.close();
  webhooks = open(loopback, 60_000);
  for (let n = 0; n < 10; n += 1) await webhooks.queue(pool, dead, event(`dood-${n}`));
  await expect.poll(() => receiver.waiting('/dood'), SOON).toBe(3);
  for (let n = 0; n < 5; n += 1) {
    await webhooks.queue(pool, healthy, event(`gezond-${n}`));
    await expect.poll(() => receiver.at('/gezond').length, SOON).toBe(n + 1);
  }
  expect(receiver.at('/dood')).toHaveLength(3);
  await webhooks.close();
  await pool.query('delete from webhook');
  webhooks = open();
});

test('a webhook whose host resolves to an internal address, at the first or only at the second DNS look-up, gets no request (16.5q)', async () => {
  const klant = await organization();
  await webhook(klant, 'https://inlog.example.nl/q');
  await webhook(klant, 'https://[::ffff:10.0.0.1]/q');
  let lookUps = 0;
  const inside = open(async () => {
    lookUps += 1;
    return [{ address: lookUps === 1 ? '10.0.0.8' : '127.0.0.1' }, { address: '93.184.216.34' }];
  });
  await webhooks.close();
  for (const ahead of [0, 31_000]) {
    clock.ahead = ahead;
    if (ahead === 0) await inside.queue(pool, klant, event('q'));
    await inside.sendDue();
    const words = 'Mislukt (niet bereikbaar), wordt opnieuw geprobeerd';
    expect(await logOf(klant)).toEqual([words, words]);
  }
  expect([lookUps, receiver.received]).toEqual([2, []]);
  await inside.close();
  webhooks = open();
});

test('nothing is sent to a webhook that is off or deleted, or of a disabled or another organization (16.5r)', async () => {
  const [klant, other] = [await organization(), await organization()];
  const [off, deleted, moved] = [
    await webhook(klant, urlOf('/uit')),
    await webhook(klant, urlOf('/weg')),
    await webhook(klant, urlOf('/oud')),
  ];
  await webhook(other, urlOf('/ander'));
  await webhooks.close();
  await webhooks.queue(pool, klant, event('r'));
  await switchWebhook(pool, off, false);
  await removeWebhook(pool, deleted);
  await changeWebhook(pool, moved, { name: 'Planning', url: urlOf('/nieuw') });
  await pool.query('update organization set is_active = false where id = $1', [klant]);
  await webhooks.queue(pool, klant, event('r2'));
  webhooks = open();
  await webhooks.sendDue();
  expect(receiver.received).toEqual([]);
  await pool.query('update organization set is_active = true where id = $1', [klant]);
  await webhooks.sendDue();
  await cancelDeliveries(pool, off);
  await webhooks.queue(pool, other, event('r'));
  await webhooks.queue(pool, klant, event('r2'));
  await webhooks.sendDue();
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/ander', '/nieuw', '/nieuw']);
  await switchWebhook(pool, off, true);
  await webhooks.queue(pool, klant, event('r3'));
  await webhooks.sendDue();
  expect([idsAt('/uit'), idsAt('/nieuw')]).toEqual([['r3'], ['r', 'r2', 'r3']]);
});

test('a webhook message is queued only if its transaction commits, sent once by two processes, and sent again with its id after a kill (16.5s)', async () => {
  const klant = await organization();
  const id = await webhook(klant, urlOf('/s'));
  const second = open();
  await inTransaction(pool, async (client) => {
    await webhooks.queue(client, klant, event('undone'));
    throw new Error('undone');
  }).catch(() => {});
  await inTransaction(pool, async (client) => {
    for (let n = 0; n < 20; n += 1) await webhooks.queue(client, klant, event(`s${n}`));
  });
  await Promise.all([webhooks.sendDue(), second.sendDue()]);
  await expect.poll(async () => (await listWebhooks(pool, klant))[0]?.waiting, SOON).toBe(0);
  expect(idsAt('/s')).toEqual(Array.from({ length: 20 }, (_, n) => `s${n}`));
  // Creates the state that remains if a process dies while it sends a message.
  await pool.query(
    `with taken as (update webhook set taken_until = $2 where id = $1)
     insert into webhook_delivery (webhook_id, event_id, type, body, asked_at, next_try_at) values ($1, 'killed', 'test', '{}', now(), now())`,
    [id, new Date(now() + 30_000)],
  );
  await webhooks.sendDue();
  expect(receiver.at('/s')).toHaveLength(20);
  clock.ahead = 31_000;
  await webhooks.sendDue();
  expect(idsAt('/s').slice(20)).toEqual(['killed']);
  await second.close();
});

test('when a portal stops while it sends a webhook message, another process can send that message immediately (16.5s)', async () => {
  const klant = await organization();
  await webhook(klant, urlOf('/stop'));
  receiver.answers = { '/stop': undefined };
  await webhooks.queue(pool, klant, event('stop'));
  await expect.poll(() => receiver.waiting('/stop'), SOON).toBe(1);
  await webhooks.close();
  expect(await logOf(klant)).toEqual(['Wordt verstuurd']);
  receiver.answers = {};
  webhooks = open();
  await webhooks.sendDue();
  expect([idsAt('/stop'), await logOf(klant)]).toEqual([['stop', 'stop'], ['Aangekomen']]);
});
