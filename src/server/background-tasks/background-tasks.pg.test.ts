import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { endBackgroundTask, reportBackgroundTask } from './background-tasks.store.ts';

let portal: TestPortal;
let cookie: string;
const answer = async (): Promise<unknown> => (await portal.get('/api/background-tasks', cookie)).json();

beforeAll(async () => {
  portal = await testPortal();
  await portal.user('planner@klant.nl', await portal.organization('klant'));
  cookie = await portal.login('planner@klant.nl');
});
afterAll(() => portal.close());

test('the list of background tasks is refused without a session', async () => {
  expect((await portal.get('/api/background-tasks')).statusCode).toBe(401);
});

test('the list shows a task with its progress from its first report until it ends', async () => {
  expect(await answer()).toEqual([]);
  await reportBackgroundTask(portal.pool, { name: 'Voorbeeldgeschiedenis', done: 0 });
  await reportBackgroundTask(portal.pool, { name: 'Voorbeeldgeschiedenis', done: 0.43 });
  expect(await answer()).toEqual([{ name: 'Voorbeeldgeschiedenis', done: 0.43 }]);
  await endBackgroundTask(portal.pool, 'Voorbeeldgeschiedenis');
  expect(await answer()).toEqual([]);
});

test('the list omits a task that has not reported for more than a minute', async () => {
  await reportBackgroundTask(portal.pool, { name: 'Voorbeeldgeschiedenis', done: 0.5 });
  await portal.pool.query(`update background_task set updated_at = now() - interval '61 s'`);
  expect(await answer()).toEqual([]);
});
