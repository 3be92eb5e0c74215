import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlantedSubscription } from '#server/subscriptions/test/noun.ts';
import { storeRefusalsNow } from '#server/test/audited.ts';
import { IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { PASSWORD } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import { requestSenderOf, type SendRequest } from './calls.ts';
import { NOUNS } from './nouns.ts';
import { PEOPLE, type Person } from './people.ts';
import { tableNames } from './stored.ts';
import { PERMISSION_ROWS, type PermissionRow } from './table.ts';
import type { TestWorld } from './tested-noun.ts';
import { openWorld, stopBackgroundWork } from './world.ts';

let world: TestWorld & PlantedSubscription;
let send: SendRequest;
beforeAll(async () => {
  world = await openWorld();
  send = requestSenderOf(world);
  await stopBackgroundWork(world);
});
afterAll(() => world.close());

// The rows of the table prove that no person sees another organization's data, subscribes to it, or changes data with a right to read only.
test('peers: cross-tenant IDOR (CVE-2026-54641, CVE-2026-56784, CVE-2026-65009, CVE-2025-70340), a read right that writes (CVE-2026-49439, CVE-2026-114661), notification hijack (CVE-2026-66013): the table has a row for every call of the contract and for every route of Fastify (API-01, API-02)', () => {
  const rows = new Set(PERMISSION_ROWS.map(({ route }) => route));
  expect(Object.keys(api).filter((key) => !rows.has(key))).toEqual([]);
  const routes = world.watched.routes.filter((route) => !route.startsWith('HEAD '));
  expect(routes.filter((route) => !rows.has(route))).toEqual([]);
  expect([...rows].filter((route) => !routes.includes(route))).toEqual([]);
});

/** Tables that may be empty here, because only events outside of this test fill them. */
const UNPLANTED = [
  ...NOUNS.flatMap(({ unplanted = [] }) => unplanted),
  'backup_made',
  'secrets_check',
  ...(IS_TEST_OF_CLOSED_WEEKS ? ['reading'] : []),
];

test('the test data has rows in every table, except in those that its folder or this file lists (API-02)', async () => {
  const empty: string[] = [];
  for (const name of await tableNames(world.a.portal.pool))
    if ((await world.a.portal.pool.query(`select from ${name} limit 1`)).rowCount === 0) empty.push(name);
  expect(empty.filter((name) => !UNPLANTED.includes(name))).toEqual([]);
});

test('the administrator’s answers contain the planted secrets (API-02)', async () => {
  const seen = new Set<string>();
  for (const row of PERMISSION_ROWS.filter(
    ({ route, is }) => route.startsWith('GET ') && is['another-site'] === 200,
  )) {
    const { headers, rawPayload } = await send(row, 'admin');
    const text = `${JSON.stringify(headers)}${rawPayload.toString('latin1')}`.toLowerCase();
    for (const secret of world.secretsFrom('nobody')) if (text.includes(secret)) seen.add(secret);
  }
  expect(
    world.secretsFrom('nobody').filter((secret) => !seen.has(secret) && !world.hidden.includes(secret)),
  ).toEqual([]);
});

/** Sends a row's request as it is, as HEAD, in another organization's name, and about an unknown resource; checks each answer. */
async function ask(row: PermissionRow, person: Person): Promise<void> {
  const expected = row.is[person];
  if (row.route.startsWith('GET ')) {
    const head = await send(row, person, { head: true });
    const status = row.marks.has('no-head') ? 404 : expected;
    expect(['HEAD', person, head.statusCode]).toEqual(['HEAD', person, status]);
    expect(head.body).toBe('');
    expectNoLeak(row, person, head);
  }
  const plain = await send(row, person);
  // For the technician a call may fail because the administrator has just made the same call, which cannot succeed twice. This refusal is
  // not about the person.
  const isDone = person === 'technician' && expected === 200 && [404, 409].includes(plain.statusCode);
  expect([person, isDone ? expected : plain.statusCode]).toEqual([person, expected]);
  expectNoLeak(row, person, plain);
  expect([person, plain.headers['referrer-policy'], plain.headers['permissions-policy']]).toEqual([
    person,
    'no-referrer',
    expect.stringContaining('geolocation=(self)'),
  ]);
  if (row.route.includes(' /api/') && !(row.route.endsWith('/:hash') && expected === 200))
    expect([person, plain.headers['cache-control']]).toEqual([person, 'no-store']);
  if (person === 'admin' || person === 'technician' || person === 'another-site') return;

  const claiming = await send(row, person, { claiming: true });
  expectNoLeak(row, person, claiming);
  if (!ORGANIZATION_CHOOSES.test(row.name))
    expect([person, comparable(row, claiming)]).toEqual([person, comparable(row, plain)]);
  else if (expected === 200) expect([person, claiming.statusCode]).toEqual([person, 404]);

  if (expected !== 403 && expected !== 404) return;
  const unknown = await send(row, person, { unknown: true });
  expect([person, comparable(row, unknown)]).toEqual([person, comparable(row, plain)]);
}

/** Matches the names of rows whose request is about no resource, or about one that does not exist. */
const NAMES_NOTHING =
  /\((of no organization|with none of ours|without a device|a call that is none|guessing|of an equal)\)|^POST \/api\/auth\/oidc\/invitation/;

test('every request about a resource of another organization is compared with one about an unknown resource (API-02)', () => {
  const same = PERMISSION_ROWS.filter(({ ask, is }) => {
    const [own, unknown] = [world.own, world.unknown].map((target) => ask(target, world, 'user'));
    return Object.values(is).includes(404) && isDeepStrictEqual(own, unknown);
  });
  expect(same.map(({ name }) => name).filter((name) => !NAMES_NOTHING.test(name))).toEqual([]);
});

/** In this call the parameter `organization` chooses between LMB loggers with equal names; a wrong organization finds none (404). */
const ORGANIZATION_CHOOSES = /^GET \/api\/berend\/get\/one/;

const comparable = ({ marks }: PermissionRow, { statusCode, headers, body }: LightMyRequestResponse) => {
  const { date: _, 'set-cookie': __, 'x-request-id': ___, ...rest } = headers;
  // A link in the body is generated for this answer only, so it is left out of the comparison.
  return marks.has('generated')
    ? { statusCode }
    : { statusCode, headers: rest, body: body.replace(/"link":"[^"]*"/, '"link":"…"') };
};

/** Checks that an answer contains nothing of another organization. */
function expectNoLeak(row: PermissionRow, person: Person, answer: LightMyRequestResponse): void {
  const text = `${JSON.stringify(answer.headers)}\n${answer.rawPayload.toString('latin1')}`.toLowerCase();
  // The holder of an unsubscribe token (answer 303) may see the machine's marker, because the e-mail with the token named the machine.
  const secrets = world
    .secretsFrom(person)
    .filter((secret) => !(row.is[person] === 303 && secret === 'kanarie-eigen'));
  expect([person, secrets.filter((secret) => text.includes(secret))]).toEqual([person, []]);
}

/** The calls that succeeded in this test and wrote an audit row. */
const written = new Set<string>();
const newestRow = async (): Promise<number> =>
  (await world.a.portal.pool.query(`select max(id)::integer as id from audit where kind <> 'refusal'`))
    .rows[0].id;

const isRefused = (row: PermissionRow, person: Person): boolean => row.is[person] >= 400;
/**
 * Returns whether even a refused request of this row writes an audit row, because it is an attempt to sign in. That row is then the only
 * change.
 */
const isNoted = ({ route }: PermissionRow): boolean => /^POST \/api\/(auth\/|account\/proof)/.test(route);
/** Groups of rows that share one fingerprint of everything stored: of twelve rows, as a fingerprint takes as long as their requests. */
const portions = Object.values(
  Object.groupBy(
    PERMISSION_ROWS,
    (row) => `${isNoted(row) ? 'noted' : Math.floor(PERMISSION_ROWS.indexOf(row) / 12)}`,
  ),
) as PermissionRow[][];

// Runs before any permitted request, so that only a refused request could change something.
test.each(portions.map((rows) => [rows.map(({ name }) => name).join(', '), rows] as const))(
  'people who may not make a call are refused, and nothing changes: %s (API-02, API-03, API-04)',
  async (_, rows) => {
    const except = rows.some(isNoted) ? 'audit' : undefined;
    const before = await world.fingerprint(except);
    for (const row of rows)
      for (const person of PEOPLE.filter((one) => isRefused(row, one))) await ask(row, person);
    expect(await world.fingerprint(except)).toBe(before);
  },
);

/** Returns how many histories are being rewritten in the background; a second rewriting of the same history is refused meanwhile. */
const historiesBeingRewritten = async (): Promise<number> =>
  (
    await world.a.portal.pool.query(
      `select count(*)::integer as n from (select state from redecoding union all select state from erasure) as work
       where state in ('waiting', 'running', 'undoing')`,
    )
  ).rows[0].n;

test.each(PERMISSION_ROWS.map((row) => [row.name, row] as const))(
  'each person gets the answer that the table of principals lists: %s (API-02, API-03, API-04)',
  async (_, row) => {
    const last = await newestRow();
    for (const person of PEOPLE.filter((one) => !isRefused(row, one))) await ask(row, person);
    if ((await newestRow()) > last) written.add(row.route);
    await expect.poll(historiesBeingRewritten, { timeout: 30_000 }).toBe(0);
  },
);

/** Returns the calls for which a row of the table has this mark. */
const marked = (mark: 'proof' | 'nothing'): string[] =>
  [...new Set(PERMISSION_ROWS.filter(({ marks }) => marks.has(mark)).map(({ route }) => route))].sort();

test('every call that changes something writes an audit log entry, in this test or in the test that its noun.ts names (13.9o)', async () => {
  const changing = Object.entries(api).filter(([, { changes }]) => changes);
  const without = changing.map(([key]) => key).filter((key) => !written.has(key));
  const elsewhere = NOUNS.flatMap(({ loggedElsewhere = {} }) => Object.entries(loggedElsewhere));
  expect(without.sort()).toEqual([...marked('nothing'), ...elsewhere.map(([key]) => key)].sort());
  for (const [, [action, file]] of elsewhere) {
    const text = await readFile(new URL(`../../../${file}.pg.test.ts`, import.meta.url), 'utf8');
    expect([file, text.includes(`'${action}'`) && action]).toEqual([file, action]);
  }
});

test('a call with an administrator’s cookie changes nothing if no header shows from which site the call comes (13.8a)', async () => {
  const changing = PERMISSION_ROWS.filter(
    ({ route, is }) => is['another-site'] === 403 && !route.startsWith('GET /tiles/'),
  );
  expect(changing.length).toBeGreaterThan(40);
  const before = await world.fingerprint();
  for (const row of changing) {
    const { statusCode, body } = await send(row, 'admin', { silent: true });
    expect([row.name, statusCode, body]).toEqual([
      row.name,
      403,
      expect.stringContaining('X-Requested-With'),
    ]);
  }
  expect(await world.fingerprint()).toBe(before);
});

/** Calls that ask for re-authentication for some bodies only, with the row that has such a body. */
const ASKING_ROW: Readonly<Record<string, string>> = {
  'POST /api/invitation/create': 'POST /api/invitation/create (an administrator)',
};

test('each irreversible call is refused if the last re-authentication was long ago, and not if the contract requires none (13.6f, API-02)', async () => {
  const asking = Object.entries(api).filter(([, endpoint]) => 'proof' in endpoint);
  expect(asking.map(([key]) => key).sort()).toEqual(marked('proof'));
  for (const [key, constant] of asking) {
    const row = PERMISSION_ROWS.find(({ name, route }) =>
      ASKING_ROW[key] === undefined ? route === key : name === ASKING_ROW[key],
    ) as PermissionRow;
    const before = await world.fingerprint();
    const refused = await send(row, 'admin', { provedLongAgo: true });
    expect([key, refused.statusCode, refused.json().code]).toEqual([key, 403, 'proof_required']);
    expect(await world.fingerprint()).toBe(before);
    const endpoint = constant as { proof?: unknown };
    const { proof } = endpoint;
    delete endpoint.proof;
    const { statusCode } = await send(row, 'admin', { provedLongAgo: true });
    endpoint.proof = proof;
    expect([key, statusCode]).not.toEqual([key, 403]);
  }
});

test('no row of the log holds a secret, a PIN, a position or an e-mail address after all calls (13.9m)', async () => {
  const { pool } = world.a.portal;
  await storeRefusalsNow(world.a.portal);
  // The time of each row is left out, because its seconds '…:52.71' would look like a position.
  const { rows } = await pool.query<{ row: string }>(
    `select (to_jsonb(audit) - 'at')::text as row from audit`,
  );
  const all = rows.map(({ row }) => row.toLowerCase()).join('\n');
  expect(rows.length).toBeGreaterThan(200);
  const { rows: stored } = await pool.query<{ text: string }>(
    `select code as text from organization union select password_hash from account
     union select encode(token_hash, 'hex') from session union select code_hash::text from password_reset`,
  );
  const { rows: keys } = await pool.query<{ accessKey: string; secret: Buffer }>('select * from writer_key');
  const opened = keys.map(({ accessKey, secret }) =>
    world.a.portal.secrets.open('writer_key.secret', accessKey, secret),
  );
  expect(opened.length).toBeGreaterThan(4);
  const hidden = [...stored.map(({ text }) => text), ...opened, PASSWORD, world.token, '-wachtwoord'];
  expect(hidden.filter((secret) => all.includes(secret.toLowerCase()))).toEqual([]);
  // No row may contain a position of a planted machine or an e-mail address. The pattern skips seconds of a time, as in 10:00:52.71.
  expect(all.match(/(?<!:)(52\.71|51\.98)|latitude|longitude/g)).toBeNull();
  expect(all.match(/\S*@\S*/g)).toBeNull();
  expect(all).toContain('config.download');
});

type Loosened = { access: string; needs?: string | undefined; changes: boolean };
/** Tuples: a change to the contract that would give more people access, and the people whose status would change. */
const LOOSENINGS: readonly (readonly [
  (endpoint: Loosened) => boolean,
  Partial<Loosened>,
  status: number,
  (row: PermissionRow) => Person | undefined,
])[] = [
  [({ access }) => access === 'session', { access: 'public' }, 401, () => 'nobody'],
  [
    ({ needs }) => needs !== undefined,
    { needs: undefined },
    403,
    ({ is }) => PEOPLE.find((person) => person !== 'another-site' && is[person] === 403),
  ],
  [({ changes }) => changes, { changes: false }, 403, () => 'another-site'],
];

test('the permissions table detects each change of the contract that gives more people access or removes a protection (API-02, API-04)', async () => {
  const unnoticed: string[] = [];
  let loosened = 0;
  for (const [key, constant] of Object.entries(api)) {
    const endpoint = constant as unknown as Loosened;
    const row = PERMISSION_ROWS.find(({ route }) => route === key) as PermissionRow;
    for (const [applies, change, status, noticedBy] of LOOSENINGS) {
      if (!applies(endpoint)) continue;
      const person = noticedBy(row) as Person;
      const kept = { ...endpoint };
      Object.assign(endpoint, change);
      const { statusCode } = await send(row, person);
      Object.assign(endpoint, kept);
      loosened += 1;
      if (row.is[person] !== status || statusCode === status)
        unnoticed.push(`${key} ${JSON.stringify(change)}`);
    }
  }
  expect(unnoticed).toEqual([]);
  expect(loosened).toBeGreaterThan(90);
});
