import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { browserStore } from '#web/test/browser-store.ts';
import { createLiveStorage, LIVE_DATA_KEY, MAX_STORED_CHARACTERS, WRITE_EVERY_MS } from './live-storage.ts';

let logged: MockInstance;
beforeEach(() => {
  logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

test('LIVE-02 the first answer is written at once, exactly as it came', () => {
  const store = browserStore();
  createLiveStorage(() => store).offer({ text: '{"A":1}', atMs: 1000 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('{"A":1}');
  expect(createLiveStorage(() => store).read()).toEqual({ text: '{"A":1}', atMs: 1000 });
});

test('LIVE-02 it is written at most every 30 s, and when the page is left', () => {
  const store = browserStore();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'first', atMs: 0 });
  storage.offer({ text: 'second', atMs: WRITE_EVERY_MS - 1 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('first');
  storage.flush();
  expect(storage.read()).toEqual({ text: 'second', atMs: WRITE_EVERY_MS - 1 });
  storage.offer({ text: 'third', atMs: 2 * WRITE_EVERY_MS });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('third');
});

test('LIVE-02 above 4,000,000 characters the copy is dropped, and logged once', () => {
  const store = browserStore();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS), atMs: 0 });
  expect(storage.isDropped()).toBe(false);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS + 1), atMs: WRITE_EVERY_MS });
  expect(storage.isDropped()).toBe(true);
  expect(store.length).toBe(0);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS + 1), atMs: 9 * WRITE_EVERY_MS });
  expect(logged).toHaveBeenCalledTimes(1);
});

test('LIVE-02 a full browser drops the copy, the old one too', () => {
  const store = browserStore(50);
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'small', atMs: 0 });
  storage.offer({ text: 'x'.repeat(60), atMs: WRITE_EVERY_MS });
  expect(storage.isDropped()).toBe(true);
  expect(store.length).toBe(0);
  expect(logged).toHaveBeenCalledTimes(1);
});

test('LIVE-02 a browser that keeps nothing for us breaks nothing', () => {
  const storage = createLiveStorage(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  storage.offer({ text: '{}', atMs: 0 });
  expect(storage.read()).toBeUndefined();
  expect(storage.isDropped()).toBe(true);
});

test('APP-07 a wipe leaves nothing, and nothing that waits is written after it', () => {
  const store = browserStore();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'theirs', atMs: 0 });
  storage.offer({ text: 'theirs too', atMs: 1 });
  storage.wipe();
  storage.flush();
  expect(store.length).toBe(0);
  storage.offer({ text: 'ours', atMs: 2 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('ours');
});

test('LIVE-02 after a wipe a smaller fleet is kept again', () => {
  const store = browserStore(50);
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'x'.repeat(60), atMs: 0 });
  storage.wipe();
  expect(storage.isDropped()).toBe(false);
  storage.offer({ text: '{}', atMs: 1 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('{}');
});

test.each(['-5', 'Infinity', 'x', ''])('LIVE-02 a stored time of %j counts as long ago', (at) => {
  const store = browserStore();
  store.setItem(LIVE_DATA_KEY, '{}');
  store.setItem('liveDataAt', at);
  expect(createLiveStorage(() => store).read()).toEqual({ text: '{}', atMs: 0 });
});
