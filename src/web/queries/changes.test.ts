import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#shared/contract/api.ts';
import { INVALIDATES } from './changes.ts';
import { refresh, sendChange } from './use-change.ts';

/** Changes for which the map has no row. */
const WITHOUT_ROW = [
  // The session and the re-authentication, which are no queries of this map.
  /^POST \/api\/auth\//,
  /^POST \/api\/invitation\/(accept|look)$/,
  /^POST \/api\/account\/(name|password|proof|proof\/options)$/,
  'DELETE /api/account',
  // The first step of a change that a second call completes.
  'POST /api/account/factors/passkey',
  'POST /api/account/factors/totp',
  'POST /api/account/oidc/link',
  // The screen puts the answer in the cache.
  /^POST \/api\/(img|manual)\/(upload|delete)$/,
  /^POST \/api\/machine\/(dbc\/redecode|erasure\/(create|undo))$/,
  /^POST \/api\/organization\/(oidc(\/delete|\/only)?|privacy|report-files|second-factor)$/,
  'POST /api/workweek/set',
  // The answer is shown once and not queried again.
  'POST /api/webhook/secret',
  'POST /api/user/link',
  // The browser does not make these calls.
  /^GET \/api\/machine\/(create|edit)$/,
  'POST /api/mail/unsubscribe/:token',
];
const hasNoRow = (key: string): boolean =>
  WITHOUT_ROW.some((one) => (typeof one === 'string' ? one === key : one.test(key)));

afterEach(() => vi.unstubAllGlobals());

/** Returns which of the keys are outdated after `work`. */
async function outdatedBy(keys: readonly (readonly unknown[])[], work: (client: QueryClient) => unknown) {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData(key, 'answer');
  await work(client);
  return keys.filter((key) => client.getQueryState(key)?.isInvalidated);
}

test('each changing call of the contract says which queries it makes outdated', () => {
  const changing = Object.entries(api).flatMap(([key, { changes }]) => (changes ? [key] : []));
  expect(changing.filter((key) => !hasNoRow(key)).toSorted()).toEqual(Object.keys(INVALIDATES).toSorted());
});

test('a change refreshes the queries of a call, whatever their input', async () => {
  const keys = [
    ['GET /api/project/page', { query: { _id: 1 } }],
    ['GET /api/project/get'],
    ['GET /api/terrein/get'],
  ];
  expect(await outdatedBy(keys, (client) => refresh(client, 'POST /api/project/edit'))).toEqual(
    keys.slice(0, 2),
  );
});

test('a change of a part of a list refreshes only the queries with that input', async () => {
  const open = ['GET /api/alert/get', { query: { state: 'open' } }];
  const keys = [open, ['GET /api/alert/get', { query: { state: 'closed', alert: '7' } }]];
  expect(await outdatedBy(keys, (client) => refresh(client, 'POST /api/alert/seen'))).toEqual([open]);
});

test('a change of the name of an organization refreshes every query', async () => {
  const keys = [['GET /api/user/get'], ['live']];
  expect(await outdatedBy(keys, (client) => refresh(client, 'POST /api/organization/clean'))).toEqual(keys);
});

test('a failed change refreshes only what another user or device may have changed before', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 404 }));
  const keys = [['GET /api/invitation/get'], ['GET /api/user/get']];
  const outdated = await outdatedBy(keys, async (client) => {
    const revoked = sendChange(client, 'POST /api/invitation/revoke', { body: { _id: 1 } });
    await expect(revoked).rejects.toThrow();
    const limited = sendChange(client, 'POST /api/user/limit', { body: { email: 'a@b.nl', limit: null } });
    await expect(limited).rejects.toThrow();
  });
  expect(outdated).toEqual([keys[0]]);
});
