import { expect, test } from 'vitest';
import { newTotpSecret, totpTimeStep, totpUri } from './totp.ts';

// RFC 6238, appendix B, with SHA-1: the secret is the ASCII text '12345678901234567890'; the codes are the last six of eight digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('a code of RFC 6238 belongs to the step of its time, %d s (13.4a)', (second, code) => {
  expect(totpTimeStep(SECRET, code, second * 1000)).toBe(Math.floor(second / 30));
});

test.each([
  [-31, undefined],
  [-30, 1],
  [0, 1],
  [30, 1],
  [59, 1],
  [60, undefined],
])('a code is accepted up to one step before or after its own, here %d s (13.4a)', (off, step) => {
  // Step 1 lasts from 30 to 59 s.
  expect(totpTimeStep(SECRET, '287082', (30 + off) * 1000)).toBe(step);
});

test.each(['', '28708', '2870820', 'abcdef', '２８７０８２', '000000'])(
  'the text %j is no valid code (13.4a)',
  (code) => {
    expect(totpTimeStep(SECRET, code, 59_000)).toBeUndefined();
  },
);

test('a new TOTP secret has 160 bits, and its otpauth address names the account (13.4a)', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  const address = new URL(totpUri(secret, 'Anna+1@klant.nl'));
  expect(decodeURIComponent(address.pathname)).toContain('Werkstroom:Anna+1@klant.nl');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'Werkstroom',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
