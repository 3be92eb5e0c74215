import { expect, test } from 'vitest';
import { isReservedOrganizationName } from './organization-name.ts';

test.each<[string, string, boolean]>([
  ['itself', 'admin', true],
  ['capitals', 'ADmin', true],
  ['blanks around it', '  admin\n', true],
  ['blanks inside', 'a d m i n', true],
  ['no-break space', 'ad\u00a0min', true],
  ['signs', '"ad-min".', true],
  ['zero width space', 'ad\u200bmin', true],
  ['right-to-left mark', '\u202eadmin', true],
  ['soft hyphen', 'ad\u00admin', true],
  ['Cyrillic а', '\u0430dmin', true],
  ['all Cyrillic and Armenian', '\u0430\u0501\u043c\u0456\u0578', true],
  ['Greek capitals', '\u0391d\u039c\u0399\u039d', true],
  ['full width', '\uff41\uff44\uff4d\uff49\uff4e', true],
  ['mathematical bold', '\u{1d41a}\u{1d41d}\u{1d426}\u{1d422}\u{1d427}', true],
  ['circled', 'ⓐⓓⓜⓘⓝ', true],
  ['small capitals', 'ᴀᴅᴍɪɴ', true],
  ['Cherokee capitals', 'ᎪᎠᎷᎥn', true],
  ['accents', 'ädmïn', true],
  ['dotted capital I', 'ADMİN', true],
  ['dotless i', 'admın', true],
  ['digits', '4dm1n', true],
  ['l for i', 'admln', true],
  ['bar for i', 'adm|n', true],
  ['rn for m', 'adrnin', true],
  ['empty', '', false],
  ['a company', 'bouwbedrijf-jansen', false],
  ['administratie', 'administratie', false],
  ['admin with more', 'admin2', false],
  ['badmin', 'badmin', false],
])('an organization name is reserved, or not: %s (API-02)', (_name, name, expected) => {
  expect(isReservedOrganizationName(name)).toBe(expected);
});
