import { expect, test } from 'vitest';
import { aFleetEntry } from '#web/test/live-example.ts';
import { machineTimeLeft } from './machine-facts.ts';

/** 12:00 in Amsterdam. */
const NOW_MS = Date.UTC(2026, 3, 12, 10);
function entry(change: Record<string, number> = {}) {
  const seen = aFleetEntry('EX-1', { GMT_UNIX: NOW_MS / 1000, Soc1: 50, ...change });
  return { ...seen, metadata: { ...seen.metadata, batteries: [{ capacity: 100 }] } };
}
const CHARGES = { IsCharging1: 1, ChargingCurrent: 50, ChargingVoltage: 400 };

test('the popup shows how much longer a machine can work, and until when its charge lasts (53.22)', () => {
  const enough = { until: '2026-04-12T14:42:00.000Z' };
  expect(machineTimeLeft(entry(), { power: 10, enough }, NOW_MS)).toEqual({
    label: 'Resterende werktijd',
    value: '4 u 0 min',
    more: 'genoeg tot ca. 16:40',
  });
});

test('the popup shows how long until a charging machine is full, by the forecast if there is one (53.22)', () => {
  const forecast = { from: '2026-04-12T11:00:00.000Z', to: '2026-04-12T12:00:00.000Z' };
  expect(machineTimeLeft(entry(CHARGES), { power: 10, forecast }, NOW_MS)).toEqual({
    label: 'Resterende laadtijd',
    value: '1 u 30 min',
    more: 'vol ca. 13:00 tot 14:00',
  });
  expect(machineTimeLeft(entry(CHARGES), undefined, NOW_MS)).toMatchObject({
    value: expect.stringMatching(/^1 u|^2 u/),
    more: 'vol ca. 14:00',
  });
});

test.each([
  ['a silent machine', entry({ GMT_UNIX: NOW_MS / 1000 - 3600 }), { power: 10 }, 'gegevens te oud'],
  ['a machine without loaded figures', entry(), undefined, 'nog niet geladen'],
  ['a machine of unknown power', entry(), { power: null }, 'zondag niet bekend'],
])('the popup explains why the remaining time is unknown: %s (53.22)', (_, seen, figure, more) => {
  expect(machineTimeLeft(seen, figure, NOW_MS)).toMatchObject({ value: '--', more });
});
