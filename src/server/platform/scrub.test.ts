import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSecretScrubber } from './scrub.ts';

const line = (msg: string) => JSON.stringify({ level: 30, time: 1_700_000_000_000, msg });
const clean = (msg: string, secrets: string[] = []) =>
  (JSON.parse(makeSecretScrubber(secrets)(line(msg))) as { msg: string }).msg;

test.each([
  ['550 <jan@klant.nl> unknown', '550 <[e-mail]> unknown'],
  ['a\njan.de-boer+x@klant.nl\tb', 'a\n[e-mail]\tb'],
  ['to "jan@klant.nl"', 'to "[e-mail]"'],
  ['/api/user/jan%40klant.nl/x', '/api/user/[e-mail]/x'],
  [
    'connect postgresql://werk:geheim@db.intern:5432/w failed',
    'connect postgresql://[…]@db.intern:5432/w failed',
  ],
  ['GET /api/machine/get?serial=A&email=jan%40klant.nl failed', 'GET /api/machine/get?[…] failed'],
  ['https://portaal.nl/reset?code=ABCD2345', 'https://portaal.nl/reset?[…]'],
  ['Why? It was there.', 'Why? It was there.'],
  ['authorization: Bearer abc.def', 'authorization: Bearer […]'],
  ['AWS4-HMAC-SHA256 Credential=AK/2026, Signature=00ff', 'AWS4-HMAC-SHA256 […]'],
  [
    'cookie: a=b; __Host-werkstroom=abc; werkstroom-device=def',
    'cookie: a=b; __Host-werkstroom=[…]; werkstroom-device=[…]',
  ],
  ['token q1w2e3r4t5y6u7i8o9p0-q1w2e3r4t5y6u7i8o9p0 was refused', 'token [secret] was refused'],
  [
    'at file:///srv/werkstroom/src/server/telemetry/document-delivery.ts:30:12',
    'at file:///srv/werkstroom/src/server/telemetry/document-delivery.ts:30:12',
  ],
  ['at /x/node_modules/@fastify/static/index.js:1:2', 'at /x/node_modules/@fastify/static/index.js:1:2'],
  ['WS_SN0012345/1_snapshot.json', 'WS_SN0012345/1_snapshot.json'],
  [
    'the-longest-name-of-a-module-that-anybody-would-choose',
    'the-longest-name-of-a-module-that-anybody-would-choose',
  ],
])('the secrets and personal data of a line are cut out: %j', (text, stays) => {
  expect(clean(text)).toBe(stays);
});

test('known secrets are replaced everywhere in a text, the longest first, and secrets of less than 6 characters are not replaced', () => {
  expect(clean('a pass"word\\1 b pass"word\\1234 kat', ['kat', 'pass"word\\1', 'pass"word\\1234'])).toBe(
    'a [secret] b [secret] kat',
  );
});

test('a scrubbed line is still one line of JSON', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '\n',
      '\\',
      '"',
      '@',
      'a@b.nl',
      '?a=b',
      'Bearer ',
      'x://y@',
      'werkstroom=',
      '0a'.repeat(20),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.string({ minLength: 6 })),
      (parts, secrets) => {
        const scrubbed = makeSecretScrubber(secrets)(`${line(parts.join(''))}`);
        expect(scrubbed.indexOf('\n')).toBe(scrubbed.length - 1);
        expect(Object.keys(JSON.parse(scrubbed))).toEqual(['level', 'time', 'msg']);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a long text is shortened to 8,192 characters at the end of a word (41.1)', () => {
  const cut = clean(`${'word '.repeat(20_000)}`);
  expect(cut).toMatch(/^(word )+\[…\] \(100000 characters\)$/);
  expect(cut.length).toBeLessThan(8_300);
  expect(clean('x'.repeat(60_000))).toBe(' […] (60000 characters)');
  // The secret begins before the limit of 8,192 characters and ends after it. No part of the secret may remain.
  expect(clean(`${'a'.repeat(8_180)} q1w2e3r4t5y6u7i8o9p0-q1w2e3r4t5y6u7i8o9p0`)).not.toContain('q1w2');
});
