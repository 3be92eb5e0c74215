import { expect, test } from 'vitest';
import { openSerialQueue } from './serial.ts';

test('tasks run one at a time, in order, also after one that fails (46.6)', async () => {
  const serial = openSerialQueue();
  const done: string[] = [];
  let running = 0;
  const task = (name: string, turns: number) => async () => {
    running += 1;
    expect(running).toBe(1);
    for (let n = 0; n < turns; n++) await Promise.resolve();
    running -= 1;
    done.push(name);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const [a, b, c] = [serial.run(task('a', 9)), serial.run(task('b', 0)), serial.run(task('c', 3))];
  await expect(b).rejects.toThrow('b failed');
  expect(await Promise.all([a, c])).toEqual(['a', 'c']);
  await serial.ended();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('ended() waits for the tasks that were added, and resolves also when the last one failed (46.6)', async () => {
  const serial = openSerialQueue();
  await serial.ended();
  let isDone = false;
  serial
    .run(async () => {
      await Promise.resolve();
      isDone = true;
      throw new Error('failed');
    })
    .catch(() => {});
  await serial.ended();
  expect(isDone).toBe(true);
});
