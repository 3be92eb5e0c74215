import { expect, test } from 'vitest';
import { type PushNotice, pushPayload, readPushPayload } from './push-notice.ts';

const NOTICE: PushNotice = {
  id: '17-open',
  title: 'Accu laag',
  body: 'Kraan 1 heeft nog 12 %.',
  path: '/machine/K-1',
  tag: 'alert-17',
  urgent: false,
};
/** Returns the number of bytes of a text in UTF-8. */
const bytes = (text: string) =>
  [...text].reduce((sum, sign) => {
    const point = sign.codePointAt(0) ?? 0;
    return sum + (point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4);
  }, 0);

test('a short push notification is sent unchanged (16.5a)', () => {
  expect(readPushPayload(pushPayload(NOTICE))).toEqual(NOTICE);
});

test.each([
  ['words', 'Kraan 1 staat stil. '.repeat(400)],
  ['words of three bytes a letter', '€€€ €€ €€€€ '.repeat(400)],
  ['characters of two', '😀 😀😀 '.repeat(900)],
  ['what JSON writes longer', '"\\" \n '.repeat(900)],
  ['one word', 'x'.repeat(9_000)],
])('a notification that is too long with %s is cut at a word, to less than 3 kB (16.5a)', (_, body) => {
  const text = pushPayload({ ...NOTICE, body });
  expect(bytes(text)).toBeLessThanOrEqual(3_000);
  expect(bytes(text)).toBeGreaterThan(2_000);
  const read = readPushPayload(text)?.body ?? '';
  expect(read.endsWith('…')).toBe(true);
  const kept = read.slice(0, -1);
  expect(body.startsWith(kept)).toBe(true);
  if (/\s/.test(body)) expect(body.slice(kept.length)).toMatch(/^\s/);
  expect(read.isWellFormed()).toBe(true);
});

test('a title that is too long is cut after a whole word (16.5a)', () => {
  const read = readPushPayload(
    pushPayload({ ...NOTICE, title: 'Niet vol bij begin van de dienst '.repeat(9) }),
  );
  expect(read?.title).toMatch(/^Niet vol .* (Niet|vol|bij|begin|van|de|dienst)…$/);
  expect(read?.title.length).toBeLessThanOrEqual(120);
});

test.each([
  '',
  'hallo',
  'null',
  '[]',
  '3',
  '{}',
  JSON.stringify({ ...NOTICE, title: '' }),
  JSON.stringify({ ...NOTICE, title: 3 }),
  JSON.stringify({ ...NOTICE, urgent: 'ja' }),
  JSON.stringify({ ...NOTICE, path: undefined }),
])('readPushPayload refuses %s (16.5a)', (text) => {
  expect(readPushPayload(text)).toBeUndefined();
});
