import { expect, test } from 'vitest';
import { fakeBrowserStorage } from '#web/test/browser-store.ts';
import { claimReload, MIN_RELOAD_INTERVAL_MS } from './reload-when-back.ts';

const AT = 1_800_000_000_000;

test('a page whose chunk keeps failing reloads at most once a minute (15.8f)', () => {
  const store = fakeBrowserStorage();
  const tries = [0, 5_000, MIN_RELOAD_INTERVAL_MS - 1, MIN_RELOAD_INTERVAL_MS, MIN_RELOAD_INTERVAL_MS + 1];
  expect(tries.map((later) => claimReload(() => store, AT + later))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});

test.each(['', 'x', '-1', 'Infinity'])('an invalid stored time %j permits a reload (15.8f)', (text) => {
  const store = fakeBrowserStorage();
  store.setItem('reloadedAt', text);
  expect(claimReload(() => store, AT)).toBe(true);
});

test('a page never reloads by itself when the browser refuses to store the time of the reload (15.8f)', () => {
  const denied = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  expect(claimReload(denied, AT)).toBe(false);
  expect(claimReload(() => fakeBrowserStorage(0), AT)).toBe(false);
});
