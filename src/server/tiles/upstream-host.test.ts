import { expect, test } from 'vitest';
import type { TileFetch } from './tile-fetch.ts';
import { createUpstreamHost } from './upstream-host.ts';

const image: TileFetch = {
  kind: 'image',
  image: { bytes: Buffer.alloc(1), type: 'image/png' },
  maxAgeSeconds: undefined,
};
const absent: TileFetch = { kind: 'absent', reason: '404' };
const failed: TileFetch = { kind: 'failed', reason: 'refused' };

function aHost() {
  const clock = { ms: 1_000_000 };
  const host = createUpstreamHost(() => clock.ms);
  let attempts = 0;
  const attempt = (outcome: TileFetch | Promise<TileFetch>) =>
    host.attempt(async () => {
      attempts++;
      return outcome;
    });
  return { clock, host, attempt, attempts: () => attempts };
}

test('when many tiles of an unreachable host are requested, one request is sent, not one per tile (MAP-02)', async () => {
  const { host, attempt, attempts } = aHost();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt(failed)));
  expect(attempts()).toBe(1);
  expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(29);
  expect(host.reach()).toBe('out-of-reach');
});

test('requests that wait for the first attempt proceed when it succeeds (MAP-02)', async () => {
  const { host, attempt, attempts } = aHost();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt(image)));
  expect(attempts()).toBe(30);
  expect(outcomes.every((outcome) => outcome?.kind === 'image')).toBe(true);
  expect(host.reach()).toBe('reached');
});

test('the pause grows from 30 s to 5 minutes, and a success ends it (MAP-02)', async () => {
  const { clock, host, attempt, attempts } = aHost();
  await attempt(failed);
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    const before = attempts();
    clock.ms += seconds * 1000 - 1;
    expect(host.isDue()).toBe(false);
    expect(await attempt(failed)).toBeUndefined();
    expect(attempts()).toBe(before);
    clock.ms += 1;
    expect(host.isDue()).toBe(true);
    expect(await attempt(failed)).toEqual(failed);
  }
  clock.ms += 300_000;
  expect(await attempt(image)).toEqual(image);
  expect(host.reach()).toBe('reached');
});

test('requests do not wait for the attempt that checks whether the host is back (MAP-02)', async () => {
  const { clock, host, attempt } = aHost();
  await attempt(failed);
  clock.ms += 30_000;
  let answer: (outcome: TileFetch) => void = () => {};
  const trying = attempt(
    new Promise<TileFetch>((resolve) => {
      answer = resolve;
    }),
  );
  expect(await attempt(image)).toBeUndefined();
  answer(image);
  expect(await trying).toEqual(image);
  expect(host.reach()).toBe('reached');
});

test('a tile host that has answered is paused only after three failures in a row (MAP-02)', async () => {
  const { host, attempt } = aHost();
  await attempt(image);
  await attempt(failed);
  await attempt(failed);
  await attempt(absent); // a missing tile is an answer too
  await attempt(failed);
  await attempt(failed);
  expect(host.reach()).toBe('reached');
  await attempt(failed);
  expect(host.reach()).toBe('out-of-reach');
});

test('requests that began before the pause and fail during it do not lengthen the pause (MAP-02)', async () => {
  const { clock, host, attempt } = aHost();
  await attempt(image);
  await Promise.all(Array.from({ length: 12 }, () => attempt(failed)));
  expect(host.reach()).toBe('out-of-reach');
  clock.ms += 30_000;
  expect(host.isDue()).toBe(true);
});
