import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  chargingUnsubscribeToken,
  type MailedSubscription,
  readChargingUnsubscribeToken,
} from '#server/alerts/unsubscribe-token.ts';
import { AdminTestPortal, type TestResponse } from '#server/machines/test/administration.ts';
import { inTransaction } from '#server/platform/database.ts';
import { addSubscription } from './subscriptions.store.ts';

let administration: AdminTestPortal;
let klant: string;
let ander: string;
let spoor: string;
beforeAll(async () => {
  administration = await AdminTestPortal.open();
  const { portal, fleet } = administration;
  klant = fleet.cookie;
  await portal.user('b@ander.nl', await portal.organization('ander'));
  await portal.user('c@spoor.nl', await portal.organization('spoor', { isLmbCustomer: true }));
  ander = await portal.login('b@ander.nl');
  spoor = await portal.login('c@spoor.nl');
  await administration.machine('S-1');
});
afterAll(() => administration.close());

const status = (as: string, serialNumber = 'S-1'): Promise<TestResponse> =>
  administration.call('GET /api/mail/subscription-status', { as, query: { serialNumber } });
const change = (what: 'subscribe' | 'unsubscribe', as: string, body: unknown = { serialNumber: 'S-1' }) =>
  administration.call(`POST /api/mail/${what}`, { as, body });
const remove = (machine_serial: string) =>
  administration.call('DELETE /api/machine/delete', { query: { machine_serial } });

async function tokenOf(email: string, serial: string): Promise<string> {
  const { pool, secrets } = administration.portal;
  const { rows } = await pool.query(
    `select s.id as "streamId", a.id as "accountId", s.serial from stream s, account a
     where s.serial = $1 and s.deleted_at is null and a.email = $2`,
    [serial, email],
  );
  return chargingUnsubscribeToken(secrets, rows[0]);
}

test('subscribing and unsubscribing is stored per account and safe to repeat (MDET-07)', async () => {
  expect((await status(klant)).json).toEqual({ isSubscribed: false });
  for (const _ of ['once', 'twice']) {
    expect(await change('subscribe', klant)).toMatchObject({ status: 200 });
    expect((await status(klant)).json).toEqual({ isSubscribed: true });
  }
  expect((await status(administration.admin)).json).toEqual({ isSubscribed: false });
  expect(await change('subscribe', administration.admin)).toMatchObject({ status: 200 });
  for (const _ of ['once', 'twice']) {
    expect(await change('unsubscribe', klant)).toMatchObject({ status: 200 });
    expect((await status(klant)).json).toEqual({ isSubscribed: false });
  }
  expect((await status(administration.admin)).json).toEqual({ isSubscribed: true });
});

test('the subscription calls return 404 for a machine outside the scope, and 401 without a session (API-03)', async () => {
  for (const [as, serialNumber] of [
    [ander, 'S-1'],
    [spoor, 'S-1'],
    [klant, 'nergens'],
    [klant, ''],
    [administration.admin, 'nergens'],
  ] as const) {
    const answers = [
      await status(as, serialNumber),
      await change('subscribe', as, { serialNumber }),
      await change('unsubscribe', as, { serialNumber }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, code: 'not_found', message: 'Deze machine bestaat niet.' });
  }
  for (const answer of [await status(''), await change('subscribe', ''), await change('unsubscribe', '')])
    expect(answer.status).toBe(401);
});

test.each([{}, { serialNumber: 5 }, { serialNumber: 'x'.repeat(201) }, { serialNumber: 'a\0b' }, 'S-1'])(
  'a subscription with an invalid body is refused: %j (MDET-07)',
  async (body) => {
    expect((await change('subscribe', klant, body)).status).toBe(400);
  },
);

test('a cross-site request cannot subscribe a user (API-04)', async () => {
  const answer = await administration.portal.app.inject({
    method: 'POST',
    url: '/api/mail/subscribe',
    payload: { serialNumber: 'S-1' },
    headers: { cookie: klant, 'sec-fetch-site': 'cross-site' },
  });
  expect(answer.statusCode).toBe(403);
});

const oneClick = (
  token: string,
  headers: Record<string, string> = {},
  payload = 'List-Unsubscribe=One-Click',
) =>
  administration.portal.app.inject({
    method: 'POST',
    url: `/api/mail/unsubscribe/${token}`,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

test('a mail program unsubscribes its reader with one POST without a session, and can repeat it (MAIL-01)', async () => {
  await change('subscribe', klant);
  const token = await tokenOf('a@klant.nl', 'S-1');
  for (const _ of ['once', 'twice']) {
    expect((await oneClick(token)).statusCode).toBe(200);
    expect((await status(klant)).json).toEqual({ isSubscribed: false });
  }
  await change('subscribe', klant);
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await oneClick(token, multipart, '--x--')).statusCode).toBe(200);
  expect((await status(klant)).json).toEqual({ isSubscribed: false });
  expect((await status(administration.admin)).json).toEqual({ isSubscribed: true });
});

test('a browser may unsubscribe by token only from the portal’s own page (API-04)', async () => {
  await change('subscribe', klant);
  const token = await tokenOf('a@klant.nl', 'S-1');
  expect((await oneClick(token, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await status(klant)).json).toEqual({ isSubscribed: true });
});

test('an unsubscribe token is no session, and an invalid or foreign token does not unsubscribe any account (MAIL-01)', async () => {
  const token = await tokenOf('a@klant.nl', 'S-1');
  const tampered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  const { secrets } = administration.portal;
  const ofOthers = secrets.token('reset', '1 1 S-1');
  const withoutSerial = secrets.token('unsubscribe', '1 1');
  for (const wrong of ['x', tampered, withoutSerial, ofOthers, 'A'.repeat(90)])
    expect((await oneClick(wrong)).statusCode, wrong).toBe(400);
  expect((await oneClick('A'.repeat(300))).statusCode).toBe(400);
  expect((await status(token)).status).toBe(401);
  expect((await status(klant)).json).toEqual({ isSubscribed: true });
});

test('following the unsubscribe link changes nothing, and leads to the page that asks for confirmation (MAIL-01)', async () => {
  const token = await tokenOf('a@klant.nl', 'S-1');
  const answer = await administration.portal.get(`/api/mail/unsubscribe/${token}`);
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('http://localhost:3000/machine/S-1?afmelden=1');
  expect((await status(klant)).json).toEqual({ isSubscribed: true });
  expect((await administration.portal.get('/api/mail/unsubscribe/x')).statusCode).toBe(400);
});

test('the link in a mail has the serial number that the machine had when the mail was sent, also after the number changes (12.B6, MAIL-01)', async () => {
  await administration.machine('S-GEHEIM');
  await change('subscribe', klant, { serialNumber: 'S-GEHEIM' });
  const token = await tokenOf('a@klant.nl', 'S-GEHEIM');
  const followed = async () => {
    const { statusCode, headers, body } = await administration.portal.get(`/api/mail/unsubscribe/${token}`);
    return [statusCode, headers.location, body];
  };
  const before = await followed();
  expect(before).toEqual([303, 'http://localhost:3000/machine/S-GEHEIM?afmelden=1', '']);
  expect((await administration.sell('S-GEHEIM', 'ander')).status).toBe(200);
  const renamed = { bedrijf: 'ander', current_serial: 'S-GEHEIM', machine_serial: 'S-NIEUW' };
  expect((await administration.edit('S-GEHEIM', renamed)).status).toBe(200);
  expect(await followed()).toEqual(before);
  expect(
    (await administration.call('DELETE /api/machine/delete', { query: { machine_serial: 'S-NIEUW' } }))
      .status,
  ).toBe(200);
  expect(await followed()).toEqual(before);
});

test('a sale ends the subscriptions of the former owner, not those of administrators (MAIL-01, 41.5)', async () => {
  await administration.machine('S-3');
  for (const as of [klant, administration.admin]) await change('subscribe', as, { serialNumber: 'S-3' });
  expect((await administration.sell('S-3', 'ander')).status).toBe(200);
  expect((await change('subscribe', ander, { serialNumber: 'S-3' })).status).toBe(200);
  const { rows } = await administration.portal.pool.query(
    `select a.email from alert_rule r join account a on a.id = r.account_id join stream s on s.id = r.ids[1]
     where r.kind = 'charging' and s.serial = 'S-3' order by 1`,
  );
  expect(rows.map(({ email }) => email)).toEqual(['admin@portaal.nl', 'b@ander.nl']);
  await remove('S-3');
});

test('unsubscribing by the link of an old mail is logged for the subscriber’s organization only, with the serial number in the mail (MAIL-01, 41.5)', async () => {
  const { portal } = administration;
  const organizations = new Map<string, number>(
    (await portal.pool.query('select name, id from organization')).rows.map(({ name, id }) => [name, id]),
  );
  for (const name of ['klant', 'ander'])
    await portal.user(`baas@${name}.nl`, organizations.get(name) as number, 'beheerder');
  await administration.machine('S-4');
  await change('subscribe', klant, { serialNumber: 'S-4' });
  const token = await tokenOf('a@klant.nl', 'S-4');
  expect((await administration.sell('S-4', 'ander')).status).toBe(200);
  const renamed = { bedrijf: 'ander', current_serial: 'S-4', machine_serial: 'S-GEHEIM-4' };
  expect((await administration.edit('S-4', renamed)).status).toBe(200);
  // Simulates a subscription that still exists after the sale.
  const { streamId, accountId } = readChargingUnsubscribeToken(portal.secrets, token) as MailedSubscription;
  await inTransaction(portal.pool, (client) => addSubscription(client, streamId, accountId));
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/mail/unsubscribe/${token}`,
    payload: 'List-Unsubscribe=One-Click',
    remoteAddress: '198.51.100.23',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.statusCode).toBe(200);
  const rowsOf = async (email: string) =>
    (await portal.get('/api/log', await portal.login(email)))
      .json()
      .entries.filter(({ address }: { address: string }) => address === '198.51.100.23');
  expect(await rowsOf('baas@ander.nl')).toEqual([]);
  expect(await rowsOf('baas@klant.nl')).toMatchObject([
    { action: 'subscription.delete', subject: 'S-4', isMachine: false },
  ]);
  expect((await portal.get('/api/account/data', klant)).body).not.toContain('S-GEHEIM-4');
  await remove('S-GEHEIM-4');
});

test('the longest serial number fits into an unsubscribe link (12.B6, MAIL-01)', async () => {
  const serial = 'ẞ'.repeat(64);
  const token = chargingUnsubscribeToken(administration.portal.secrets, {
    streamId: 2 ** 31 - 1,
    accountId: 2 ** 31 - 1,
    serial,
  });
  const { headers } = await administration.portal.get(`/api/mail/unsubscribe/${token}`);
  expect(headers.location).toBe(`http://localhost:3000/machine/${encodeURIComponent(serial)}?afmelden=1`);
});

test('only the one-click call of a mail program accepts the body of a form (API-01)', async () => {
  const answer = await administration.portal.app.inject({
    method: 'POST',
    url: '/api/mail/subscribe',
    payload: 'serialNumber=S-1',
    headers: { cookie: klant, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.statusCode).toBe(400);
});

test('a subscription is deleted with its account and with its machine (MAIL-01)', async () => {
  const { portal } = administration;
  const left = async () =>
    (
      await portal.pool.query(
        `select a.email from alert_rule r join account a on a.id = r.account_id where r.kind = 'charging' order by 1`,
      )
    ).rows.map(({ email }) => email);
  expect(await left()).toEqual(['a@klant.nl', 'admin@portaal.nl']);
  expect(
    (await administration.call('DELETE /api/user/delete', { query: { email: 'a@klant.nl' } })).status,
  ).toBe(200);
  expect(await left()).toEqual(['admin@portaal.nl']);
  const query = { machine_serial: 'S-1' };
  expect((await administration.call('DELETE /api/machine/delete', { query })).status).toBe(200);
  expect(await left()).toEqual([]);
  expect((await portal.pool.query('select from alert_cursor')).rows).toEqual([]);
});
