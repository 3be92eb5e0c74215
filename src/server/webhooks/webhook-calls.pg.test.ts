import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { type Receiver, startReceiver } from './test/receiver.ts';

let portal: TestPortal;
let receiver: Receiver;
let manager: string;
let other: string;
let admin: string;
beforeAll(async () => {
  receiver = await startReceiver(false);
  portal = await testPortal({ OUTBOUND_ALLOW_WEBHOOKS: `http://localhost:${receiver.port}` });
  const klant = await portal.organization('klant');
  await portal.user('baas@klant.nl', klant, 'beheerder');
  await portal.user('baas@ander.nl', await portal.organization('ander'), 'beheerder');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  manager = await portal.login('baas@klant.nl');
  other = await portal.login('baas@ander.nl');
  admin = await portal.login('admin@portaal.nl');
});
afterAll(async () => {
  await portal.close();
  await receiver.close();
});

const post = async (path: string, payload: object, cookie = manager) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/webhook/${path}`,
    payload,
    headers: { cookie },
  });
  return { status: answer.statusCode, body: answer.json() };
};
const urlOf = (path: string) => `http://localhost:${receiver.port}${path}`;
const create = (path: string, cookie = manager) =>
  post('create', { name: 'klant', webhookName: 'Planning', webhookUrl: urlOf(path) }, cookie);
const listed = async (cookie = manager) => (await portal.get('/api/webhook/get?name=klant', cookie)).json();
const log = async (cookie = manager) => (await portal.get('/api/webhook/log?name=klant', cookie)).json();
const sent = () => portal.portal.webhooks.sendDue();

test('a beheerder makes a webhook, sees its secret once, tests it, sees the log, and sends a message again (16.5t)', async () => {
  const made = await create('/eerst?sleutel=kanarie');
  expect(made).toEqual({
    status: 200,
    body: {
      message: 'De webhook is gemaakt.',
      _id: expect.any(Number),
      secret: expect.stringMatching(/^whsec_.{44}$/),
    },
  });
  const { _id, secret } = made.body;
  expect(await listed()).toEqual([
    {
      _id,
      webhookName: 'Planning',
      webhookUrl: urlOf('/eerst?sleutel=kanarie'),
      isOn: true,
      isGone: false,
      waiting: 0,
      givenUp: 0,
      arrivedAt: null,
      failingSince: null,
    },
  ]);
  receiver.answers = { '/eerst?sleutel=kanarie': 500 };
  const tried = (await post('test', { _id })).body;
  expect(tried.message).toBe('Het proefbericht wordt verstuurd.');
  await sent();
  const [{ headers, body } = expect.unreachable()] = receiver.received;
  expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'test',
    data: { message: 'Proefbericht van Werkstroom.' },
  });
  const [row, ...rows] = await log();
  expect([row, rows]).toEqual([
    {
      _id: expect.any(Number),
      webhookName: 'Planning',
      event: headers['webhook-id'],
      type: 'test',
      body,
      askedAt: expect.any(String),
      tries: 1,
      triedAt: expect.any(String),
      nextTryAt: expect.any(String),
      status: 500,
      failure: null,
      took: expect.any(Number),
    },
    [],
  ]);
  expect(tried.event).toBe(row.event);
  expect(await listed()).toMatchObject([{ waiting: 1, givenUp: 0, failingSince: row.askedAt }]);
  receiver.answers = {};
  expect((await post('resend', { _id: row._id })).body.message).toBe('Het bericht wordt opnieuw verstuurd.');
  await sent();
  expect(await log()).toMatchObject([{ tries: 1, status: 200, nextTryAt: null }]);
  expect(await listed()).toMatchObject([{ waiting: 0, arrivedAt: expect.any(String), failingSince: null }]);

  const { body: renewed } = await post('secret', { _id });
  expect(renewed.secret).not.toBe(secret);
  expect((await post('edit', { _id, webhookName: 'TMS', webhookUrl: urlOf('/tweede') })).status).toBe(200);
  await post('test', { _id });
  await sent();
  const last = receiver.received.at(-1) ?? expect.unreachable();
  expect(last.path).toBe('/tweede');
  expect(() => new Verifier(secret).verify(last.body, last.headers as Record<string, string>)).toThrow(
    'signature',
  );
  new Verifier(renewed.secret).verify(last.body, last.headers as Record<string, string>);

  expect((await post('switch', { _id, isOn: false })).body.message).toBe('De webhook staat uit.');
  const off = await post('test', { _id });
  expect([off.status, off.body.message]).toEqual([409, 'Deze webhook staat uit. Zet hem eerst aan.']);
  expect((await post('resend', { _id: row._id })).status).toBe(409);
  expect((await post('switch', { _id, isOn: true })).body.message).toBe('De webhook staat aan.');
  expect((await post('delete', { _id })).status).toBe(200);
  expect([await listed(), await log()]).toEqual([[], []]);

  // The audit log contains no secret, and of the address only the host.
  const { rows: entries } = await portal.pool.query(
    `select action, subject, data, changes from audit where action like 'webhook.%' order by id`,
  );
  const host = `localhost:${receiver.port}`;
  const planning = { subject: 'klant', data: { name: 'Planning' }, changes: {} };
  const tms = { ...planning, data: { name: 'TMS' } };
  expect(entries).toEqual([
    { ...planning, action: 'webhook.create', changes: { host: [null, host] } },
    { ...planning, action: 'webhook.test' },
    { ...planning, action: 'webhook.resend' },
    { ...planning, action: 'webhook.secret' },
    {
      ...tms,
      action: 'webhook.edit',
      data: { name: 'TMS', newAddress: true },
      changes: { webhookName: ['Planning', 'TMS'] },
    },
    { ...tms, action: 'webhook.test' },
    { ...tms, action: 'webhook.switch', changes: { isOn: [true, false] } },
    { ...tms, action: 'webhook.switch', changes: { isOn: [false, true] } },
    { ...tms, action: 'webhook.delete', changes: { host: [host, null] } },
  ]);
});

test('webhooks and their log are visible to their organization only (16.5t)', async () => {
  const { _id } = (await create('/eigen')).body;
  const theirs = { name: 'ander', webhookName: 'Van een ander', webhookUrl: urlOf('/ander') };
  await post('test', { _id });
  await post('test', { _id: (await post('create', theirs, other)).body._id }, other);
  await sent();
  expect((await create('/x', other)).body.message).toBe('Deze organisatie bestaat niet.');
  for (const [path, body] of [
    ['edit', { _id, webhookName: 'x', webhookUrl: urlOf('/x') }],
    ['secret', { _id }],
    ['switch', { _id, isOn: false }],
    ['delete', { _id }],
    ['test', { _id }],
  ] as const) {
    const { status, body: answer } = await post(path, body, other);
    expect([path, status, answer.message]).toEqual([path, 404, 'Deze webhook bestaat niet.']);
  }
  expect([(await listed(other)).message, (await log(other)).message]).toEqual(
    Array(2).fill('Deze organisatie bestaat niet.'),
  );
  for (const list of [await listed(admin), await log(admin)])
    expect(list).toEqual([expect.objectContaining({ webhookName: 'Planning' })]);
  expect((await post('delete', { _id }, admin)).status).toBe(200);
});

test('only the organization of a message can send it again (16.5t)', async () => {
  const { _id } = (await create('/nogmaals')).body;
  await post('test', { _id });
  await sent();
  const [{ _id: delivery }] = await log();
  const refused = await post('resend', { _id: delivery }, other);
  expect([refused.status, refused.body.message]).toEqual([404, 'Dit bericht bestaat niet.']);
  expect((await post('resend', { _id: delivery }, admin)).status).toBe(200);
  await sent();
  expect(receiver.at('/nogmaals')).toHaveLength(2);
  await post('delete', { _id });
});

test('an organization has at most 50 webhooks, and a webhook gets at most 10 test messages in a quarter of an hour (16.5t)', async () => {
  const made = [];
  for (let n = 0; n < 51; n += 1) made.push(await create('/veel'));
  const last = made.pop() ?? expect.unreachable();
  expect([last.status, last.body.message]).toEqual([409, 'Een organisatie heeft hoogstens 50 webhooks.']);
  const { _id } = made[0]?.body ?? expect.unreachable();
  const tests = [];
  for (let n = 0; n < 11; n += 1) tests.push((await post('test', { _id })).status);
  expect(tests).toEqual([...Array(10).fill(200), 429]);
  await sent();
  await portal.pool.query('delete from webhook');
});

test.each<[string, object, string]>([
  ['no name', { webhookName: ' ' }, 'Naam ontbreekt.'],
  ['a name of two lines', { webhookName: 'a\nb' }, 'Naam is onleesbaar.'],
  ['a long name', { webhookName: 'x'.repeat(61) }, 'Naam is te lang.'],
  ['no address', { webhookUrl: '' }, 'Adres ontbreekt.'],
  ['a long one', { webhookUrl: `https://bedrijf.nl/${'x'.repeat(1_000)}` }, 'Adres is te lang.'],
  ['no URL', { webhookUrl: 'bedrijf.nl' }, 'Adres is geen adres, zoals https://bedrijf.nl/meldingen.'],
  ...[
    'http://bedrijf.nl/',
    'https://bedrijf.nl:8443/',
    'https://a:b@bedrijf.nl/',
    'ftp://bedrijf.nl/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'javascript:alert(1)',
    // A host name with a label of 64 characters is invalid, and is refused without a DNS query (41.3).
    `https://${'x'.repeat(64)}.nl/`,
  ].map((webhookUrl): [string, object, string] => [
    webhookUrl,
    { webhookUrl },
    'Adres: daar stuurt het portaal niets heen. Het moet met https:// beginnen, geen poort hebben, en op internet te vinden zijn.',
  ]),
])('a webhook with %s is refused with a message (16.5q)', async (_, changed, message) => {
  const { _id } = (await create('/goed')).body;
  const body = { webhookName: 'Planning', webhookUrl: urlOf('/goed'), ...changed };
  for (const { status, body: answer } of [
    await post('create', { name: 'klant', ...body }),
    await post('edit', { _id, ...body }),
  ])
    expect([status, answer.message]).toEqual([400, message]);
  expect(await listed()).toMatchObject([{ webhookUrl: urlOf('/goed') }]);
  await post('delete', { _id });
});
