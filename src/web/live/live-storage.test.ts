import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { browserStore } from '#web/test/browser-store.ts';
import { aUser } from '#web/test/live-example.ts';
import {
  createLiveStorage,
  LIVE_DATA_KEY,
  LIVE_DATA_OF_KEY,
  MAX_STORED_CHARACTERS,
  SHOWN_FOR_MS,
  WRITE_EVERY_MS,
} from './live-storage.ts';

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

const ANNA = aUser('anna@klant.nl');
const BRAM = aUser('bram@klant.nl');
const AT = 1_800_000_000_000;

/** A browser in which Anna looked at her machines at AT. */
function annasBrowser(): Storage {
  const store = browserStore();
  const storage = createLiveStorage(() => store);
  storage.keepFor(ANNA);
  storage.offer({ text: '{"A":1}', atMs: AT });
  return store;
}

test.each([
  ['the same moment', 0, ANNA],
  ['12 hours later', SHOWN_FOR_MS, ANNA],
  ['later than that', SHOWN_FOR_MS + 1, undefined],
  ['with a clock that was put back a little', -599_999, ANNA],
  ['with one of another day', -600_000, undefined],
])('15.8a a page that cannot reach the portal shows what its account last saw: %s', (_, later, whose) => {
  const store = annasBrowser();
  expect(createLiveStorage(() => store).keptFor(AT + later)).toEqual(whose);
});

test('15.8b who signs in on the same browser gets nothing of who was there, and who comes back gets their own', () => {
  const store = annasBrowser();
  const storage = createLiveStorage(() => store);
  storage.keepFor(ANNA);
  expect(storage.read()).toEqual({ text: '{"A":1}', atMs: AT });
  storage.keepFor(BRAM);
  expect([storage.read(), storage.keptFor(AT), store.length]).toEqual([undefined, undefined, 0]);
});

test('15.8b a tab that still writes for who was there makes nothing that another account is shown', () => {
  const store = annasBrowser();
  const annas = createLiveStorage(() => store);
  annas.keepFor(ANNA);
  createLiveStorage(() => store).keepFor(BRAM);
  annas.offer({ text: '{"A":2}', atMs: AT + 60_000 });
  const brams = createLiveStorage(() => store);
  expect(brams.keptFor(AT + 60_000)?.email).toBe(ANNA.email);
  brams.keepFor(BRAM);
  expect(brams.read()).toBeUndefined();
});

test.each([
  ['nothing', undefined],
  ['no JSON', '{"email":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a name only', '{"email":"anna@klant.nl"}'],
  ['no role of ours', JSON.stringify({ ...ANNA, role: 'koning' })],
  ['a flag that is a word', JSON.stringify({ ...ANNA, isLmbCustomer: 'ja' })],
  ['a name that is a number', JSON.stringify({ ...ANNA, name: 7 })],
])('15.8c a copy is ignored when its owner is %s', (_, owner) => {
  const store = annasBrowser();
  if (owner === undefined) store.removeItem(LIVE_DATA_OF_KEY);
  else store.setItem(LIVE_DATA_OF_KEY, owner);
  const storage = createLiveStorage(() => store);
  expect(storage.keptFor(AT)).toBeUndefined();
  storage.keepFor(ANNA);
  expect(storage.read()).toBeUndefined();
});
