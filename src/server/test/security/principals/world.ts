import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { CACHE_MAX_AGE_MS } from '#server/platform/changes.ts';
import { NOUNS } from './nouns.ts';
import {
  COLLEAGUE,
  emailOf,
  ORGANIZATION_OF_PERSON,
  PEOPLE,
  PERSON_WITHOUT_SIGN_IN,
  type Person,
  ROLE_OF,
} from './people.ts';
import {
  organizationMarker,
  type PlantedMachine,
  type PlantedOrganization,
  plantLmbLogger,
  plantMachine,
  requireSuccess,
} from './planted.ts';
import { plantLimits } from './planted-limits.ts';
import { computeDatabaseChecksum } from './stored.ts';
import type { RequestSubject, TestWorld } from './tested-noun.ts';
import { watchedApp } from './watched-app.ts';

const UNKNOWN: RequestSubject = {
  serial: 'ONBEKEND-1',
  alias: 'onbekend-rups',
  photo: 'f'.repeat(64),
  manual: 'f'.repeat(64),
  loggerid: '7999999',
  loggerAlias: 'onbekend-krol',
};

/**
 * Opens a portal with the test data of all folders.
 * @template Own the test data of those folders whose rows the test uses
 */
export async function openWorld<Own = object>(): Promise<TestWorld & Own> {
  const a = await AdminTestPortal.open();
  const { portal } = a;
  const { pool } = portal;
  const watched = await watchedApp(a);

  const ids = new Map<PlantedOrganization, number>();
  for (const label of ['eigen', 'spoor', 'ander', 'rails', 'dicht'] as const)
    ids.set(
      label,
      await portal.organization(organizationMarker(label), {
        isLmbCustomer: label === 'spoor' || label === 'rails',
      }),
    );
  ids.set('beheer', (await pool.query(`select id from organization where name = 'admin'`)).rows[0].id);
  const people = PEOPLE.filter((person) => person !== 'nobody' && person !== 'another-site');
  const cookies = new Map<Person, string>();
  for (const person of people) {
    await portal.user(
      emailOf(person),
      ids.get(ORGANIZATION_OF_PERSON[person] as PlantedOrganization) as number,
      ROLE_OF[person],
    );
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
      await portal.user(
        email,
        ids.get(ORGANIZATION_OF_PERSON[person] as PlantedOrganization) as number,
        ROLE_OF[person],
      );
    }
  await portal.login(COLLEAGUE);
  const { rows: sessions } = await pool.query<{ id: number }>(
    'select s.id from session s join account a on a.id = s.account_id where a.email = $1',
    [COLLEAGUE],
  );
  const sessionId = sessions[0]?.id as number;
  await portal.user(PERSON_WITHOUT_SIGN_IN, ids.get('eigen') as number, 'kijker');
  cookies.set('another-site', cookies.get('admin') as string);

  const planted = new Map<PlantedOrganization, PlantedMachine>([
    ['eigen', await plantMachine(a, 'eigen', 'KANARIE-EIGEN-1', '7101001', 'ander')],
    ['ander', await plantMachine(a, 'ander', 'KANARIE-ANDER-1', '7102002')],
    ['dicht', await plantMachine(a, 'dicht', 'KANARIE-DICHT-1', '7103003')],
    ['spoor', await plantLmbLogger(a, 'spoor', '7104004')],
    ['rails', await plantLmbLogger(a, 'rails', '7105005')],
  ]);
  await a.fleet.putStatus(
    { ...(planted.get('eigen') as PlantedMachine).logger, accessKey: 'WSKANARIEBEHEER00000' },
    'snapshot.json',
    '{}',
  );
  await portal.portal.counters.flush();
  const cookieOf = (person: Person): string => cookies.get(person) ?? '';
  const ofNouns: object[] = [];
  for (const { plant } of NOUNS) ofNouns.push((await plant?.(portal, { a, ids, planted, cookieOf })) ?? {});
  await plantLimits(portal, ids, planted, { limited: emailOf('limited'), today: emailOf('today') });
  for (const person of ['limited', 'today'] as const)
    cookies.set(person, await portal.login(emailOf(person)));
  const { rows: codes } = await pool.query<{ id: number; code: string }>('select id, code from organization');
  const codeOf = (label: PlantedOrganization) =>
    codes.find(({ id }) => id === ids.get(label))?.code as string;
  const eigen = planted.get('eigen') as PlantedMachine;
  const spoor = planted.get('spoor') as PlantedMachine;
  await endTwo(a, cookies);
  const world: TestWorld = {
    a,
    watched,
    own: { ...eigen, loggerid: spoor.serial, loggerAlias: spoor.alias },
    unknown: UNKNOWN,
    codeOf: (person) => {
      const label = ORGANIZATION_OF_PERSON[person];
      return label === undefined ? 'GEENCODE2345' : codeOf(label);
    },
    cookieOf,
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
      return rowCount === 1 ? `werkstroom=${token}` : cookieOf(person);
    },
    secretsFrom(person) {
      if (person === 'admin' || person === 'another-site') return [];
      if (person === 'technician') return [...ids.keys()].map((label) => codeOf(label).toLowerCase());
      const mine = person === 'disabled' || person === 'deleted' ? undefined : ORGANIZATION_OF_PERSON[person];
      return (
        [...ids.keys()]
          .filter((label) => label !== mine)
          .flatMap((label) => {
            const of = planted.get(label);
            const files = of ? [of.photo, of.manual].filter(Boolean) : [];
            return [organizationMarker(label), codeOf(label), ...(of?.secrets ?? []), ...files];
          })
          .concat('51.987654', 'WSKANARIEBEHEER00000')
          // The person `limited` may not see these machines of their own organization, because the machines are not on the allowed project.
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
    fingerprint: (except) => computeDatabaseChecksum(a, except),
    async close() {
      await watched.close();
      await a.close();
    },
  };
  return Object.assign(world, ...ofNouns);
}

/** Stops background work that would change answers between two requests, or would send requests to other computers. */
export async function stopBackgroundWork({ a }: TestWorld): Promise<void> {
  const { recomputations, dayComputation, upkeep, webhooks, alerts } = a.portal.portal;
  for (const work of [recomputations, dayComputation, upkeep, webhooks, alerts]) await work.close();
}

/** Ends the sessions of `disabled` and `deleted` while they are in use, by the administrator's calls. */
async function endTwo(a: AdminTestPortal, cookies: ReadonlyMap<Person, string>): Promise<void> {
  const ends = {
    disabled: () =>
      a.call('GET /api/organization/disable/', {
        query: { name: organizationMarker('dicht'), isActive: 'false' },
      }),
    deleted: () => a.call('DELETE /api/user/delete', { query: { email: emailOf('deleted') } }),
  };
  for (const person of ['disabled', 'deleted'] as const) {
    const ask = () => a.portal.get('/api/live', cookies.get(person) as string);
    if ((await ask()).statusCode !== 200) throw new Error(`${person} was not signed in`);
    await requireSuccess(ends[person]());
    // Waits at most until the cached session expires. If the session is still valid then, the tests of the permissions table detect it.
    const until = performance.now() + CACHE_MAX_AGE_MS;
    while ((await ask()).statusCode !== 401 && performance.now() < until) await setTimeout(20);
  }
}
