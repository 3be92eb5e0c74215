import { expect, test } from 'vitest';
import { Quota, RateLimit } from './upload-limits.ts';

test('a quota is limited per key and in total, and a released amount can be taken again (INGEST-03)', () => {
  const places = new Quota({ perKey: 2, total: 3 });
  expect([places.take('a', 1), places.take('a', 1), places.take('a', 1)]).toEqual([true, true, false]);
  expect([places.take('b', 2), places.take('b', 1), places.take('c', 1)]).toEqual([false, true, false]);
  places.release('a', 1);
  expect([places.take('c', 1), places.take('c', 1)]).toEqual([true, false]);
  places.release('a', 1);
  places.release('b', 1);
  places.release('c', 1);
  expect([places.take('d', 2), places.take('e', 1)]).toEqual([true, true]);
});

/** Returns how many of `tries` requests of one key the limit admits at the same time `now`. */
const passed = (limit: RateLimit, key: string, now: number, tries: number): number =>
  Array.from({ length: tries }, () => limit.take(key, now)).filter(Boolean).length;

test('a key may send a burst of requests, then requests at its rate, and never saves up more than a burst (INGEST-03)', () => {
  const limit = new RateLimit(2, 5);
  expect(passed(limit, 'a', 0, 10)).toBe(5);
  expect(passed(limit, 'a', 499, 10)).toBe(0);
  expect(passed(limit, 'a', 500, 10)).toBe(1);
  expect(passed(limit, 'a', 1500, 10)).toBe(2);
  expect(passed(limit, 'a', 1_000_000, 10)).toBe(5);
});

test("one key never uses up another key's requests (INGEST-03)", () => {
  const limit = new RateLimit(2, 5);
  passed(limit, 'a', 0, 100);
  expect(passed(limit, 'b', 0, 10)).toBe(5);
});

test('setting the clock back has no lasting effect (INGEST-03)', () => {
  const limit = new RateLimit(2, 5);
  expect(passed(limit, 'a', 10_000, 10)).toBe(5);
  expect(passed(limit, 'a', 0, 10)).toBe(0);
  expect(passed(limit, 'a', 1000, 10)).toBe(2);
});

test('the number of remembered keys is limited (INGEST-03)', () => {
  const limit = new RateLimit(1, 1, 2);
  for (const key of ['a', 'b', 'c']) limit.take(key, 0);
  expect([limit.take('c', 0), limit.take('b', 0)]).toEqual([false, false]);
  expect(limit.take('a', 0)).toBe(true);
});
