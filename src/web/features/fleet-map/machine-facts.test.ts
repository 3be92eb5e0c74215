import { expect, test } from 'vitest';
import { aSeenEntry } from '#web/test/live-example.ts';
import { timeLeft } from './machine-facts.ts';

/** 12:00 in Amsterdam. */
const NOW_MS = Date.UTC(2026, 3, 12, 10);
function entry(change: Record<string, number> = {}) {
  const seen = aSeenEntry('EX-1', { GMT_UNIX: NOW_MS / 1000, Soc1: 50, ...change });
  return { ...seen, metadata: { ...seen.metadata, batteries: [{ capacity: 100 }] } };
}
const CHARGES = { IsCharging1: 1, ChargingCurrent: 50, ChargingVoltage: 400 };

test('a machine that works says how long it works on and until when (53.22)', () => {
  const enough = { until: '2026-04-12T14:42:00.000Z' };
  expect(timeLeft(entry(), { power: 10, enough }, NOW_MS)).toEqual({
    label: 'Resterende werktijd',
    value: '4 u 0 min',
    more: 'genoeg tot ca. 16:40',
  });
});

test('a machine that charges says how long it charges, by the forecast where there is one (53.22)', () => {
  const forecast = { from: '2026-04-12T11:00:00.000Z', to: '2026-04-12T12:00:00.000Z' };
  expect(timeLeft(entry(CHARGES), { power: 10, forecast }, NOW_MS)).toEqual({
    label: 'Resterende laadtijd',
    value: '1 u 30 min',
    more: 'vol ca. 13:00 tot 14:00',
  });
  expect(timeLeft(entry(CHARGES), undefined, NOW_MS)).toMatchObject({
    value: expect.stringMatching(/^1 u|^2 u/),
    more: 'vol ca. 14:00',
  });
});

test.each([
  ['of a silent machine', entry({ GMT_UNIX: NOW_MS / 1000 - 3600 }), { power: 10 }, 'gegevens te oud'],
  ['without figures', entry(), undefined, 'nog niet geladen'],
  ['without a known power', entry(), { power: null }, 'zondag niet bekend'],
])('says why no time is left to tell: %s (53.22)', (_, seen, figure, more) => {
  expect(timeLeft(seen, figure, NOW_MS)).toMatchObject({ value: '--', more });
});
