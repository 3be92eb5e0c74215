import { expect, test } from 'vitest';
import { reuseUnchanged } from '#web/live/live-image.ts';
import { judgeFleet } from '#web/machines/fleet-filter.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { withFaults } from './fleet-faults.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FAULTS = { count: 1, spn: 100, fmi: 1, isOldLayout: false, lamp: null };

test('42.52 active fault codes are a reason to look at a machine that is heard, after it moved and before its battery', () => {
  const entries = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600, Soc1: 10 }),
    aLiveEntry('C', { GMT_UNIX: NOW / 1000, Soc1: 80 }),
  ].map((entry) => reuseUnchanged(entry, undefined));
  const fleet = judgeFleet(entries, NOW, { seesPositions: false });
  const told = withFaults(fleet, {
    A: { power: null, faults: FAULTS },
    B: { power: null, faults: FAULTS },
    C: { power: null },
  });
  expect(told.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['fault', 'low'],
    ['silent'],
    [],
  ]);
  expect(withFaults(fleet, { C: { power: null } })).toBe(fleet);
});

test('52.7 a signal that contradicts the others is a reason after those of its batteries, not for a silent machine', () => {
  const heard = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600 }),
  ];
  const fleet = judgeFleet(
    heard.map((entry) => reuseUnchanged(entry, undefined)),
    NOW,
    { seesPositions: false },
  );
  const contradiction = 'Stroom: verkeerd teken?';
  const told = withFaults(fleet, { A: { power: null, contradiction }, B: { power: null, contradiction } });
  expect(told[0]?.attention[1]).toEqual({ kind: 'contradiction', words: contradiction });
  expect(told.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['low', 'contradiction'],
    ['silent'],
  ]);
});
