import { expect, test } from 'vitest';
import { browserStore } from '#web/test/browser-store.ts';
import { mayReload, ONCE_PER_MS } from './reload-when-back.ts';

const AT = 1_800_000_000_000;

test('15.8f a page whose chunk fails again and again loads itself once a minute, not more', () => {
  const store = browserStore();
  const tries = [0, 5_000, ONCE_PER_MS - 1, ONCE_PER_MS, ONCE_PER_MS + 1];
  expect(tries.map((later) => mayReload(() => store, AT + later))).toEqual([true, false, false, true, false]);
});

test.each(['', 'x', '-1', 'Infinity'])('15.8f what else stands in the store is ignored: %j', (text) => {
  const store = browserStore();
  store.setItem('reloadedAt', text);
  expect(mayReload(() => store, AT)).toBe(true);
});

test('15.8f where the browser keeps nothing for us, it never does', () => {
  const denied = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  expect(mayReload(denied, AT)).toBe(false);
  expect(mayReload(() => browserStore(0), AT)).toBe(false);
});
