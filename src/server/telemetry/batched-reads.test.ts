import { expect, test } from 'vitest';
import { createBatchedReader } from './batched-reads.ts';

/** Returns a function that batches reads (`one`), the keys of each read (`asked`), and functions that end the reads (`ends`). */
function slowStore(values: Map<string, number>) {
  const asked: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const one = createBatchedReader<string, number>((keys) => {
    asked.push([...keys]);
    const found = new Map(
      [...keys].flatMap((key) => (values.has(key) ? [[key, values.get(key) as number]] : [])),
    );
    return new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(found)));
    });
  });
  return { one, asked, ends };
}
const turn = () => new Promise((next) => setImmediate(next));

test('keys requested in one turn of the event loop, or during a read, are read together (INGEST-02)', async () => {
  const { one, asked, ends } = slowStore(
    new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]),
  );
  const first = [one('a'), one('b'), one('a')];
  await turn();
  const second = [one('c'), one('a'), one('unknown')];
  await turn();
  expect(asked).toEqual([['a', 'b']]);
  ends[0]?.();
  expect(await Promise.all(first)).toEqual([1, 2, 1]);
  await turn();
  expect(asked).toEqual([
    ['a', 'b'],
    ['c', 'a', 'unknown'],
  ]);
  ends[1]?.();
  expect(await Promise.all(second)).toEqual([3, 1, undefined]);
});

test('a value is read after its request, never before (INGEST-02)', async () => {
  const values = new Map([['a', 1]]);
  const { one, ends } = slowStore(values);
  const before = one('a');
  await turn();
  values.set('a', 2);
  const after = one('a');
  ends[0]?.();
  expect(await before).toBe(1);
  await turn();
  ends[1]?.();
  expect(await after).toBe(2);
});

test('a failed read rejects only its own requests (INGEST-02)', async () => {
  const { one, ends } = slowStore(new Map([['a', 1]]));
  const failing = [one('a'), one('b')].map((asked) => expect(asked).rejects.toThrow('down'));
  await turn();
  const later = one('a');
  ends[0]?.(new Error('down'));
  await Promise.all(failing);
  await turn();
  ends[1]?.();
  expect(await later).toBe(1);
});
