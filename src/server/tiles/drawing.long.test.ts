import { expect, test } from 'vitest';
import { createBuiltInMap } from './built-in.ts';
import { createMapThread } from './drawing.ts';
import { LIGHT } from './palette.ts';

/** Returns the longest time in ms that the event loop was blocked during `work`. */
async function worstBlock(work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(timer);
  return worst;
}

const screens = (z: number, x: number, y: number) =>
  Array.from({ length: 200 }, (_, n) => ({ z, x: x + (n % 20), y: y + Math.floor(n / 20) }));

test('drawing many new tiles and reading the outline do not block the event loop (MAP-02, INGEST-03)', async () => {
  const thread = createMapThread();
  const block = await worstBlock(() =>
    Promise.all(screens(9, 255, 160).map((tile) => thread.render(tile, LIGHT))),
  );
  const here = createBuiltInMap();
  const drawnHere = await worstBlock(() =>
    Promise.all(screens(9, 255, 160).map((tile) => here.render(tile, LIGHT))),
  );
  // The limit is 50 ms or, on a busy computer, a third of the time that this thread needs for the same drawing.
  expect(block).toBeLessThan(Math.max(50, drawnHere / 3));
});

test('the worker thread draws the same tile as the main thread (MAP-02)', async () => {
  const tile = { z: 7, x: 65, y: 42 };
  expect(await createMapThread().render(tile, LIGHT)).toEqual(await createBuiltInMap().render(tile, LIGHT));
});

test('a tile that cannot be drawn fails alone, and the next one is drawn (MAP-02)', async () => {
  const thread = createMapThread();
  const bad = thread.render({ z: 5, x: Number.NaN, y: 0 }, { ...LIGHT, water: '"<' });
  const good = thread.render({ z: 5, x: 16, y: 10 }, LIGHT);
  await expect(bad).rejects.toThrow();
  expect((await good).subarray(1, 4).toString()).toBe('PNG');
});
