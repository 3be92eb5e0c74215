import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type LogQueue, type LogQueueLimits, openLogQueue } from './log-queue.ts';
import { WriteQueueUnavailable } from './write-queue.ts';

/** Returns `run`, which queues a run, `end`, which ends a run, and the names of the runs that are running and of those that began. */
function watched(limits: Partial<LogQueueLimits>) {
  const queue = openLogQueue({ atOnce: 2, underWay: 16, sliceMs: 60_000, patienceMs: 60_000, ...limits });
  const running: string[] = [];
  const began: string[] = [];
  const end = new Map<string, (error?: Error) => void>();
  const run = (name: string) =>
    queue.run(name.charAt(0), async () => {
      running.push(name);
      began.push(name);
      const ended = new Promise<void>((resolve, reject) =>
        end.set(name, (error) => (error ? reject(error) : resolve())),
      );
      await ended.finally(() => running.splice(running.indexOf(name), 1));
    });
  return {
    run,
    running,
    began,
    async end(name: string, error?: Error) {
      end.get(name)?.(error);
      await nextTurn();
    },
  };
}

describe('the queue of log files (INGEST-03)', () => {
  test('the queue of log files runs few files at the same time, in the order of arrival', async () => {
    const { run, running, began, end } = watched({});
    const all = Promise.all(['a1', 'b1', 'c1', 'd1'].map(run));
    await nextTurn();
    expect(running).toEqual(['a1', 'b1']);
    await end('b1');
    expect(running).toEqual(['a1', 'c1']);
    await end('a1');
    await end('c1');
    await end('d1');
    await all;
    expect(began).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  test('the queue of log files runs one file per logger, without occupying a slot that another logger could use', async () => {
    const { run, running, end } = watched({});
    const all = Promise.all(['a1', 'a2', 'a3', 'b1'].map(run));
    await nextTurn();
    expect(running).toEqual(['a1', 'b1']);
    await end('a1');
    expect(running).toEqual(['b1', 'a2']);
    for (const name of ['b1', 'a2', 'a3']) await end(name);
    await all;
  });

  test('the queue of log files starts the next file after one that fails', async () => {
    const { run, running, end } = watched({ atOnce: 1 });
    const first = run('a1').catch((error: Error) => error.message);
    const second = run('b1');
    await nextTurn();
    await end('a1', new Error('broken'));
    expect(await first).toBe('broken');
    expect(running).toEqual(['b1']);
    await end('b1');
    await second;
  });

  test('the queue of log files rejects a file that waits too long, and removes it', async () => {
    const { run, began, end } = watched({ atOnce: 1, patienceMs: 20 });
    const first = run('a1');
    await expect(run('b1')).rejects.toThrow(WriteQueueUnavailable);
    await end('a1');
    await first;
    const third = run('c1');
    await nextTurn();
    await end('c1');
    await third;
    expect(began).toEqual(['a1', 'c1']);
  });
});

describe('time slices of log files (12.B4)', () => {
  test('a logger with many log files gets its second time slice only after each other logger had its first one', async () => {
    const { run, began, end } = watched({});
    const all = Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1'].map(run));
    await nextTurn();
    for (const name of ['a1', 'b1', 'c1', 'd1']) await end(name);
    expect(began.slice(0, 4)).toEqual(['a1', 'b1', 'c1', 'd1']);
    for (const name of ['a2', 'b2', 'a3']) await end(name);
    await all;
  });

  test('a logger whose log file has just used a slot of the queue comes after the waiting loggers', async () => {
    const { run, began, end } = watched({ atOnce: 1 });
    const first = ['a1', 'b1', 'c1'].map(run);
    await nextTurn();
    await end('a1');
    const again = run('a2');
    for (const name of ['b1', 'c1', 'a2']) await end(name);
    await Promise.all([...first, again]);
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  /** Queues work of `count` steps, which adds its name to `order` at each step and then gives way. */
  const steps = (queue: LogQueue, order: string[]) => (name: string, count: number) =>
    queue.run(name.charAt(0), async (giveWay) => {
      for (let step = 0; step < count; step++) {
        order.push(name);
        await nextTurn();
        await giveWay();
      }
    });
  const limits: LogQueueLimits = { atOnce: 1, underWay: 2, sliceMs: 0, patienceMs: 60_000 };

  test('the decoding of a long log file is interrupted for the file of another logger, and continues after that file', async () => {
    const order: string[] = [];
    const run = steps(openLogQueue(limits), order);
    await Promise.all([run('a1', 100), run('b1', 1)]);
    expect(order.slice(0, 3)).toEqual(['a1', 'b1', 'a1']);
    expect(order).toHaveLength(101);
  });

  test('the queue has few log files in progress at the same time, and a file keeps its slot until its time slice is over', async () => {
    const order: string[] = [];
    const run = steps(openLogQueue(limits), order);
    await Promise.all([run('a1', 3), run('b1', 3), run('c1', 1)]);
    expect(order.indexOf('c1')).toBeGreaterThanOrEqual(4);
    const undisturbed: string[] = [];
    const slow = steps(openLogQueue({ ...limits, sliceMs: 60_000 }), undisturbed);
    await Promise.all([slow('a1', 3), slow('b1', 1)]);
    expect(undisturbed).toEqual(['a1', 'a1', 'a1', 'b1']);
  });
});
