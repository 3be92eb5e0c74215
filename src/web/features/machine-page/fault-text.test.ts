import { expect, test } from 'vitest';
import { faultTimeText, occurrencesText } from './fault-text.ts';

const since = '2026-11-28T08:00:00Z';
const lastSeen = '2026-11-28T13:05:00Z';

test('the text of an active fault has its start and the time last seen, that of a resolved fault its start and end (42.53)', () => {
  expect(faultTimeText({ since, lastSeen, over: null })).toBe(
    'Actief sinds 28-11-26, 09:00, laatst gezien 28-11-26, 14:05',
  );
  expect(faultTimeText({ since, lastSeen, over: '2026-11-28T13:06:00Z' })).toBe(
    'Van 28-11-26, 09:00 tot 28-11-26, 14:06',
  );
  expect(faultTimeText({ since, lastSeen: since, over: '2026-11-28T08:00:59Z' })).toBe(
    'Even actief, 28-11-26, 09:00',
  );
});

test('a fault of an ECU that does not count shows no number of occurrences (42.53)', () => {
  expect(occurrencesText({ occurrences: 3 })).toBe('3 keer opgetreden volgens de ECU');
  expect(occurrencesText({ occurrences: null })).toBeUndefined();
});
