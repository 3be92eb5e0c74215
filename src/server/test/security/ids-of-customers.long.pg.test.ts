import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestSenderOf } from './principals/calls.ts';
import { PERMISSION_ROWS } from './principals/table.ts';
import type { TestWorld } from './principals/tested-noun.ts';
import { openWorld } from './principals/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
  await world.a.portal.portal.alerts.close();
});
afterAll(() => world.close());

/** Lowest id that the portal gives to a row. */
const FIRST = 2 ** 30;

/** Returns the values of all properties named `_id`, `id` or `alert` that are numbers, at any depth of an answer. */
const idsIn = (value: unknown): number[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inside]) =>
        ['_id', 'id', 'alert'].includes(name) && /^\d+$/.test(String(inside))
          ? [Number(inside)]
          : idsIn(inside),
      );

test.each(['user', 'viewer', 'manager', 'logger-user', 'other'] as const)(
  'no id in an answer to %s reveals how many rows all organizations have (13.9q)',
  async (person) => {
    const send = requestSenderOf(world);
    const found: string[] = [];
    let ids = 0;
    for (const { name, route, is } of PERMISSION_ROWS) {
      if (!route.startsWith('GET /api/') || is[person] !== 200) continue;
      if (name === 'GET /api/openapi.json') continue;
      const answer = await send(
        PERMISSION_ROWS.find((row) => row.name === name) as (typeof PERMISSION_ROWS)[number],
        person,
      );
      if (!String(answer.headers['content-type']).includes('json')) continue;
      const all = idsIn(answer.json());
      ids += all.length;
      found.push(...all.filter((id) => id < FIRST).map((id) => `${name}: ${id}`));
      for (const [, place] of answer.body.matchAll(/"cursor":"[^"]+Z_(\d+)"/g))
        if (Number(place) > 50) found.push(`${name}: place ${place} of an instant`);
    }
    expect(found).toEqual([]);
    expect(ids).toBeGreaterThan(0);
  },
);

test('generated ids are unique and unordered (13.9q)', async () => {
  const { pool } = world.a.portal;
  const { rows } = await pool.query<{ id: number }>(
    'select unordered_id(n) as id from generate_series(0, 19999) as n order by n',
  );
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(20_000);
  expect(ids.every((id) => id >= FIRST && id < 2 * FIRST)).toBe(true);
  const rising = ids.filter((id, n) => n > 0 && id > (ids[n - 1] as number)).length;
  expect(rising).toBeGreaterThan(9_500);
  expect(rising).toBeLessThan(10_500);
  await expect(pool.query('select unordered_id(1 << 30)')).rejects.toThrow('No id is left');
});

test('rows that are inserted in sequence get unordered ids (13.9q)', async () => {
  const { rows } = await world.a.portal.pool.query<{ id: number }>(
    `insert into label (organization_id, name, colour)
     select o.id, 'Reeks ' || n, 'blue' from organization o, generate_series(1, 20) as n where o.name = 'kanarie-eigen'
     order by n returning id`,
  );
  const ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(20);
  expect(ids.filter((id, n) => n > 0 && id - (ids[n - 1] as number) === 1)).toEqual([]);
});
