import { expect, test } from 'vitest';
import { openFairQueue } from './fair-queue.ts';

const HERE = { isGone: () => false };
const soon = () => new Promise((later) => setTimeout(later, 5));

/**
 * Returns functions for tests of a queue: `ask` queues work under a name, and `end` ends that work. `begun` lists the names of the work
 * that has started.
 */
function desk(queue = openFairQueue(4, 2, 3)) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (account: number, name: string, isGone = () => false) =>
      queue.run({ account, isGone }, async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await soon();
    },
  };
}

test("one account's requests leave room for other accounts, and are all answered in order (API-03)", async () => {
  const { begun, ask, end } = desk();
  const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(1, name));
  const others = [ask(2, 'b1'), ask(3, 'c1'), ask(3, 'c2')];
  await soon();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
  await end('b1');
  expect(begun.at(-1)).toBe('c2');
  await end('a2');
  expect(begun.at(-1)).toBe('a3');
  for (const name of ['a1', 'c1', 'c2', 'a3', 'a4']) await end(name);
  expect(await Promise.all([...answers, ...others])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']);
});

test('too many requests of one account at once are refused, and none of another account (API-03)', async () => {
  const { begun, ask, end } = desk();
  const answers = ['1', '2', '3', '4', '5'].map((name) => ask(1, name));
  await expect(ask(1, '6')).rejects.toMatchObject({ code: 'too_many_requests' });
  const other = ask(2, 'other');
  await soon();
  for (const name of ['1', '2', '3', '4', '5', 'other']) await end(name);
  await Promise.all([...answers, other]);
  expect(begun).not.toContain('6');
  const again = ask(1, 'again');
  await soon();
  await end('again');
  expect(await again).toBe('again');
});

test('the queue skips a request whose client disconnected, and continues after a failure (API-03)', async () => {
  const queue = openFairQueue(1, 1, 9);
  const { begun, ask, end } = desk(queue);
  let isGone = false;
  const first = ask(1, 'first');
  const left = ask(1, 'left', () => isGone);
  const failing = queue.run({ account: 1, ...HERE }, () => Promise.reject(new Error('broken')));
  const last = ask(1, 'last');
  const outcomes = Promise.allSettled([left, failing]);
  isGone = true;
  await soon();
  await end('first');
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await end('last');
  expect(await Promise.all([first, last])).toEqual(['first', 'last']);
  expect(begun).toEqual(['first', 'last']);
});
