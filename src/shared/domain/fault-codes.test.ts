import { describe, expect, test } from 'vitest';
import { compareBySeverity, faultCodeText, faultSourceText, faultText } from './fault-codes.ts';

describe('the texts of a fault code (42.40)', () => {
  test.each([
    [{ spn: 100, fmi: 1, isOldLayout: false }, 'SPN 100, FMI 1: waarde veel te laag (ernstig)'],
    [{ spn: 520756, fmi: 31, isOldLayout: false }, 'SPN 520756, FMI 31: toestand is aanwezig'],
    // FMI 25 has no text, because the standard reserves it.
    [{ spn: 100, fmi: 25, isOldLayout: false }, 'SPN 100, FMI 25'],
  ])('the text of the fault code %o is: %s', (code, words) => {
    expect(faultText(code)).toBe(words);
  });

  test('the text of a fault code in an older layout shows its bytes instead of an SPN', () => {
    expect(faultCodeText({ spn: 520756, fmi: 3, isOldLayout: true })).toBe(
      'SPN onbekend (bytes 34 F2 E3), FMI 3',
    );
  });

  test('the text of a fault code names the ECU by its address', () => {
    expect(faultSourceText({ bus: 1, source: 3 })).toBe('ECU 0x03 op can1');
  });
});

test('fault codes are listed with the most severe lamp first, then the newest first (42.41)', () => {
  const faults = [
    { lamp: null, since: 9 },
    { lamp: 'warning', since: 1 },
    { lamp: 'warning', since: 2 },
    { lamp: 'stop', since: 0 },
  ] as const;
  expect([...faults].sort(compareBySeverity).map(({ lamp, since }) => [lamp, since])).toEqual([
    ['stop', 0],
    ['warning', 2],
    ['warning', 1],
    [null, 9],
  ]);
});
