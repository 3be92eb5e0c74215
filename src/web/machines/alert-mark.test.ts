import { expect, test } from 'vitest';
import { alertTimeText } from './alert-mark.tsx';

const NOW = Date.parse('2026-11-21T14:00:00Z');

test.each([
  ['low', '2026-11-21T13:05:00Z', null, 'sinds 14:05'],
  ['low', '2026-11-19T13:05:00Z', null, 'sinds 19-11-26, 14:05'],
  ['low', '2026-11-21T13:05:00Z', '2026-11-21T13:30:00Z', 'van 14:05 tot 14:30'],
  ['maintenance', '2026-11-21T13:05:00Z', null, 'gemeld 14:05'],
  ['moved', '2026-11-21T02:05:00Z', null, 'om 03:05'],
  ['speeding', '2026-11-21T13:05:10Z', '2026-11-21T13:05:40Z', 'om 14:05'],
  ['speeding', '2026-11-21T13:05:10Z', '2026-11-21T13:08:40Z', 'van 14:05 tot 14:08'],
] as const)(
  'the time of an alert of kind %s since %s until %s is shown as %s (16.8b)',
  (kind, since, until, expected) => {
    expect(alertTimeText({ kind, since, until }, NOW)).toBe(expected);
  },
);
