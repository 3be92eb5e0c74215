import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { fakeBrowserStorage } from '#web/test/browser-store.ts';
import { aUser } from '#web/test/live-example.ts';
import {
  createLiveStorage,
  LIVE_DATA_KEY,
  LIVE_DATA_OWNER_KEY,
  MAX_AGE_MS,
  MAX_STORED_CHARACTERS,
  WRITE_EVERY_MS,
} from './live-storage.ts';

let logged: MockInstance;
beforeEach(() => {
  logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

test('the first answer is written at once and unchanged (LIVE-02)', () => {
  const store = fakeBrowserStorage();
  createLiveStorage(() => store).offer({ text: '{"A":1}', atMs: 1000 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('{"A":1}');
  expect(createLiveStorage(() => store).read()).toEqual({ text: '{"A":1}', atMs: 1000 });
});

test('answers are written at most every 30 s, and when the user leaves the page (LIVE-02)', () => {
  const store = fakeBrowserStorage();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'first', atMs: 0 });
  storage.offer({ text: 'second', atMs: WRITE_EVERY_MS - 1 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('first');
  storage.flush();
  expect(storage.read()).toEqual({ text: 'second', atMs: WRITE_EVERY_MS - 1 });
  storage.offer({ text: 'third', atMs: 2 * WRITE_EVERY_MS });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('third');
});

test('live data above 4,000,000 characters are not stored, the old copy is removed, and one warning is logged (LIVE-02)', () => {
  const store = fakeBrowserStorage();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS), atMs: 0 });
  expect(storage.isDropped()).toBe(false);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS + 1), atMs: WRITE_EVERY_MS });
  expect(storage.isDropped()).toBe(true);
  expect(store.length).toBe(0);
  storage.offer({ text: 'x'.repeat(MAX_STORED_CHARACTERS + 1), atMs: 9 * WRITE_EVERY_MS });
  expect(logged).toHaveBeenCalledTimes(1);
});

test('when the browser’s storage is full, the new copy of the live data is not stored, and the old copy is removed (LIVE-02)', () => {
  const store = fakeBrowserStorage(50);
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'small', atMs: 0 });
  storage.offer({ text: 'x'.repeat(60), atMs: WRITE_EVERY_MS });
  expect(storage.isDropped()).toBe(true);
  expect(store.length).toBe(0);
  expect(logged).toHaveBeenCalledTimes(1);
});

test('a browser that refuses storage causes no error (LIVE-02)', () => {
  const storage = createLiveStorage(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  storage.offer({ text: '{}', atMs: 0 });
  expect(storage.read()).toBeUndefined();
  expect(storage.isDropped()).toBe(true);
});

test('wipe() removes the stored copy, and an answer that waits to be written is not written afterwards (APP-07)', () => {
  const store = fakeBrowserStorage();
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'theirs', atMs: 0 });
  storage.offer({ text: 'theirs too', atMs: 1 });
  storage.wipe();
  storage.flush();
  expect(store.length).toBe(0);
  storage.offer({ text: 'ours', atMs: 2 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('ours');
});

test('after a fleet was too large to store, wipe() lets a smaller fleet be stored (LIVE-02)', () => {
  const store = fakeBrowserStorage(50);
  const storage = createLiveStorage(() => store);
  storage.offer({ text: 'x'.repeat(60), atMs: 0 });
  storage.wipe();
  expect(storage.isDropped()).toBe(false);
  storage.offer({ text: '{}', atMs: 1 });
  expect(store.getItem(LIVE_DATA_KEY)).toBe('{}');
});

test.each(['-5', 'Infinity', 'x', ''])(
  'a copy with the invalid stored time %j counts as very old (LIVE-02)',
  (at) => {
    const store = fakeBrowserStorage();
    store.setItem(LIVE_DATA_KEY, '{}');
    store.setItem('liveDataAt', at);
    expect(createLiveStorage(() => store).read()).toEqual({ text: '{}', atMs: 0 });
  },
);

const ANNA = aUser('anna@klant.nl');
const BRAM = aUser('bram@klant.nl');
const AT = 1_800_000_000_000;

/** A browser whose storage holds Anna's live data, received at the time AT. */
function annasBrowser(): Storage {
  const store = fakeBrowserStorage();
  const storage = createLiveStorage(() => store);
  storage.setOwner(ANNA);
  storage.offer({ text: '{"A":1}', atMs: AT });
  return store;
}

test.each([
  ['the same moment', 0, ANNA],
  ['12 hours later', MAX_AGE_MS, ANNA],
  ['more than 12 hours later', MAX_AGE_MS + 1, undefined],
  ['after the clock was put back less than 10 minutes', -599_999, ANNA],
  ['after the clock was put back 10 minutes', -600_000, undefined],
])(
  'the owner of a stored copy is returned only while the copy may be shown: %s (15.8a)',
  (_, later, whose) => {
    const store = annasBrowser();
    expect(createLiveStorage(() => store).freshOwner(AT + later)).toEqual(whose);
  },
);

test('an account gets its own stored copy, and another account that signs in removes it (15.8b)', () => {
  const store = annasBrowser();
  const storage = createLiveStorage(() => store);
  storage.setOwner(ANNA);
  expect(storage.read()).toEqual({ text: '{"A":1}', atMs: AT });
  storage.setOwner(BRAM);
  expect([storage.read(), storage.freshOwner(AT), store.length]).toEqual([undefined, undefined, 0]);
});

test('a new account is not shown the copy that another tab wrote for the former account after the sign-in (15.8b)', () => {
  const store = annasBrowser();
  const annas = createLiveStorage(() => store);
  annas.setOwner(ANNA);
  createLiveStorage(() => store).setOwner(BRAM);
  annas.offer({ text: '{"A":2}', atMs: AT + 60_000 });
  const brams = createLiveStorage(() => store);
  expect(brams.freshOwner(AT + 60_000)?.email).toBe(ANNA.email);
  brams.setOwner(BRAM);
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
])('a copy is ignored when its owner is %s (15.8c)', (_, owner) => {
  const store = annasBrowser();
  if (owner === undefined) store.removeItem(LIVE_DATA_OWNER_KEY);
  else store.setItem(LIVE_DATA_OWNER_KEY, owner);
  const storage = createLiveStorage(() => store);
  expect(storage.freshOwner(AT)).toBeUndefined();
  storage.setOwner(ANNA);
  expect(storage.read()).toBeUndefined();
});
