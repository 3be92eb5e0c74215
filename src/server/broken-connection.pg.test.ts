import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { type TestPortal, testPortal } from './test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test('a connection that breaks inside a transaction fails only that transaction (INGEST-02)', async () => {
  const broken = inTransaction(portal.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await portal.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // The connection is idle within the transaction, so the break comes as an event, not as the failure of a query.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await client.query('select 1');
  });
  await expect(broken).rejects.toThrow(/terminat|closed|not queryable/i);
  expect((await portal.get('/api/health')).statusCode).toBe(200);
});
