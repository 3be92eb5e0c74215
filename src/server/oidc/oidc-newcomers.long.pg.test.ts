import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invitationHash } from '#server/invitations/invitation-mails.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import { type OidcOutcome, ONLY_OIDC_MESSAGE } from '#shared/domain/oidc.ts';
import { type OidcPortal, oidcOutcomeUrl, openOidcPortal } from './test/partner.ts';

let partner: OidcPortal;
let portal: TestPortal;
beforeAll(async () => {
  partner = await openOidcPortal();
  portal = partner.portal;
});
afterAll(() => partner.close());
beforeEach(() => partner.calm());

describe('a newcomer from the provider', () => {
  const mode = (registration: string) =>
    portal.pool.query('update organization set registration = $1 where id = $2', [registration, partner.id]);
  const invite = (email: string, role: string) =>
    portal.pool.query(
      `insert into invitation (organization_id, email, role, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [partner.id, email, role],
    );

  test("in an organization with registration by invitation only, a newcomer from the provider needs an invited address, and gets the invitation's role (13.5l)", async () => {
    await mode('invitation');
    expect((await partner.signIn('ongenood')).page).toBe(oidcOutcomeUrl('uninvited'));
    expect(await partner.accountsOf('ongenood@bedrijf.example')).toEqual([]);
    await invite('gast@bedrijf.example', 'kijker');
    partner.provider.people.set('gast', { email: 'Gast@bedrijf.example', email_verified: false });
    expect((await partner.signIn('gast')).page).toBe(oidcOutcomeUrl('unverified'));
    partner.provider.people.set('gast', { email: 'Gast@bedrijf.example', email_verified: true });
    expect((await partner.signIn('gast')).session).toBeDefined();
    expect(await partner.accountsOf('gast@bedrijf.example')).toMatchObject([
      { role: 'kijker', subject: 'gast' },
    ]);
    await mode('code');
  });

  test('a newcomer invited at an address of another domain needs the mailed link, and the answer does not reveal whether the address has an account (13.5l, 41.6)', async () => {
    const outside = await portal.organization('buren-van-bedrijf');
    await portal.user('buur@elders.example', outside);
    const offered = async (email: string) => {
      const { rows } = await portal.pool.query('select ended_as from invitation where email = $1', [email]);
      return rows.map(({ endedAs }) => endedAs);
    };
    for (const [who, email] of [
      ['buur', 'buur@elders.example'],
      ['niemand', 'niemand@elders.example'],
    ] as const) {
      await invite(email, 'kijker');
      partner.provider.people.set(who, { email, email_verified: true });
      expect(await partner.signIn(who)).toMatchObject({
        page: oidcOutcomeUrl('elsewhere'),
        session: undefined,
      });
      expect(await offered(email)).toEqual([null]);
    }
    expect(await partner.accountsOf('niemand@elders.example')).toEqual([]);
    expect(await partner.accountsOf('buur@elders.example')).toMatchObject([
      { organization: 'buren-van-bedrijf' },
    ]);
  });

  test('a newcomer waits for approval where the organization requires it, and is then linked (13.5l)', async () => {
    await mode('approval');
    expect((await partner.signIn('wacht')).page).toBe(oidcOutcomeUrl('waits'));
    expect((await partner.signIn('wacht')).page).toBe(oidcOutcomeUrl('waits'));
    expect(await partner.accountsOf('wacht@bedrijf.example')).toEqual([]);
    await portal.user('baas@bedrijf.example', partner.id, 'beheerder');
    const manager = await portal.login('baas@bedrijf.example');
    const [applicant] = (await portal.get('/api/applicant/get', manager)).json();
    expect((await partner.post('/api/applicant/admit', manager, { _id: applicant._id })).statusCode).toBe(
      200,
    );
    expect((await partner.signIn('wacht')).session).toBeDefined();
    expect(await partner.accountsOf('wacht@bedrijf.example')).toMatchObject([
      { role: 'gebruiker', subject: 'wacht' },
    ]);
    await mode('code');
  });

  test('a person whose account was deleted can return through an invitation, not through the provider (13.5l)', async () => {
    await partner.signIn('weg');
    const admin = await portal.login('beheer@bedrijf.example');
    const gone = await portal.app.inject({
      method: 'DELETE',
      url: '/api/user/delete?email=weg@bedrijf.example',
      headers: { cookie: admin, 'sec-fetch-site': 'same-origin' },
    });
    expect(gone.statusCode).toBe(200);
    expect((await partner.signIn('weg')).page).toBe(oidcOutcomeUrl('departed'));
    await invite('weg@bedrijf.example', 'gebruiker');
    expect((await partner.signIn('weg')).session).toBeDefined();
  });
});

describe('the link of an invitation', () => {
  /** Invites an address. @returns the token in its mail */
  const invite = async (email: string, role = 'beheerder', organization = 'bedrijf'): Promise<string> => {
    const token = randomBytes(16).toString('base64url');
    await portal.pool.query(
      `insert into invitation (organization_id, email, role, expires_at, token_hashes)
       select id, $1, $2, now() + interval '1 day', array[$3::bytea] from organization where name = $4`,
      [email, role, invitationHash(token), organization],
    );
    return token;
  };
  const look = async (token: string) => (await partner.post('/api/invitation/look', '', { token })).json();
  const byPassword = (token: string) =>
    partner.post('/api/invitation/accept', '', { token, password: PASSWORD });
  const page = (outcome: OidcOutcome) => oidcOutcomeUrl(outcome, '/uitnodiging');

  test("an invitation is accepted through the provider once, with its role and address, whatever the address's domain, and links the identity (13.5m)", async () => {
    const { issuer, people } = partner.provider;
    people.set('genodigd', { email: 'andere.naam@elders.example', email_verified: false });
    const token = await invite('Genodigd@elders.example');
    expect((await look(token)).provider).toEqual({ isOnly: false });
    const [way, second] = [await partner.accept('genodigd', token), await partner.accept('ander', token)];
    expect(new URL(way.back).pathname).toBe('/api/auth/oidc/callback/bedrijf');
    const { page: to, cookie } = await partner.back(way.back, way.cookie);
    expect([to, await partner.emailOf(cookie)]).toEqual([
      'http://localhost:3000/signin',
      'Genodigd@elders.example',
    ]);
    expect(await partner.accountsOf('genodigd@elders.example')).toEqual([
      { organization: 'bedrijf', role: 'beheerder', issuer, subject: 'genodigd' },
    ]);
    expect((await portal.get('/api/auth/validate-token', cookie)).json().user.isConfirmed).toBe(true);
    expect(await partner.back(second.back, second.cookie)).toMatchObject({
      page: page('ended'),
      session: undefined,
    });
    expect((await look(token)).message).toMatch(/al gebruikt/);
    const { rows } = await portal.pool.query(
      `select action, data from audit where account_id = (select id from account where email = 'Genodigd@elders.example')
       order by id limit 2`,
    );
    expect(rows).toEqual([
      { action: 'invitation.accept', data: { organization: 'bedrijf', role: 'beheerder', issuer } },
      { action: 'identity.link', data: { issuer } },
    ]);
  });

  test.each<[string, string, OidcOutcome]>([
    ['has expired', `update invitation set expires_at = now() where email = $1`, 'ended'],
    ['was revoked', `update invitation set ended_as = 'revoked', email = null where email = $1`, 'ended'],
    [
      'was used with a password',
      `update invitation set ended_as = 'accepted', email = null where email = $1`,
      'ended',
    ],
    ['was renewed', `update invitation set token_hashes = default where email = $1`, 'ended'],
    ['was deleted', `delete from invitation where email = $1`, 'ended'],
    [
      'belongs to an organization that was disabled',
      `update organization set is_active = false where name = 'bedrijf' and $1::text is not null`,
      'disabled',
    ],
    [
      'belongs to a person who has an account elsewhere by now',
      `insert into account (email, password_hash, organization_id, role) select $1, 'x', id, 'kijker' from organization where name = 'buren'`,
      'account',
    ],
  ])('an invitation creates no account when it %s during the sign-in (13.5m)', async (_, spoil, outcome) => {
    const email = `${randomBytes(4).toString('hex')}@elders.example`;
    partner.provider.people.set(email, { email, email_verified: true });
    const way = await partner.accept(email, await invite(email));
    await portal.pool.query(spoil, [email]);
    expect(await partner.back(way.back, way.cookie)).toMatchObject({
      page: page(outcome),
      session: undefined,
    });
    await portal.pool.query(`update organization set is_active = true`);
    expect(
      (await portal.pool.query(`select from account_identity where subject = $1`, [email])).rowCount,
    ).toBe(0);
  });

  test('an invitation is refused, and stays pending, for a person with another confirmed address or an account elsewhere (13.5m)', async () => {
    const token = await invite('bedoeld@bedrijf.example', 'kijker');
    const wrong = await partner.accept('verkeerd', token);
    expect((await partner.back(wrong.back, wrong.cookie)).page).toBe(page('other'));
    expect(await partner.accountsOf('verkeerd@bedrijf.example')).toEqual([]);
    await partner.signIn('dubbel');
    partner.provider.people.set('dubbel', { email: 'bedoeld@bedrijf.example', email_verified: true });
    const bound = await partner.accept('dubbel', token);
    expect(await partner.back(bound.back, bound.cookie)).toMatchObject({
      page: page('taken'),
      session: undefined,
    });
    const left = await partner.accept(undefined, token);
    expect((await partner.back(left.back, left.cookie)).page).toBe(page('cancelled'));
    expect(await partner.accountsOf('bedoeld@bedrijf.example')).toEqual([]);
    const right = await partner.accept('bedoeld', token);
    expect((await partner.back(right.back, right.cookie)).session).toBeDefined();
    expect(await partner.accountsOf('bedoeld@bedrijf.example')).toMatchObject([
      { role: 'kijker', subject: 'bedoeld' },
    ]);
  });

  test('an invitation gives the account to one of two people who accept it at the same time (13.5m)', async () => {
    for (const who of ['een', 'twee']) partner.provider.people.set(who, {});
    const token = await invite('samen@elders.example');
    const ways = [await partner.accept('een', token), await partner.accept('twee', token)];
    const both = await Promise.all(ways.map(({ back, cookie }) => partner.back(back, cookie)));
    expect(both.map((one) => one.page).sort()).toEqual(
      ['http://localhost:3000/signin', page('ended')].sort(),
    );
    expect(await partner.accountsOf('samen@elders.example')).toHaveLength(1);
  });

  test('an invitation asks for the password of an account that already exists in that organization (13.5m)', async () => {
    const token = await invite('er-al@elders.example');
    await portal.user('er-al@elders.example', partner.id);
    partner.provider.people.set('er-al', {});
    const way = await partner.accept('er-al', token);
    expect(await partner.back(way.back, way.cookie)).toMatchObject({
      page: oidcOutcomeUrl('exists'),
      session: undefined,
    });
    expect(await partner.accountsOf('er-al@elders.example')).toMatchObject([
      { role: 'gebruiker', issuer: null },
    ]);
  });

  test('an invitation can be accepted only through the provider in an organization with provider-only sign-in, and only by password without a provider (13.5m)', async () => {
    await portal.pool.query(`update oidc_provider set is_only = true where organization_id = $1`, [
      partner.id,
    ]);
    const token = await invite('strikt@elders.example');
    expect((await look(token)).provider).toEqual({ isOnly: true });
    const refused = await byPassword(token);
    expect([refused.statusCode, refused.json().message]).toEqual([403, ONLY_OIDC_MESSAGE]);
    partner.provider.people.set('strikt', {});
    const way = await partner.accept('strikt', token);
    expect((await partner.back(way.back, way.cookie)).session).toBeDefined();
    await portal.pool.query(`update oidc_provider set is_only = false`);

    await portal.organization('zonder');
    const plain = await invite('plat@elders.example', 'kijker', 'zonder');
    expect((await look(plain)).provider).toBeNull();
    expect((await partner.post('/api/auth/oidc/invitation', '', { token: plain })).statusCode).toBe(404);
    expect((await byPassword(plain)).statusCode).toBe(200);
  });
});
