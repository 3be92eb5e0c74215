import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { CLIENT_ID, CLIENT_SECRET } from './test/identity-provider.ts';
import { type OidcPortal, openOidcPortal } from './test/partner.ts';

let partner: OidcPortal;
let admin: string;
let manager: string;
beforeAll(async () => {
  partner = await openOidcPortal();
  admin = await partner.portal.login('beheer@bedrijf.example');
  await partner.portal.user('baas@bedrijf.example', partner.id, 'beheerder');
  manager = await partner.portal.login('baas@bedrijf.example');
});
afterAll(() => partner.close());

const settings = (organization: string, cookie = admin) =>
  partner.portal.get(`/api/organization/oidc?name=${organization}`, cookie);
const save = (change: object = {}, cookie = admin) =>
  partner.post('/api/organization/oidc', cookie, {
    name: 'bedrijf',
    issuer: partner.provider.issuer,
    domain: 'bedrijf.example',
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    ...change,
  });
const only = (isOnly: boolean, cookie: string, name = 'bedrijf') =>
  partner.post('/api/organization/oidc/only', cookie, { name, isOnly });

test('an administrator sets issuer, domain and client; the secret is encrypted and never returned (13.5h)', async () => {
  const answer = await save({ domain: ' @Bedrijf.Example ' });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      redirectUri: 'http://localhost:3000/api/auth/oidc/callback/bedrijf',
      provider: {
        issuer: partner.provider.issuer,
        domain: 'bedrijf.example',
        clientId: CLIENT_ID,
        isOnly: false,
      },
    },
  ]);
  const { rows } = await partner.portal.pool.query(
    'select t::text from oidc_provider t union all select t::text from audit t',
  );
  expect(JSON.stringify(rows)).not.toContain(CLIENT_SECRET);
  expect(rows.some(({ t }) => t.includes(Buffer.from(CLIENT_SECRET).toString('hex')))).toBe(false);
  // An omitted secret keeps the stored one for the same provider.
  expect((await save({ clientSecret: undefined, clientId: 'ander' })).statusCode).toBe(200);
  expect((await save({ clientSecret: undefined })).json().provider.clientId).toBe(CLIENT_ID);
  expect((await partner.signIn('nieuw')).session).toBeDefined();
});

test.each([
  [{ domain: 'bedrijf' }, 'Domein is geen domein, zoals bedrijf.nl: wat achter de @ staat.'],
  [{ domain: 'a@bedrijf.example' }, 'Domein is geen domein, zoals bedrijf.nl: wat achter de @ staat.'],
  [{ domain: 'http://bedrijf.example' }, 'Domein is geen domein, zoals bedrijf.nl: wat achter de @ staat.'],
  [{ domain: '10.0.0.1' }, 'Domein is geen domein, zoals bedrijf.nl: wat achter de @ staat.'],
  [{ domain: 'Gmail.com' }, 'Domein: bij gmail.com kan iedereen een adres krijgen.'],
  [{ domain: '' }, 'Domein ontbreekt.'],
  [{ clientId: '' }, 'Client-id ontbreekt.'],
  [{ issuer: 'inlog.bedrijf.nl' }, 'Adres van de inlogdienst is geen adres, zoals https://inlog.bedrijf.nl.'],
  [
    { issuer: 'javascript:alert(1)' },
    'Adres van de inlogdienst is geen adres, zoals https://inlog.bedrijf.nl.',
  ],
  [
    { issuer: 'https://a:b@inlog.bedrijf.nl' },
    'Adres van de inlogdienst is geen adres, zoals https://inlog.bedrijf.nl.',
  ],
  [{ issuer: 'https://127.0.0.1' }, /daar mag het portaal niet heen/],
  [{ issuer: 'http://inlog.bedrijf.nl' }, /daar mag het portaal niet heen/],
  [{ issuer: 'https://169.254.169.254' }, /daar mag het portaal niet heen/],
  [{ issuer: 'ANDER_PAD' }, /is geen inlogdienst/],
  [
    { issuer: 'https://elders.invalid', clientSecret: undefined },
    /voor een andere inlogdienst hoort er een ander bij/,
  ],
] as [Record<string, unknown>, string | RegExp][])(
  'the provider settings %j are refused with a sentence (13.5h)',
  async (change, sentence) => {
    const issuer = change.issuer === 'ANDER_PAD' ? { issuer: `${partner.provider.issuer}/elders` } : {};
    const answer = await save({ ...change, ...issuer });
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(sentence)]);
    expect(
      answer.json().faults.map(({ field }: { field: string }) => Object.hasOwn(change, field)),
    ).toContain(true);
    expect((await settings('bedrijf')).json().provider).toMatchObject({ issuer: partner.provider.issuer });
  },
);

test('a provider whose metadata name another issuer is refused (13.5h)', async () => {
  partner.provider.isImpostor = true;
  const answer = await save();
  partner.calm();
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    expect.stringContaining('is geen inlogdienst'),
  ]);
});

test('a provider at a private address and one at an unknown host are refused with the same message (41.3)', async () => {
  const [inside, unknown] = await Promise.all(
    ['https://127.0.0.1', `https://${'x'.repeat(64)}.nl`].map((issuer) => save({ issuer })),
  );
  expect([unknown?.statusCode, unknown?.json().message]).toEqual([400, inside?.json().message]);
});

test('a provider that is down is refused (13.5h)', async () => {
  await partner.provider.stop();
  const answer = await save();
  await partner.provider.start();
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    expect.stringContaining('daar antwoordt niemand'),
  ]);
});

test('a domain belongs to one organization, however it is spelled, also for simultaneous requests (13.5h)', async () => {
  const taken = await save({ name: 'buren', domain: 'BEDRIJF.example' });
  expect([taken.statusCode, taken.json().message]).toEqual([
    409,
    'Domein hoort al bij een andere organisatie.',
  ]);
  expect(taken.json().faults).toEqual([
    { field: 'domain', message: 'Domein hoort al bij een andere organisatie.' },
  ]);
  const both = await Promise.all(['buren', 'bedrijf'].map((name) => save({ name, domain: 'samen.example' })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  await partner.portal.pool.query('delete from oidc_provider');
  await save();
});

test('a beheerder turns provider-only sign-in on and off, but can turn it on only if linked to the provider (13.5i)', async () => {
  expect((await settings('bedrijf', manager)).statusCode).toBe(200);
  expect((await settings('buren', manager)).statusCode).toBe(404);
  expect((await save({}, manager)).statusCode).toBe(403);
  expect((await partner.post('/api/organization/oidc/delete', manager, { name: 'bedrijf' })).statusCode).toBe(
    403,
  );
  const early = await only(true, manager);
  expect([early.statusCode, early.json().message]).toEqual([
    409,
    expect.stringContaining('Koppel eerst je eigen account'),
  ]);
  const way = await partner.link('baas', manager);
  await partner.back(way.back, way.cookie);
  expect((await only(true, manager)).json().provider.isOnly).toBe(true);
  expect((await only(true, manager, 'buren')).statusCode).toBe(404);
  // An administrator may only turn provider-only sign-in off, never on.
  expect((await only(false, admin)).json().provider.isOnly).toBe(false);
  const { rows } = await partner.portal.pool.query(
    `select actor, changes from ${AUDIT_ROWS_SQL} where action = 'organization.oidc-only' order by id`,
  );
  expect(rows).toEqual([
    { actor: 'baas@bedrijf.example', changes: { isOnly: [false, true] } },
    { actor: 'beheer@bedrijf.example', changes: { isOnly: [true, false] } },
  ]);
});

test('the organization admin may have a provider, but not provider-only sign-in, and its provider creates no accounts (13.5i)', async () => {
  expect((await save({ name: 'admin', domain: 'beheer.example' })).statusCode).toBe(200);
  expect((await only(true, admin, 'admin')).statusCode).toBe(409);
  const way = await partner.go('x', 'x@beheer.example');
  partner.provider.people.set('x', { email: 'x@beheer.example', email_verified: true });
  const newcomer = await partner.back(way.back, way.cookie);
  expect([newcomer.page, newcomer.session]).toEqual([
    'http://localhost:3000/signin#oidc=uninvited',
    undefined,
  ]);
});

test('people can sign in by password after their organization’s provider is removed (13.5h)', async () => {
  await only(true, admin);
  const answer = await partner.post('/api/organization/oidc/delete', admin, { name: 'bedrijf' });
  expect([answer.statusCode, answer.json().provider]).toEqual([200, null]);
  expect(await partner.portal.login('collega@bedrijf.example')).toMatch(/^werkstroom=/);
  // The audit row of a deleted provider contains the provider's previous values. The audit row of a linked account contains the issuer
  // (13.9a).
  const rowsOf = async (action: string) =>
    (
      await partner.portal.pool.query(
        `select data, changes from ${AUDIT_ROWS_SQL} where action = $1 and organization_id = $2 order by id`,
        [action, partner.id],
      )
    ).rows;
  const { issuer } = partner.provider;
  const [gone] = await rowsOf('organization.oidc-delete');
  expect(Object.keys(gone.changes).sort()).toEqual(['clientId', 'domain', 'issuer']);
  expect(gone.changes.issuer).toEqual([issuer, null]);
  expect((await rowsOf('organization.oidc'))[0].data).toEqual({ newClientSecret: true });
  expect(await rowsOf('identity.link')).toContainEqual({ data: { issuer }, changes: {} });
});
