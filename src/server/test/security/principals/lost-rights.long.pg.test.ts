import { createECDH, createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { requestSenderOf, type SendRequest } from './calls.ts';
import { PEOPLE, type Person } from './people.ts';
import { PERMISSION_ROWS, type PermissionRow } from './table.ts';
import type { RequestParts, TestWorld } from './tested-noun.ts';
import { openWorld, stopBackgroundWork } from './world.ts';

/** Tests that each transaction of a call that changes something checks the caller's rights again (decision 57). */
let world: TestWorld;
let send: SendRequest;
beforeAll(async () => {
  world = await openWorld();
  send = requestSenderOf(world);
  await stopBackgroundWork(world);
});
afterAll(() => world.close());

/** Calls whose request in this test is answered without a transaction, each with the status of its answer. */
const WITHOUT_TRANSACTION: Readonly<Record<string, number>> = {
  // The person's address is confirmed already.
  'POST /api/auth/confirm-address/send': 200,
  // These calls store nothing about an account: they answer a sealed token or a challenge.
  'POST /api/account/factors/totp': 200,
  'POST /api/account/factors/passkey': 200,
  'POST /api/account/proof/options': 200,
  'POST /api/account/oidc/link': 502,
  // This call sends and stores nothing.
  'POST /api/push/test': 404,
  // These requests are refused before anything is stored: two have a wrong code, one names a provider that does not exist.
  'POST /api/account/factors/totp/confirm': 400,
  'POST /api/account/factors/passkey/confirm': 400,
  'POST /api/organization/oidc': 400,
  // This request is refused because of its file name. For this call, upload-log.pg.test.ts tests a session that ends during an upload.
  'POST /api/machine/log-file/upload': 400,
};

/** Requests that store something, for calls whose requests in the table of permissions are all refused. */
const SERVED: Readonly<Record<string, RequestParts>> = {
  'POST /api/account/password': { body: { present: PASSWORD, new: 'een heel nieuw wachtwoord' } },
  'POST /api/machine/dbc/mapping': {
    body: { serial: 'KANARIE-EIGEN-1', mapping: { signals: [], keep: [] } },
  },
  'POST /api/push/subscribe': {
    body: {
      endpoint: 'https://1.1.1.1/push',
      keys: {
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    },
  },
};

/**
 * Returns a row of the table and a person for whom the call succeeds. If there is none, returns a row and a person for whom the call is
 * refused for another reason than the person's rights.
 */
function requestOf(key: string): readonly [PermissionRow, Person] {
  const rows = PERMISSION_ROWS.filter(({ route }) => route === key);
  const people: readonly Person[] = ['admin', ...PEOPLE];
  const all = rows.flatMap((row) => people.map((person) => [row, person] as const));
  return (
    all.find(([{ is }, person]) => is[person] === 200) ??
    (all.find(([{ is }, person]) => ![401, 403].includes(is[person])) as readonly [PermissionRow, Person])
  );
}

const CHANGING = Object.entries<Endpoint>(api)
  .filter(([, { access, changes }]) => access === 'session' && changes)
  .map(([key]) => key);

/**
 * Sends a request while the row of its session is locked, so that the request's transaction waits. Meanwhile takes a right away by
 * `statement`; then releases the lock. Returns the status and code of the answer, and whether the request waited.
 */
async function takeAway(key: string, [row, person]: readonly [PermissionRow, Person], statement: string) {
  const { pool } = world.a.portal;
  const cookie = await world.freshCookieOf(person);
  const tokenHash = createHash('sha256')
    .update(cookie.split('=')[1] as string)
    .digest();
  const held = await pool.connect();
  const { rows } = await held.query<{ pid: number }>('select pg_backend_pid() as pid');
  await held.query('begin');
  await held.query('select from session where token_hash = $1 for update', [tokenHash]);
  let answer: { status: number; code: string } | undefined;
  const asked = SERVED[key];
  const answering = send(row, person, { cookie, ...(asked && { asked }) }).then(({ statusCode, body }) => {
    answer = { status: statusCode, code: /"code":"([\w-]+)"/.exec(body)?.[1] ?? '' };
  });
  let waits = false;
  while (answer === undefined && !waits) {
    await setTimeout(5);
    const blocked = await pool.query('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [
      rows[0]?.pid,
    ]);
    waits = blocked.rowCount === 1;
  }
  await held.query(statement.replace('$session', `'\\x${tokenHash.toString('hex')}'`));
  await held.query('commit');
  held.release();
  await answering;
  return { waits, ...(answer as unknown as { status: number; code: string }) };
}

test.each(CHANGING)(
  '%s answers 401 and changes nothing when its session ends between the authorization check and the transaction (API-02)',
  async (key) => {
    const request = requestOf(key);
    const before = await world.fingerprint();
    const { waits, status } = await takeAway(key, request, 'delete from session where token_hash = $session');
    if (waits) {
      expect(status).toBe(401);
      expect(await world.fingerprint()).toBe(before);
    }
    expect([key, waits ? undefined : status]).toEqual([key, WITHOUT_TRANSACTION[key]]);
  },
);

const EIGEN = "where name = 'kanarie-eigen'";
test.each([
  [
    'a proof that is recent',
    'DELETE /api/user/delete',
    'admin',
    `update session set proved_at = now() - interval '11 minutes' where token_hash = $session`,
    'select',
    'proof_required',
  ],
  [
    'a second factor that is not obligatory',
    'POST /api/favourite/add',
    'user',
    `update organization set requires_second_factor = true ${EIGEN}`,
    `update organization set requires_second_factor = false ${EIGEN}`,
    'second-factor-setup-required',
  ],
  [
    'a right that the organization gives its role',
    'POST /api/favourite/add',
    'user',
    `update organization set privacy = privacy || '{"routesFrom": "beheerder"}' ${EIGEN}`,
    `update organization set privacy = privacy || '{"routesFrom": "kijker"}' ${EIGEN}`,
    'forbidden',
  ],
  [
    'their organization, which is disabled',
    'POST /api/favourite/add',
    'user',
    `update organization set is_active = false ${EIGEN}`,
    `update organization set is_active = true ${EIGEN}`,
    'unauthenticated',
  ],
  [
    'their role',
    'POST /api/label/create',
    'user',
    `update account set role = 'kijker' where email like 'user@kanarie-eigen%'`,
    `update account set role = 'gebruiker' where email like 'user@kanarie-eigen%'`,
    'unauthenticated',
  ],
] as const)(
  'a person who loses %s between the authorization check and the transaction is refused as by that check (API-02)',
  async (_, key, person, statement, undo, code) => {
    const row = PERMISSION_ROWS.find(({ route }) => route === key) as PermissionRow;
    const answer = await takeAway(key, [row, person], statement);
    await world.a.portal.pool.query(undo);
    expect(answer).toMatchObject({ waits: true, code });
  },
);
