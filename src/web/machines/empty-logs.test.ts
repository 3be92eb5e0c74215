import { expect, test } from 'vitest';
import { reuseUnchanged } from '#web/live/live-snapshot.ts';
import { fleetWithStates } from '#web/machines/fleet-filter.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { addEmptyLogReasons } from './empty-logs.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);

test('a logger whose log files have no readings is a reason for attention, for a silent machine too (52.2)', () => {
  const entries = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600, Soc1: 80 }),
    aLiveEntry('C', { GMT_UNIX: NOW / 1000, Soc1: 80 }),
  ].map((entry) => reuseUnchanged(entry, undefined));
  const fleet = fleetWithStates(entries, NOW, { seesPositions: false });
  const words = 'laatste 10 logbestanden zonder metingen';
  const extended = addEmptyLogReasons(fleet, [
    { serialNumber: 'A', words },
    { serialNumber: 'B', words },
  ]);
  expect(extended.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['low', 'logs-empty'],
    ['silent', 'logs-empty'],
    [],
  ]);
  expect([addEmptyLogReasons(fleet, []), addEmptyLogReasons(fleet, undefined)]).toEqual([fleet, fleet]);
});
