import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfToken } from '#server/auth/password-resets.ts';
import { type Authenticator, makeAuthenticator } from '#server/auth/test/authenticator.ts';
import { addAuthenticatorApp, type Browser, testBrowser } from '#server/auth/test/browser.ts';
import { invitationHash } from '#server/invitations/invitation-mails.ts';
import { AdminTestPortal, validMachineForm } from '#server/machines/test/administration.ts';
import { audit, logAudit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { deleteRefusals, storeRefusalsNow } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import type { LogEntry } from '#shared/contract/log.ts';
import { expireAuditLog } from './logbook.store.ts';

let a: AdminTestPortal;
let portal: TestPortal;
/** Cookies of the beheerders of `klant` and `koper`. */
let klant: string;
let koper: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  ({ portal } = a);
  const { rows } = await portal.pool.query<{ id: number }>(
    `select id from organization where name = 'klant'`,
  );
  await portal.user('baas@klant.nl', rows[0]?.id as number, 'beheerder');
  await portal.user('baas@koper.nl', await portal.organization('koper'), 'beheerder');
  klant = await portal.login('baas@klant.nl');
  koper = await portal.login('baas@koper.nl');
});
afterAll(() => a.close());

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

type Asked = Record<string, string>;
const log = async (query: Asked = {}, cookie = a.admin): Promise<LogEntry[]> => {
  const answer = await portal.get(`/api/log?${new URLSearchParams(query)}`, cookie);
  expect([answer.statusCode, query]).toEqual([200, query]);
  return answer.json().entries;
};
const newest = async (query: Asked = {}, cookie?: string): Promise<LogEntry> =>
  (await log(query, cookie))[0] as LogEntry;
const idOf = async (email: string): Promise<string> =>
  String((await portal.pool.query('select id from account where email = $1', [email])).rows[0].id);

describe('a row of the audit log', () => {
  test('a row of the audit log has the person, address, device, action, subject and the values before and after (13.9a)', async () => {
    await a.machine('L-1', { alias: 'Oude naam' });
    const before = Date.now();
    const query = { ...validMachineForm('L-1'), alias: 'Nieuwe naam', urenstand: '12.5', vermogen: '75' };
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/machine/edit',
      payload: query,
      headers: { cookie: a.admin, 'user-agent': CHROME, 'x-requested-with': 'test' },
      remoteAddress: '192.0.2.7',
    });
    expect(answer.statusCode).toBe(200);
    const row = await newest({ machine: 'l-1' });
    expect(row).toEqual({
      cursor: expect.stringMatching(/^20\d\d-.*Z_\d+$/),
      at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
      action: 'machine.edit',
      who: { id: Number(await idOf('admin@portaal.nl')), name: 'admin@portaal.nl' },
      address: '192.0.2.7',
      device: 'Chrome op Windows',
      subject: 'L-1',
      isMachine: true,
      organization: 'klant BV',
      data: {},
      changes: { alias: ['Oude naam', 'Nieuwe naam'], urenstand: [0, 12.5], vermogen: [null, 75] },
    });
    expect(Date.parse(row.at)).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('a row of the audit log has the organization, the machine and the values before and after for every other change (13.9a)', async () => {
    await a.machine('L-2');
    const logger = validMachineForm('L-2').influx_serial;
    const done = async (what: Promise<{ status: number }>) => expect((await what).status).toBe(200);
    await done(
      a.call('POST /api/machine/writer/network', {
        body: { serial: 'L-2', kind: 'wifi', wifiSsid: 'hal', wifiPassword: 'zeer geheim' },
      }),
    );
    expect(await newest({ machine: 'L-2' })).toMatchObject({
      action: 'writer.network',
      changes: { kind: ['mobile', 'wifi'], wifiSsid: ['', 'hal'], hasWifiPassword: [false, true] },
    });
    await done(a.call('POST /api/machine/writer/release', { body: { serial: 'L-2' } }));
    expect(await newest({ machine: 'L-2' })).toMatchObject({
      action: 'writer.release',
      changes: { logger: [logger, null] },
    });
    await done(a.bind('L-2', logger));
    expect(await newest({ machine: 'L-2' })).toMatchObject({
      action: 'writer.create',
      changes: { logger: [null, logger] },
    });
    await done(a.upload('L-2', 'BO_ 1 A: 1 X\n SG_ soc1 : 0|8@1+ (1,0) [0|0] "" X\n'));
    expect(await newest({ machine: 'L-2' })).toMatchObject({
      action: 'dbc.upload',
      data: { bus: 0, changes: [expect.stringContaining('accu.dbc toegevoegd'), expect.any(String)] },
      changes: { version: [0, expect.any(Number)] },
    });
    await done(a.call('POST /api/mail/subscribe', { body: { serialNumber: 'L-2' }, as: klant }));
    expect(await newest({ machine: 'L-2' })).toMatchObject({
      action: 'subscription.create',
      who: { name: 'baas@klant.nl' },
    });
    await done(a.call('POST /api/mail/subscribe', { body: { serialNumber: 'L-2' }, as: klant }));
    await done(a.call('POST /api/mail/unsubscribe', { body: { serialNumber: 'L-2' }, as: klant }));
    await done(a.call('POST /api/mail/unsubscribe', { body: { serialNumber: 'L-2' }, as: klant }));
    expect((await log({ machine: 'L-2' })).slice(0, 2).map(({ action }) => action)).toEqual([
      'subscription.delete',
      'subscription.create',
    ]);
    await portal.organization('wissel');
    await done(a.call('GET /api/organization/disable/', { query: { name: 'wissel' } }));
    expect(await newest({ kind: 'organization' })).toMatchObject({
      subject: 'wissel',
      changes: { isActive: [true, false] },
    });
    const every = (await log({ machine: 'L-2' })).map(({ organization }) => organization);
    expect(new Set(every)).toEqual(new Set(['klant BV']));
  });

  test('a row of the audit log is written for viewing a route, once for repeated views of the same route, and for downloading a configuration (13.9a)', async () => {
    await a.machine('L-3');
    const path = (query: string) => portal.get(`/api/influx/gps/L-3?${query}`, klant);
    for (const query of [
      'start=-24h',
      'mode=path&start=-24h',
      'mode=path&start=-2h',
      'mode=path&resolution=full&start=-24h',
    ])
      expect((await path(query)).statusCode).toBe(200);
    const views = async () =>
      (await log({ machine: 'L-3', kind: 'view' })).filter(({ action }) => action === 'path.view');
    expect(await views()).toMatchObject([
      {
        who: { name: 'baas@klant.nl' },
        data: { from: expect.stringMatching(/Z$/), to: expect.stringMatching(/Z$/) },
      },
    ]);
    await path('mode=path&resolution=full&start=-7d');
    expect(await views()).toHaveLength(2);
    await a.call('POST /api/machine/writer/network', {
      body: { serial: 'L-3', kind: 'mobile', apn: 'internet', simPin: '84913275' },
    });
    await a.upload('L-3', 'BO_ 1 A: 1 X\n SG_ soc1 : 0|8@1+ (1,0) [0|0] "" X\n');
    await a.call('GET /api/machine/config/create', { query: { serienummer: 'L-3' } });
    expect((await a.call('GET /api/machine/config/download', { query: { serienummer: 'L-3' } })).status).toBe(
      200,
    );
    expect(await newest({ machine: 'L-3', kind: 'view' })).toMatchObject({
      action: 'config.download',
      who: { name: 'admin@portaal.nl' },
    });
    const all = JSON.stringify((await portal.pool.query('select * from audit')).rows);
    expect(all).not.toMatch(/84913275|zeer geheim/);
  });

  test('a row of the audit log is written for changes of one’s own second factor and provider, with names before and after (13.9a)', async () => {
    const { rows: organizations } = await portal.pool.query(
      `select id from organization where name = 'klant'`,
    );
    await portal.user('zelf@klant.nl', organizations[0].id);
    const { call, login } = testBrowser(portal);
    await login('zelf@klant.nl');
    await addAuthenticatorApp({ call } as Browser, Date.now());
    const { json } = await call('GET', '/api/account/factors');
    const [{ id }] = (json as unknown as { factors: [{ id: number }] }).factors;
    await call('POST', '/api/account/factors/rename', { id, factorName: 'Werktelefoon' });
    await call('POST', '/api/account/factors/recovery-codes');
    await call('DELETE', `/api/account/factors?id=${id}`);
    await portal.pool.query(
      `insert into account_identity (account_id, issuer, subject) select id, 'https://idp.example', 's' from account where email = 'zelf@klant.nl'`,
    );
    await call('POST', '/api/account/oidc/unlink');
    const rows = await log({ person: await idOf('zelf@klant.nl') }, klant);
    expect(rows.reverse().map(({ action, data, changes }) => [action, { ...data, ...changes }])).toEqual([
      ['session.start', {}],
      ['factor.add', { kind: 'totp', name: 'Telefoon' }],
      ['factor.rename', { name: ['Telefoon', 'Werktelefoon'] }],
      ['factor.recovery-codes', {}],
      ['factor.remove', { kind: 'totp', name: 'Werktelefoon' }],
      ['identity.unlink', { issuer: 'https://idp.example' }],
    ]);
  });

  test('the audit log shows a person’s own name with the e-mail address beside it, also in earlier rows (13.9n)', async () => {
    const id = await idOf('baas@klant.nl');
    await portal.pool.query(`update account set name = '=Bea' where id = $1`, [id]);
    const bea = { id: Number(id), name: '=Bea', email: 'baas@klant.nl' };
    const rows = await log({ person: id, kind: 'sign-in' }, klant);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ who: bea, account: bea });
    const file = (await portal.get(`/api/log/csv?person=${id}&kind=sign-in`, klant)).body;
    expect(file.split('\r\n')[1]).toContain(`"'=Bea (baas@klant.nl)"`);
    await portal.pool.query('update account set name = null where id = $1', [id]);
    expect((await newest({ person: id, kind: 'sign-in' }, klant)).who).toEqual({
      id: bea.id,
      name: bea.email,
    });
  });

  test('the audit log refers to people by id: deleting an account changes no row, and no row has an e-mail address (13.9g)', async () => {
    const { rows: organizations } = await portal.pool.query(
      `select id from organization where name = 'klant'`,
    );
    await portal.user('weg@klant.nl', organizations[0].id);
    const id = await idOf('weg@klant.nl');
    await portal.login('weg@klant.nl');
    const rows = async () =>
      (
        await portal.pool.query('select * from audit where actor_id = $1 or account_id = $1 order by id', [
          id,
        ])
      ).rows;
    const before = await rows();
    expect(await log({ person: id })).toMatchObject([
      { action: 'session.start', who: { name: 'weg@klant.nl' } },
    ]);
    await a.call('DELETE /api/user/delete', { query: { email: 'weg@klant.nl' } });
    expect((await rows()).slice(0, before.length)).toEqual(before);
    const gone = { id: Number(id), name: `vertrokken account ${id}` };
    expect(await log({ person: id }, klant)).toMatchObject([
      { action: 'user.delete', who: { name: 'Beheer van het portaal' }, account: gone },
      { action: 'session.start', who: gone, account: gone },
    ]);
    expect(JSON.stringify((await portal.pool.query('select * from audit')).rows)).not.toContain('@');
    await expect(
      portal.pool.query(
        `insert into audit (actor, action, kind, subject) values (null, 'x', 'view', 'anna@klant.nl')`,
      ),
    ).rejects.toThrow('audit_names_nobody');
  });
});

describe('access to the audit log', () => {
  test('a beheerder reads the rows from the time in which the organization owned a machine: a sale neither moves rows nor names the other organization (13.9c)', async () => {
    await a.machine('L-4', { alias: 'Van eerder' });
    await a.edit('L-4', { alias: 'Van eerder' });
    await a.sell('L-4', 'koper');
    await a.edit('L-4', { bedrijf: 'koper', alias: 'Van koper' });
    await a.call('POST /api/machine/writer/release', { body: { serial: 'L-4' } });
    const actions = async (cookie?: string) =>
      (await log({ machine: 'L-4' }, cookie)).map(({ action }) => action).reverse();
    expect(await actions(klant)).toEqual([
      'machine.create',
      'writer.create',
      'machine.edit',
      'machine.leave',
    ]);
    expect(await actions(koper)).toEqual(['machine.arrive', 'machine.edit', 'writer.release']);
    expect(await actions()).toEqual([
      'machine.create',
      'writer.create',
      'machine.edit',
      'machine.leave',
      'machine.arrive',
      'machine.edit',
      'writer.release',
    ]);
    const visible = async (cookie: string) =>
      JSON.stringify([await log({}, cookie), await log({ machine: 'L-4' }, cookie)]);
    expect(await visible(klant)).not.toMatch(/koper/i);
    expect(await visible(koper)).not.toMatch(/klant/i);
    expect((await log({ machine: 'L-4' })).find(({ action }) => action === 'machine.leave')?.data).toEqual({
      movedTo: 'koper BV',
      soldAt: expect.any(String),
    });
  });

  test('a former owner finds its rows by the serial number in them, not by one that the next owner gave the machine (13.9c, 41.5)', async () => {
    await a.machine('L-31');
    const form = { ...validMachineForm('L-31'), bedrijf: 'koper' };
    await a.sell('L-31', 'koper');
    await a.edit('L-31', { ...form, current_serial: 'L-31', machine_serial: 'GEHEIM-31' });
    const actions = async (machine: string, cookie?: string) =>
      (await log({ machine }, cookie)).map(({ action }) => action).reverse();
    expect(await actions('GEHEIM-31', klant)).toEqual([]);
    expect(await actions('L-31', klant)).toEqual(['machine.create', 'writer.create', 'machine.leave']);
    expect(await actions('L-31', koper)).toEqual(['machine.arrive', 'machine.edit']);
    expect(await actions('geheim-31', koper)).toEqual(['machine.arrive', 'machine.edit']);
    expect(await actions('GEHEIM-31')).toHaveLength(5);
  });

  test('the rows of a logger that moves to another organization’s machine do not name that machine (13.9c)', async () => {
    await a.machine('L-5');
    await a.create('L-6', { bedrijf: 'koper' });
    const logger = validMachineForm('L-5').influx_serial;
    const moved = await a.call('POST /api/machine/writer/move', {
      body: { serial: 'L-6', influx_serial: logger, from: 'L-5' },
    });
    expect(moved.status).toBe(200);
    expect(await newest({ machine: 'L-5' })).toMatchObject({
      action: 'writer.release',
      data: { logger, movedTo: 'L-6' },
    });
    const [row] = await log({ machine: 'L-5' }, klant);
    expect([row?.action, row?.data]).toEqual(['writer.release', { logger }]);
  });

  test('the audit log hides an administrator’s name and address from customers, who cannot filter it by an administrator either (13.9c)', async () => {
    await a.machine('L-7');
    const [row] = await log({ machine: 'L-7' }, klant);
    expect(row).toMatchObject({ who: { name: 'Beheer van het portaal' }, address: '', device: '' });
    expect(row?.who).not.toHaveProperty('id');
    expect(row).not.toHaveProperty('organization');
    expect(await log({ person: await idOf('admin@portaal.nl') }, klant)).toEqual([]);
    expect(await log({ person: await idOf('baas@koper.nl') }, klant)).toEqual([]);
    expect((await log({ person: await idOf('baas@klant.nl') }, klant)).length).toBeGreaterThan(0);
    await portal.organization('buiten');
    expect(JSON.stringify(await log({}, klant))).not.toMatch(/buiten|portaal\.nl/);
  });

  test('a row of the audit log that a request without a session wrote about an account of another organization shows no address and device (13.9c, 41.5)', async () => {
    const about = async (email: string) =>
      portal.pool.query(
        `insert into audit (actor, action, kind, subject, address, device, account_id, account_organization_id, organization_id)
         select 'unsubscribe link', 'subscription.delete', 'machine', '', '198.51.100.23', 'Safari op een iPhone', a.id, a.organization_id,
           (select id from organization where name = 'klant') from account a where a.email = $1`,
        [email],
      );
    for (const email of ['baas@koper.nl', 'admin@portaal.nl', 'baas@klant.nl']) await about(email);
    const seen = async (cookie?: string) =>
      (await log({}, cookie))
        .filter(({ who }) => who.name === 'iemand met de link uit een mail')
        .map(({ address, device }) => [address, device]);
    const own = ['198.51.100.23', 'Safari op een iPhone'];
    expect(await seen(klant)).toEqual([own, ['', ''], ['', '']]);
    expect(await seen()).toEqual([own, own, own]);
  });

  test('an account that moves to another organization has a row in the audit logs of both organizations (13.9c)', async () => {
    const { rows } = await portal.pool.query(`select id from organization where name = 'klant'`);
    await portal.user('verhuist@klant.nl', rows[0].id);
    await a.call('POST /api/user/organization', {
      body: { email: 'verhuist@klant.nl', organization: 'koper' },
    });
    expect(await newest({ kind: 'account' }, klant)).toMatchObject({ action: 'user.leave', data: {} });
    expect(await newest({ kind: 'account' }, koper)).toMatchObject({ action: 'user.arrive', data: {} });
    expect(await newest({ kind: 'account' })).toMatchObject({
      action: 'user.arrive',
      data: { movedFrom: 'klant BV' },
    });
  });
});

describe('refusals', () => {
  const guess = (email: string, remoteAddress = '192.0.2.1') =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: 'fout wachtwoord' },
      remoteAddress,
    });

  test('refused calls of one minute, address and account are one row of the audit log with their number, and an unknown account is stored as a keyed hash (13.9d)', async () => {
    await deleteRefusals(portal);
    for (const _ of '123') await guess('Baas@klant.nl');
    for (const _ of '12') await guess('niemand@elders.nl');
    await guess('baas@klant.nl', '192.0.2.2');
    await portal.portal.refusals.close();
    expect(JSON.stringify((await portal.pool.query('select * from refusal')).rows)).not.toContain('@');
    await storeRefusalsNow(portal);
    await storeRefusalsNow(portal);
    const id = Number(await idOf('baas@klant.nl'));
    const rows = (await log({ kind: 'refusal' })).sort(
      (one, other) => one.address.localeCompare(other.address) || (other.account ? 1 : -1),
    );
    const of = { action: 'session.refuse', who: { name: 'iemand die niet is ingelogd' } };
    expect(rows).toMatchObject([
      { ...of, address: '192.0.2.1', account: { id, name: 'baas@klant.nl' }, data: { count: 3 } },
      { ...of, address: '192.0.2.1', data: { count: 2, stranger: expect.stringMatching(/^[0-9a-f]{12}$/) } },
      { ...of, address: '192.0.2.2', account: { id }, data: { count: 1 } },
    ]);
    expect(rows).toHaveLength(3);
    expect(await log({ kind: 'refusal' }, klant)).toHaveLength(2);
    expect(await log({ kind: 'refusal' }, koper)).toEqual([]);
  });

  test('refusals include calls that the caller’s role forbids, by their name in the contract (13.9d)', async () => {
    await deleteRefusals(portal);
    for (const serial of ['L-1', 'L-2'])
      await a.call('DELETE /api/machine/delete', { query: { machine_serial: serial }, as: klant });
    await storeRefusalsNow(portal);
    expect(await newest({ kind: 'refusal' }, klant)).toMatchObject({
      action: 'call.refuse',
      who: { name: 'baas@klant.nl' },
      data: { count: 2, call: 'DELETE /api/machine/delete' },
    });
  });

  test('refusals include every refused sign-in: with the account if known, else with a keyed hash of an address or without a person (13.9d)', async () => {
    const { pool, portal: own } = portal;
    await deleteRefusals(portal);
    await pool.query('delete from rate_limit');
    const id = Number(await idOf('baas@klant.nl'));
    const { rows: organizations } = await pool.query(`select id from organization where name = 'klant'`);
    await portal.user('stap@klant.nl', organizations[0].id);
    const careful = testBrowser(portal);
    await careful.login('stap@klant.nl');
    await addAuthenticatorApp(careful, Date.now());
    const key = makeAuthenticator();
    await pool.query(
      `insert into factor (account_id, kind, name, credential_id, public_key, counter, transports)
       select id, 'passkey', 'sleutel', $1, 'x', 0, '{}' from account where email = 'stap@klant.nl'`,
      [key.id],
    );
    const token = 'A'.repeat(22);
    await pool.query(
      `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
       values (gen_random_uuid(), $1, 'x', now(), 0, $2, now() - interval '1 minute')`,
      [id, hashOfToken(token)],
    );
    await pool.query(
      `insert into invitation (organization_id, email, role, expires_at, token_hashes)
       values ($1, 'gast@elders.nl', 'kijker', now() - interval '1 minute', array[$2::bytea])`,
      [organizations[0].id, invitationHash(token)],
    );
    const expired = own.secrets.token('confirm address', `${id} 1 baas@klant.nl`);

    const whose: Record<string, readonly [action: string, of: string]> = {};
    let n = 10;
    /** Makes the refused call twice, from an IP address that no other call uses. */
    const refused = async (
      call: string,
      action: string,
      of: string,
      body?: object | (() => Promise<object>),
      by: Pick<Browser, 'call'> = testBrowser(portal),
    ): Promise<void> => {
      const from = `192.0.2.${n++}`;
      const [method, url] = call.split(' ') as ['POST', string];
      for (const _ of '12') {
        const payload = typeof body === 'function' ? await body() : body;
        expect([call, (await by.call(method, url, payload, from)).status]).toEqual([
          call,
          expect.any(Number),
        ]);
      }
      whose[from] = [`${call} ${action}`, of];
    };
    const halfway = testBrowser(portal);
    await halfway.login('stap@klant.nl');
    const showing = testBrowser(portal);
    const shown = (of: Authenticator) => async () => {
      await showing.call('POST', '/api/auth/passkey/options');
      return { passkey: of.show('niet gevraagd') };
    };
    const signedIn = testBrowser(portal);
    await signedIn.login('baas@klant.nl');

    const stap = 'stap@klant.nl';
    const login = { email: stap, password: PASSWORD, totp: '000000' };
    const reset = { email: 'NIEMAND@elders.nl', code: 'ABCD2345', newPassword: 'een nieuw begin van iets' };
    const join = { email: 'nieuw@elders.nl', password: 'een nieuw begin van iets', organizationCode: 'X' };
    await refused('POST /api/auth/login', 'session.refuse', stap, login);
    await refused('POST /api/auth/login/code', 'session.refuse', stap, { code: '000000' }, halfway);
    await refused('POST /api/auth/login/code', 'session.refuse', '', { code: '000000' });
    await refused('POST /api/auth/passkey/login', 'session.refuse', stap, shown(key), showing);
    await refused('POST /api/auth/passkey/login', 'session.refuse', '', shown(makeAuthenticator()), showing);
    await refused('POST /api/auth/oidc/confirm', 'session.refuse', '', { password: 'geraden' });
    const back: Pick<Browser, 'call'> = {
      call: async (method, url, _, remoteAddress = '') => {
        const { statusCode } = await portal.app.inject({ method, url, remoteAddress });
        return { status: statusCode, json: {} };
      },
    };
    await refused('GET /api/auth/oidc/callback/klant', 'session.refuse', '', undefined, back);
    await refused(
      'POST /api/account/proof',
      'session.refuse-proof',
      'baas@klant.nl',
      { password: 'x' },
      signedIn,
    );
    const change = { present: 'x', new: 'een nieuw begin van iets' };
    await refused('POST /api/account/password', 'session.refuse-proof', 'baas@klant.nl', change, signedIn);
    await refused('POST /api/auth/register', 'register.refuse', 'hash', join);
    await refused('POST /api/auth/reset-password-with-code', 'reset.refuse', 'hash', reset);
    await refused('POST /api/auth/reset-link', 'reset.refuse', 'baas@klant.nl', { token });
    await refused('POST /api/auth/reset-link', 'reset.refuse', '', { token: 'B' });
    const other = { token, newPassword: 'een nieuw begin van iets' };
    await refused('POST /api/auth/reset-password-with-link', 'reset.refuse', 'baas@klant.nl', other);
    await refused('POST /api/auth/confirm-address', 'confirm.refuse', 'baas@klant.nl', { token: expired });
    await refused('POST /api/auth/confirm-address', 'confirm.refuse', '', { token: 'B' });
    await refused('POST /api/invitation/look', 'invitation.refuse', 'hash', { token });
    await refused('POST /api/invitation/accept', 'invitation.refuse', '', { token: 'B', password: 'x' });
    // An invalid form, and a sign-in that the portal answers by asking for the code of the second factor, are no guesses, so they are not
    // counted.
    const forms = testBrowser(portal);
    await forms.call('POST', '/api/auth/register', { ...join, password: 'x' }, '198.51.100.1');
    await forms.call('POST', '/api/auth/login', { ...login, totp: undefined }, '198.51.100.1');
    await forms.call('POST', '/api/auth/reset-link', {}, '198.51.100.1');
    // A refusal of too many requests is recorded with the account that the requests were about.
    for (let mails = 0; mails < 11; mails++)
      await forms.call('POST', '/api/auth/forgot-password', { email: 'wie@elders.nl' }, '198.51.100.2');

    await portal.portal.refusals.close();
    expect(JSON.stringify((await pool.query('select * from refusal')).rows)).not.toContain('@');
    await storeRefusalsNow(portal);
    const rows = await log({ kind: 'refusal' });
    const counted = new Map<string, number>();
    const found: typeof whose = {};
    for (const { action, account, address, data, who } of rows.filter(({ address }) =>
      /^192\.0\.2\.\d\d$|^198/.test(address),
    )) {
      counted.set(address, (counted.get(address) ?? 0) + Number(data.count));
      const call = String(data.call).replace(':organization', 'klant');
      found[address] = [`${call} ${action}`, account?.name ?? (data.stranger ? 'hash' : '')];
      expect(who.name).toBe(
        action === 'session.refuse-proof' ? 'baas@klant.nl' : 'iemand die niet is ingelogd',
      );
    }
    expect(found).toEqual({
      ...whose,
      '198.51.100.2': ['POST /api/auth/forgot-password reset.refuse', 'hash'],
    });
    expect([...counted].filter(([address, count]) => count !== (address === '198.51.100.2' ? 1 : 2))).toEqual(
      [],
    );
  });

  test('refusals become at most 1,000 rows per minute, and one row for the rest (13.9d)', async () => {
    await deleteRefusals(portal);
    await portal.pool.query(
      `insert into refusal (minute, network, action, address, device, call, count)
       select date_trunc('minute', now()), 'n' || n, 'session.refuse', 'a' || n, '', '', 1 + n % 2 from generate_series(1, 1500) as n`,
    );
    const before = Number((await portal.pool.query('select count(*) from audit')).rows[0].count);
    await storeRefusalsNow(portal);
    expect(Number((await portal.pool.query('select count(*) from audit')).rows[0].count)).toBe(
      before + 1_001,
    );
    const { rows } = await portal.pool.query(`select data from audit where data ? 'others'`);
    expect(rows).toEqual([{ data: { count: 500, others: 500 } }]);
    await portal.pool.query('delete from refusal');
  });
});

describe('searching the audit log', () => {
  test('a search filters the audit log by person, machine, kind and period, and rejects an invalid filter with a message (13.9e)', async () => {
    const id = await idOf('admin@portaal.nl');
    const { at } = await newest({ machine: 'L-4', kind: 'logger' });
    const exact = {
      machine: 'L-4',
      kind: 'logger',
      person: id,
      from: at,
      to: new Date(Date.parse(at) + 1).toISOString(),
    };
    expect((await log(exact)).map(({ action }) => action)).toEqual(['writer.release']);
    for (const other of [
      { machine: 'L-1' },
      { kind: 'account' },
      { person: await idOf('baas@klant.nl') },
      { to: at },
    ])
      expect(await log({ ...exact, ...other })).toEqual([]);
    for (const wrong of [
      'person=x',
      'kind=rommel',
      'from=gisteren',
      'after=1',
      'after=2026-02-31T00:00:00.000000Z_0',
      'after=0000-01-01T00:00:00.000000Z_0',
      'person=99999999999',
    ])
      expect([wrong, (await portal.get(`/api/log?${wrong}`, a.admin)).statusCode]).toEqual([wrong, 400]);
  });

  test('a search of the audit log finds a machine by an earlier serial (13.9e)', async () => {
    await a.machine('L-8');
    await a.call('POST /api/machine/edit', {
      body: { ...validMachineForm('L-8'), current_serial: 'L-8', machine_serial: 'L-9' },
    });
    const actions = ['machine.edit', 'writer.create', 'machine.create'];
    expect((await log({ machine: 'L-8' })).map(({ action }) => action)).toEqual(actions);
    expect((await log({ machine: 'L-9' })).map(({ action }) => action)).toEqual(actions);
  });

  test('a search of the audit log returns each row once over all pages, also rows of one instant (13.9e)', async () => {
    await portal.pool.query(
      `insert into audit (at, actor, action, kind, subject) select '2026-01-01T00:00:00.123456Z', 'demo', 'machine.create', 'machine', 'N-' || n
       from generate_series(1, 120) as n`,
    );
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const answer = (
        await portal.get(`/api/log?to=2026-01-02T00:00:00Z${after ? `&after=${after}` : ''}`, a.admin)
      ).json();
      seen.push(...answer.entries.map(({ subject }: LogEntry) => subject));
      if (answer.isEnd) break;
      after = answer.entries.at(-1).cursor;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `N-${120 - n}`));
  });
});

test('the audit log is exported with all rows as CSV for Excel, without formulas, and the export is logged (13.9f)', async () => {
  await portal.pool.query(
    `insert into audit (actor, action, kind, subject, organization_id, data)
     select 'demo', 'machine.create', 'machine', 'CSV', id, '{"alias": "=cmd|''/c calc''!A1; =1+2; \\"x\\""}' from organization where name = 'klant'`,
  );
  await portal.pool.query(
    `insert into audit (at, actor, action, kind, subject) select now() - interval '1 day' - n * interval '1 s', 'demo', 'machine.create', 'machine', '=1+' || n
     from generate_series(1, 2500) as n`,
  );
  const answer = await portal.get('/api/log/csv', a.admin);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="logboek-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const lines = answer.body.split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFF"Wanneer";"Wie";"Adres";"Apparaat";"Wat";"Waarop";"Wie betreft het";"Organisatie";"Gegevens"',
  );
  expect(lines.filter((line) => line.includes(`"'=1+`))).toHaveLength(2_500);
  expect(answer.body).not.toMatch(/(^|;)"[=+\-@]/m);
  expect(lines.find((line) => line.includes('"CSV"'))).toContain(`"Naam: =cmd|'/c calc'!A1; '=1+2; ""x"""`);
  const { rows } = await portal.pool.query('select count(*)::integer as n from audit');
  expect(lines.length - 2).toBe(rows[0].n - 1);
  expect(await newest({ kind: 'view' })).toMatchObject({
    action: 'log.export',
    who: { name: 'admin@portaal.nl' },
  });
  const mine = (await portal.get('/api/log/csv?machine=L-4', klant)).body;
  expect(mine.split('\r\n')).toHaveLength(4 + 2);
  expect(mine).not.toMatch(/koper|portaal\.nl/);
});

test('a function of the database deletes rows older than LOG_DAYS, and the application’s role cannot change or delete rows (13.9h)', async () => {
  const role = `logger_${process.pid}`;
  const client = await portal.pool.connect();
  try {
    await client.query(`create role ${role}`);
    await client.query(`grant select, insert on audit to ${role}`);
    await client.query(`grant select, insert, update, delete on refusal, account, ownership to ${role}`);
    await client.query(
      `insert into audit (at, actor, action, kind, subject)
       values (now() - interval '401 days', 'demo', 'machine.create', 'machine', 'OUD'), (now() - interval '399 days', 'demo', 'machine.create', 'machine', 'JONG')`,
    );
    await client.query(`set role ${role}`);
    await audit(client, { actor: 'demo', action: 'machine.create', subject: 'NU', data: {} });
    for (const forbidden of [`update audit set subject = ''`, 'delete from audit', 'truncate audit'])
      await expect(client.query(forbidden)).rejects.toThrow('permission denied');
    await expireAuditLog(400)(client);
    const left = async () =>
      (
        await client.query(`select subject from audit where subject in ('OUD', 'JONG', 'NU') order by id`)
      ).rows.map(({ subject }) => subject);
    expect(await left()).toEqual(['JONG', 'NU']);
    // The function keeps rows younger than 30 days, whatever its argument.
    await expireAuditLog(0)(client);
    expect(await left()).toEqual(['NU']);
  } finally {
    await client.query('reset role');
    await client.query(`drop owned by ${role}`);
    await client.query(`drop role ${role}`);
    client.release();
  }
});

test('each row of the audit log is written once as a line of JSON for a SIEM, on commit, and not after a rollback (13.9i)', async () => {
  const lines: { audit: Record<string, unknown> }[] = [];
  const end = logAudit({ info: (line: object) => void lines.push(line as never) } as never);
  try {
    await inTransaction(portal.pool, async (client) => {
      await audit(client, { actor: 'demo', action: 'machine.create', subject: 'ONGEDAAN', data: {} });
      throw new Error('on purpose');
    }).catch(() => undefined);
    await inTransaction(portal.pool, async (client) => {
      await audit(client, {
        actor: 'admin@portaal.nl',
        action: 'machine.create',
        subject: 'GEDAAN',
        data: { alias: 'Kraan' },
      });
      expect(lines).toEqual([]);
    });
    expect(lines).toMatchObject([
      {
        audit: {
          action: 'machine.create',
          subject: 'GEDAAN',
          actorId: Number(await idOf('admin@portaal.nl')),
          data: { alias: 'Kraan' },
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('@');
  } finally {
    end();
  }
  await a.machine('L-10');
  expect(lines).toHaveLength(1);
});
