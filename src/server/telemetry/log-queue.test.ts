import { describe, expect, test } from 'vitest';
import { FunnelUnavailable } from './funnel.ts';
import { openLogQueue } from './log-queue.ts';

const nextTurn = () => new Promise((done) => setImmediate(done));

/** Runs that tell when they began and end when they are told to. */
function watched(limits: { atOnce: number; patienceMs: number }) {
  const queue = openLogQueue(limits);
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

describe('INGEST-03 log files are decoded', () => {
  test('few at a time, in the order of arrival', async () => {
    const { run, running, began, end } = watched({ atOnce: 2, patienceMs: 60_000 });
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

  test('one of each logger, which keeps no place that another could use', async () => {
    const { run, running, end } = watched({ atOnce: 2, patienceMs: 60_000 });
    const all = Promise.all(['a1', 'a2', 'a3', 'b1'].map(run));
    await nextTurn();
    expect(running).toEqual(['a1', 'b1']);
    await end('a1');
    expect(running).toEqual(['b1', 'a2']);
    for (const name of ['b1', 'a2', 'a3']) await end(name);
    await all;
  });

  test('and one that fails makes room for the next', async () => {
    const { run, running, end } = watched({ atOnce: 1, patienceMs: 60_000 });
    const first = run('a1').catch((error: Error) => error.message);
    const second = run('b1');
    await nextTurn();
    await end('a1', new Error('broken'));
    expect(await first).toBe('broken');
    expect(running).toEqual(['b1']);
    await end('b1');
    await second;
  });

  test('and who waits too long is told to come back, and leaves its place', async () => {
    const { run, began, end } = watched({ atOnce: 1, patienceMs: 20 });
    const first = run('a1');
    await expect(run('b1')).rejects.toThrow(FunnelUnavailable);
    await end('a1');
    await first;
    const third = run('c1');
    await nextTurn();
    await end('c1');
    await third;
    expect(began).toEqual(['a1', 'c1']);
  });
});
