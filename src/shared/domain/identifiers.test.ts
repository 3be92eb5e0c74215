import { expect, test } from 'vitest';
import {
  checkAlias,
  checkIdentifier,
  checkLoggerSerial,
  checkMacAddress,
  kindOfLogger,
} from './identifiers.ts';

test.each<[string, string | undefined]>([
  ['2F6913DB', '2F6913DB'],
  [' 2f6913db ', '2F6913DB'],
  ['12345678', '12345678'],
  ['2F6913D', undefined],
  ['2F6913DB0', undefined],
  ['2F6913DG', undefined],
  ['0002471', undefined],
])('the device id %j of a CANedge is %s (43.6)', (text, value) => {
  const reason = 'Device ID moet uit 8 hexadecimale cijfers bestaan (0-9 en A-F).';
  expect(checkLoggerSerial(text, 'canedge')).toEqual(
    value === undefined ? { ok: false, reason } : { ok: true, value },
  );
});

test('the kind of a logger follows from the form of its serial number (43.6)', () => {
  expect(['0002471', '2F6913DB', '12345678'].map(kindOfLogger)).toEqual(['rexgen', 'canedge', 'canedge']);
});

test.each<[string, string]>([
  ['VTG-0012.a_3', 'VTG-0012.a_3'],
  ['  Graver 7 ', 'Graver 7'],
  ['0', '0'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['Één', 'Één'],
  ['E\u0301e\u0301n', 'Één'], // decomposed accents
  ['\uff21\uff11', 'A1'], // full width
  ['a\u00a0b', 'a b'], // no-break space
  ['.a', '.a'],
  ['nieuw1', 'nieuw1'],
])('identifier %j is stored as %j (API-03)', (text, value) => {
  expect(checkIdentifier(text, 'Naam')).toEqual({ ok: true, value });
});

test.each<[string, string]>([
  ['', 'Naam ontbreekt.'],
  ['  ', 'Naam ontbreekt.'],
  ['x'.repeat(65), 'Naam mag hoogstens 64 tekens lang zijn.'],
  ['a/b', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'],
  ['a\tb', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'],
  ['a\u200bb', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'],
  ['\u0430bc', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'], // Cyrillic а
  ['x\u0302', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'], // an accent without a precomposed letter
  ['a?b', 'Naam mag alleen letters, cijfers, spaties, punten, _ en - bevatten.'],
  ['.', 'Naam mag niet alleen uit punten bestaan.'],
  ['..', 'Naam mag niet alleen uit punten bestaan.'],
  ['\u2026', 'Naam mag niet alleen uit punten bestaan.'], // NFKC turns an ellipsis into three dots
  ['nieuw', "Naam mag niet 'nieuw' zijn."],
  ['Edit', "Naam mag niet 'Edit' zijn."],
  ['handleiding', "Naam mag niet 'handleiding' zijn."],
  ['__proto__', "Naam mag niet '__proto__' zijn."],
])('identifier %j is refused: %s (API-03)', (text, reason) => {
  expect(checkIdentifier(text, 'Naam')).toEqual({ ok: false, reason });
});

test.each<[string, string | undefined]>([
  ['0002471', '0002471'],
  [' 0002471 ', '0002471'],
  ['002471', undefined],
  ['00024710', undefined],
  ['000247a', undefined],
  ['٠٠٠٢٤٧١', undefined],
  ['', undefined],
])('the logger serial %j is read as %s (API-03)', (text, value) => {
  const expected =
    value === undefined
      ? { ok: false, reason: 'Influx serienummer moet uit 7 cijfers bestaan.' }
      : { ok: true, value };
  expect(checkLoggerSerial(text)).toEqual(expected);
});

test.each<[string, string]>([
  ['aabbccddeeff', 'AA:BB:CC:DD:EE:FF'],
  ['aa-bb-cc-dd-ee-0f', 'AA:BB:CC:DD:EE:0F'],
  [' AABB.CCDD.EE01 ', 'AA:BB:CC:DD:EE:01'],
  ['AA BB CC DD EE 02', 'AA:BB:CC:DD:EE:02'],
  ['000 00 AS0 A0000', '000 00 AS0 A0000'],
  ['aabbccddeef', 'aabbccddeef'],
  ['x', 'x'],
  ['x'.repeat(40), 'x'.repeat(40)],
])('MAC address %j is stored as %j (API-03)', (text, value) => {
  expect(checkMacAddress(text)).toEqual({ ok: true, value });
});

test.each<[string, string]>([
  ['  ', 'MAC-adres ontbreekt.'],
  ['x'.repeat(41), 'MAC-adres mag hoogstens 40 tekens lang zijn.'],
  ['a\u0000b', 'MAC-adres bevat een onleesbaar teken.'],
])('MAC address %j is refused: %s (API-03)', (text, reason) => {
  expect(checkMacAddress(text)).toEqual({ ok: false, reason });
});

test.each<[string, string]>([
  ['Kraan (2)', 'Kraan (2)'],
  ['Graver 2,5T', 'Graver 2,5T'],
  ["d'n Dikke", "d'n Dikke"],
  ['Zand & Grind', 'Zand & Grind'],
  ['Kraan 1/2 + bak #3', 'Kraan 1/2 + bak #3'],
  ['"Reus" – 20 °', '"Reus" – 20 °'],
  ['=1+1', '=1+1'],
  [' Één\u00a0× ', 'Één ×'],
  ['\uff08\uff12\uff09', '(2)'], // full width
])('the name %j is stored as %j (52.9)', (text, value) =>
  expect(checkAlias(text, 'Naam')).toEqual({ ok: true, value }),
);

const SIGNS = /^Naam mag alleen letters, cijfers, spaties en de tekens /;
test.each<[string, RegExp]>([
  ['', /ontbreekt/],
  ['x'.repeat(65), /64 tekens/],
  ['a<b', SIGNS],
  ['a\\b', SIGNS],
  ['a?b', SIGNS],
  ['100%', SIGNS],
  ['a\tb', SIGNS],
  ['a\r\nBcc: x', SIGNS],
  ['a\u200bb', SIGNS],
  ['\u202eneeb', SIGNS],
  ['\u0430bc', SIGNS], // Cyrillic а
  ['Kraan 🚜', SIGNS],
  ['...', /punten/],
  ['/', /een letter of een cijfer/],
  ['(#)', /een letter of een cijfer/],
  ['Nieuw', /'Nieuw'/],
])('the name %j is refused (52.9)', (text, reason) =>
  expect(checkAlias(text, 'Naam')).toEqual({ ok: false, reason: expect.stringMatching(reason) }),
);
