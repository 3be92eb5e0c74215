import { expect, test } from 'vitest';
import { reuseUnchanged } from '#web/live/live-image.ts';
import { judgeFleet } from '#web/machines/fleet-filter.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { withEmptyLogs } from './empty-logs.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);

test('52.2 a logger whose log files give nothing is a reason to look at a machine, silent or not', () => {
  const entries = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600, Soc1: 80 }),
    aLiveEntry('C', { GMT_UNIX: NOW / 1000, Soc1: 80 }),
  ].map((entry) => reuseUnchanged(entry, undefined));
  const fleet = judgeFleet(entries, NOW, { seesPositions: false });
  const words = 'laatste 10 logbestanden zonder metingen';
  const told = withEmptyLogs(fleet, [
    { serialNumber: 'A', words },
    { serialNumber: 'B', words },
  ]);
  expect(told.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['low', 'logs-empty'],
    ['silent', 'logs-empty'],
    [],
  ]);
  expect([withEmptyLogs(fleet, []), withEmptyLogs(fleet, undefined)]).toEqual([fleet, fleet]);
});
