import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { chargingToken } from '#server/alerts/unsubscribe-token.ts';
import { showDefinition } from '#server/definitions/change-definition.ts';
import { Administration, formOf } from '#server/machines/test/administration.ts';
import { beginAttempt, storeUnlinkedSignIn } from '#server/oidc/attempts.store.ts';
import { linkIdentity } from '#server/oidc/identities.store.ts';
import { saveProvider } from '#server/oidc/providers.store.ts';
import { CACHE_MAX_AGE_MS } from '#server/platform/changes.ts';
import type { Pool } from '#server/platform/database.ts';
import type { TestLogger } from '#server/test/portal.ts';
import { NOUNS } from './nouns.ts';
import { COLLEAGUE, emailOf, FORGETFUL, LABEL_OF, PEOPLE, type Person, ROLE_OF } from './people.ts';
import { good, type Label, markerOf, type Planted, plantLmbLogger, plantMachine } from './planted.ts';
import { plantAlerts } from './planted-alerts.ts';
import { plantLeaving } from './planted-leaving.ts';
import { plantLimits } from './planted-limits.ts';
import { plantNewcomers } from './planted-newcomers.ts';
import { plantProjects } from './planted-projects.ts';
import { fingerprint } from './stored.ts';
import type { Target, World } from './tested-noun.ts';
import { watchedApp } from './watched-app.ts';

const UNKNOWN: Target = {
  serial: 'ONBEKEND-1',
  alias: 'onbekend-rups',
  photo: 'f'.repeat(64),
  manual: 'f'.repeat(64),
  loggerid: '7999999',
  loggerAlias: 'onbekend-krol',
};

/** @template Own what the nouns whose rows the test uses have planted */
export async function openWorld<Own = object>(): Promise<World & Own> {
  const a = await Administration.open();
  const { portal } = a;
  const { pool } = portal;
  const watched = await watchedApp(a);

  const ids = new Map<Label, number>();
  for (const label of ['eigen', 'spoor', 'ander', 'rails', 'dicht'] as const)
    ids.set(
      label,
      await portal.organization(markerOf(label), { isLmbCustomer: label === 'spoor' || label === 'rails' }),
    );
  ids.set('beheer', (await pool.query(`select id from organization where name = 'admin'`)).rows[0].id);
  const people = PEOPLE.filter((person) => person !== 'nobody' && person !== 'another-site');
  const cookies = new Map<Person, string>();
  for (const person of people) {
    await portal.user(emailOf(person), ids.get(LABEL_OF[person] as Label) as number, ROLE_OF[person]);
    cookies.set(person, await portal.login(emailOf(person)));
  }
  await pool.query(
    `update organization set privacy = privacy || '{"routesFrom": "beheerder"}' where id = $1`,
    [ids.get('ander')],
  );
  await portal.user(COLLEAGUE, ids.get('eigen') as number);
  for (const person of people.filter((one) => one !== 'deleted' && one !== 'disabled'))
    for (const n of [1, 2, 3, 4]) {
      const email = `weg-${n}-${emailOf(person)}`;
      await portal.user(email, ids.get(LABEL_OF[person] as Label) as number, ROLE_OF[person]);
    }
  await portal.login(COLLEAGUE);
  const { rows: sessions } = await pool.query<{ id: number }>(
    'select s.id from session s join account a on a.id = s.account_id where a.email = $1',
    [COLLEAGUE],
  );
  const sessionId = sessions[0]?.id as number;
  await plantPushDevice(pool, sessionId);
  await portal.user(FORGETFUL, ids.get('eigen') as number, 'kijker');
  cookies.set('another-site', cookies.get('admin') as string);

  const planted = new Map<Label, Planted>([
    ['eigen', await plantMachine(a, 'eigen', 'KANARIE-EIGEN-1', '7101001', 'ander')],
    ['ander', await plantMachine(a, 'ander', 'KANARIE-ANDER-1', '7102002')],
    ['dicht', await plantMachine(a, 'dicht', 'KANARIE-DICHT-1', '7103003')],
    ['spoor', await plantLmbLogger(a, 'spoor', '7104004')],
    ['rails', await plantLmbLogger(a, 'rails', '7105005')],
  ]);
  await a.fleet.putStatus(
    { ...(planted.get('eigen') as Planted).logger, accessKey: 'WSKANARIEBEHEER00000' },
    'snapshot.json',
    '{}',
  );
  await portal.portal.counters.flush();
  await pool.query(
    `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
     select gen_random_uuid(), id, sha256('of nobody'), now() + interval '1 hour', 5, sha256(email::bytea), now() + interval '1 hour'
     from account`,
  );
  for (const [label, organizationId] of ids) await plantProvider(a, label, organizationId);
  const spare = await plantSpare(a);
  const newcomers = await plantNewcomers(portal, ids);
  const projects = await plantProjects(portal, ids, planted);
  const ofNouns: object[] = [];
  for (const { plant } of NOUNS) ofNouns.push((await plant?.(portal, { ids, planted })) ?? {});
  await plantLimits(portal, ids, planted, { limited: emailOf('limited'), today: emailOf('today') });
  for (const person of ['limited', 'today'] as const)
    cookies.set(person, await portal.login(emailOf(person)));
  const leaving = await plantLeaving(a);
  const alerts = await plantAlerts(portal, ids, planted);
  for (const person of ['user', 'other', 'disabled', 'deleted'] as const) {
    const { serial } = planted.get(LABEL_OF[person] as Label) as Planted;
    await good(
      a.call('POST /api/mail/subscribe', {
        as: cookies.get(person) as string,
        body: { serialNumber: serial },
      }),
    );
  }
  const { rows: codes } = await pool.query<{ id: number; code: string }>('select id, code from organization');
  const codeOf = (label: Label) => codes.find(({ id }) => id === ids.get(label))?.code as string;
  const eigen = planted.get('eigen') as Planted;
  const spoor = planted.get('spoor') as Planted;
  const { rows: accounts } = await pool.query<{ id: number }>('select id from account where email = $1', [
    emailOf('user'),
  ]);
  const subscription = { streamId: eigen.logger.streamId, accountId: accounts[0]?.id as number };

  await endTwo(a, cookies);
  const world: World = {
    a,
    watched,
    own: { ...eigen, loggerid: spoor.serial, loggerAlias: spoor.alias },
    unknown: UNKNOWN,
    codeOf: (person) => {
      const label = LABEL_OF[person];
      return label === undefined ? 'GEENCODE2345' : codeOf(label);
    },
    ...spare,
    ...newcomers,
    ...projects,
    ...leaving,
    ...alerts,
    quarantinedId: await plantQuarantined(a, eigen.logger),
    factorId: await plantFactor(a),
    projectId: projects.nextProject('project'),
    versionId: (await showDefinition(pool, eigen.serial)).version,
    logFileId: await logFileOf(pool, eigen.serial),
    token: chargingToken(portal.secrets, { ...subscription, serial: eigen.serial }),
    subscription: `${subscription.streamId} ${subscription.accountId}`,
    cookieOf: (person) => cookies.get(person) ?? '',
    sessionId,
    async freshCookieOf(person, { ofColleague = false, provedLongAgo = false } = {}) {
      const token = randomBytes(32).toString('base64url');
      const { rowCount } = await pool.query(
        `insert into session (token_hash, account_id, expires_at, proved_at)
         select $1, a.id, now() + interval '1 day', now() - $3::interval
         from account a join organization o on o.id = a.organization_id
         where a.email like $2 and o.is_active limit 1`,
        [
          createHash('sha256').update(token).digest(),
          ofColleague ? `weg-_-${emailOf(person)}` : emailOf(person),
          provedLongAgo ? '11 minutes' : '0',
        ],
      );
      return rowCount === 1 ? `werkstroom=${token}` : (cookies.get(person) ?? '');
    },
    secretsFrom(person) {
      if (person === 'admin' || person === 'another-site') return [];
      if (person === 'technician') return [...ids.keys()].map((label) => codeOf(label).toLowerCase());
      const mine = person === 'disabled' || person === 'deleted' ? undefined : LABEL_OF[person];
      return (
        [...ids.keys()]
          .filter((label) => label !== mine)
          .flatMap((label) => {
            const of = planted.get(label);
            const files = of ? [of.photo, of.manual].filter(Boolean) : [];
            return [markerOf(label), codeOf(label), ...(of?.secrets ?? []), ...files];
          })
          .concat('51.987654', 'WSKANARIEBEHEER00000')
          // Machines of their organization that are not on the project.
          .concat(person === 'limited' ? ['KANARIE-EIGEN-WEG', 'TE-KOOP'] : [])
          .map((secret) => secret.toLowerCase())
      );
    },
    hidden: [...planted.values()]
      .flatMap(({ logger, photo, manual }) => [
        logger.accessKey,
        logger.secret,
        ...(photo === eigen.photo ? [] : [photo, manual]),
      ])
      .map((secret) => secret.toLowerCase()),
    fingerprint: (except) => fingerprint(a, except),
    async close() {
      await watched.close();
      await a.close();
    },
  };
  return Object.assign(world, ...ofNouns);
}

/** Returns the id of a stored log file of the logger that reports for a machine. */
async function logFileOf(pool: Pool, serial: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select o.id from object o join writer w using (logger_serial) join stream s on s.id = w.stream_id
     where s.serial = $1 and o.log_stored_at is not null and not o.is_withheld limit 1`,
    [serial],
  );
  return rows[0]?.id as string;
}

/** Plants a sign-in provider with an address on this computer, to which the portal does not connect, and a sign-in in progress. */
async function plantProvider(
  { portal }: Administration,
  label: Label,
  organizationId: number,
): Promise<void> {
  const { pool, secrets } = portal;
  const issuer = 'https://127.0.0.1';
  const clientSecret = `${markerOf(label)}-clientgeheim`;
  const domain = `${markerOf(label)}.example`;
  await saveProvider(pool, secrets, {
    organizationId,
    issuer,
    domain,
    clientId: markerOf(label),
    clientSecret,
  });
  await beginAttempt(pool, organizationId, { state: label, nonce: label, codeVerifier: label });
  const { rows } = await pool.query<{ id: number }>(
    'select id from account where organization_id = $1 order by created_at desc limit 1',
    [organizationId],
  );
  const claims = { issuer, subject: markerOf(label), email: undefined };
  await storeUnlinkedSignIn(pool, rows[0]?.id as number, claims);
  await linkIdentity(pool, rows[0]?.id as number, claims, async () => {});
}

/** Plants rows for an administrator to delete. */
async function plantSpare(a: Administration): Promise<Pick<World, 'deletedId' | 'deletedLoggerId'>> {
  const { portal } = a;
  for (const serial of ['KANARIE-EIGEN-WEG', 'KANARIE-EIGEN-TERUG', 'TE-KOOP'])
    await good(a.create(serial, { ...formOf(serial), bedrijf: markerOf('eigen') }));
  await good(a.call('DELETE /api/machine/delete', { query: { machine_serial: 'KANARIE-EIGEN-TERUG' } }));
  for (const [loggerid, name] of [
    ['7106006', 'weg'],
    ['7106007', 'terug'],
  ] as const)
    await good(
      a.call('GET /api/berend/new', {
        query: { organization: markerOf('spoor'), loggerid, alias: `${markerOf('spoor')}-${name}` },
      }),
    );
  await good(a.call('DELETE /api/berend/delete', { query: { loggerid: '7106007' } }));
  await portal.organization('kanarie-leeg');
  const open = await portal.organization('kanarie-open');
  for (const who of ['weg', 'verhuist']) await portal.user(`${who}@kanarie-open.example`, open);
  const { rows } = await portal.pool.query(
    `select id from stream where serial in ('KANARIE-EIGEN-TERUG', '7106007') order by kind desc`,
  );
  return { deletedId: rows[0].id, deletedLoggerId: rows[1].id };
}

/** Plants data as if the logger had uploaded it for a machine of another organization. */
async function plantQuarantined(
  { portal, fleet }: Administration,
  { loggerSerial }: TestLogger,
): Promise<number> {
  const time = new Date(Math.floor(fleet.clock / 1000) * 1000 - 60_000);
  const body = Buffer.from(JSON.stringify({ GMT_UNIX: time.getTime() / 1000, Soc1: 1 }));
  const { rows } = await portal.pool.query<{ id: string }>(
    `insert into quarantine (logger_serial, key, reason, size, body, held_from, held_to, held_count)
     values ($1, $2, '', $3, $4, $5, $5, 1) returning id`,
    [loggerSerial, 'kanarie-snapshot.json', body.length, body, time],
  );
  return Number(rows[0]?.id);
}

/** Plants a passkey, recovery codes and an unfinished sign-in. */
async function plantFactor({ portal: { pool } }: Administration): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with forgetful as (select id from account where email = $1),
       code as (insert into recovery_code (account_id, code_hash, salt) select id, 'x', 'x' from forgetful),
       step as (insert into sign_in_step (token_hash, account_id, tries_left, expires_at)
         select 'x', id, 5, now() + interval '1 hour' from forgetful)
     insert into factor (account_id, kind, name, credential_id, public_key, counter, transports)
     select id, 'passkey', 'kanarie-eigen-telefoon', 'kanarie-eigen-passkey', 'x', 1, '{}' from forgetful returning id`,
    [FORGETFUL],
  );
  return rows[0]?.id as number;
}

/** Ends two sessions in use, as an administrator does it. */
async function endTwo(a: Administration, cookies: ReadonlyMap<Person, string>): Promise<void> {
  const ends = {
    disabled: () =>
      a.call('GET /api/organization/disable/', { query: { name: markerOf('dicht'), isActive: 'false' } }),
    deleted: () => a.call('DELETE /api/user/delete', { query: { email: emailOf('deleted') } }),
  };
  for (const person of ['disabled', 'deleted'] as const) {
    const ask = () => a.portal.get('/api/live', cookies.get(person) as string);
    if ((await ask()).statusCode !== 200) throw new Error(`${person} was not signed in`);
    await good(ends[person]());
    // Gives up after the cache's maximum age; the rows of the table detect a session that survives.
    const until = performance.now() + CACHE_MAX_AGE_MS;
    while ((await ask()).statusCode !== 401 && performance.now() < until) await setTimeout(20);
  }
}

/** Plants a push subscription with an address on this computer, to which the portal does not connect. */
async function plantPushDevice(pool: Pool, sessionId: number): Promise<void> {
  await pool.query(
    `insert into push_subscription (session_id, endpoint, p256dh, auth) values ($1, 'https://127.0.0.1/van-een-ander', '', '')`,
    [sessionId],
  );
  await pool.query(`insert into push_taken (session_id, notice_id) values ($1, 'gezegd')`, [sessionId]);
}
