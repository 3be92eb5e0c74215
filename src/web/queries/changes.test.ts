import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { refreshQueries, sendChange } from './use-change.ts';

afterEach(() => vi.unstubAllGlobals());

/** Returns the query keys whose queries are outdated after `work`. */
async function outdatedBy(keys: readonly (readonly unknown[])[], work: (client: QueryClient) => unknown) {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData(key, 'answer');
  await work(client);
  return keys.filter((key) => client.getQueryState(key)?.isInvalidated);
}

test('a change for which no queries are listed refreshes the queries with the same first path segment after /api', async () => {
  const keys = [
    ['GET /api/terrein/get'],
    ['GET /api/label/get', { query: { name: 'klant' } }],
    ['GET /api/labels/get'],
    ['live'],
  ];
  expect(await outdatedBy(keys, (client) => refreshQueries(client, 'POST /api/label/edit'))).toEqual([
    keys[1],
  ]);
});

test('a change refreshes all queries of a listed call, whatever their input (46.5)', async () => {
  const keys = [
    ['GET /api/project/page', { query: { _id: 1 } }],
    ['GET /api/project/get'],
    ['GET /api/terrein/get'],
  ];
  expect(await outdatedBy(keys, (client) => refreshQueries(client, 'POST /api/project/edit'))).toEqual(
    keys.slice(0, 2),
  );
});

test('marking alerts as seen refreshes only the query for firing alerts', async () => {
  const open = ['GET /api/alert/get', { query: { state: 'firing' } }];
  const keys = [open, ['GET /api/alert/get', { query: { state: 'resolved', alert: '7' } }]];
  expect(await outdatedBy(keys, (client) => refreshQueries(client, 'POST /api/alert/seen'))).toEqual([open]);
});

test('a change of the name of an organization refreshes every query', async () => {
  const keys = [['GET /api/user/get'], ['live']];
  expect(await outdatedBy(keys, (client) => refreshQueries(client, 'POST /api/organization/clean'))).toEqual(
    keys,
  );
});

test('a failed change refreshes queries only if another user or device may already have made the same change', async () => {
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
