import { expect, test } from 'vitest';
import { faultTimeInWords, occurrencesInWords } from './fault-words.ts';

const since = '2026-11-28T08:00:00Z';
const lastSeen = '2026-11-28T13:05:00Z';

test('42.53 a fault that is active says since when and when it was seen last, another one from when to when', () => {
  expect(faultTimeInWords({ since, lastSeen, over: null })).toBe(
    'Actief sinds 28-11-26, 09:00, laatst gezien 28-11-26, 14:05',
  );
  expect(faultTimeInWords({ since, lastSeen, over: '2026-11-28T13:06:00Z' })).toBe(
    'Van 28-11-26, 09:00 tot 28-11-26, 14:06',
  );
  expect(faultTimeInWords({ since, lastSeen: since, over: '2026-11-28T08:00:59Z' })).toBe(
    'Even actief, 28-11-26, 09:00',
  );
});

test('42.53 an ECU that does not count occurrences is not said to', () => {
  expect(occurrencesInWords({ occurrences: 3 })).toBe('3 keer opgetreden volgens de ECU');
  expect(occurrencesInWords({ occurrences: null })).toBeUndefined();
});
