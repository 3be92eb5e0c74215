import { expect, test } from 'vitest';
import { reuseUnchanged } from '#web/live/live-snapshot.ts';
import { fleetWithStates } from '#web/machines/fleet-filter.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { withFaultReasons } from './fleet-faults.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FAULTS = { count: 1, spn: 100, fmi: 1, isOldLayout: false, lamp: null };

test('active fault codes are a reason for attention of a machine that reports, listed after a move and before a low battery (42.52)', () => {
  const entries = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600, Soc1: 10 }),
    aLiveEntry('C', { GMT_UNIX: NOW / 1000, Soc1: 80 }),
  ].map((entry) => reuseUnchanged(entry, undefined));
  const fleet = fleetWithStates(entries, NOW, { seesPositions: false });
  const extended = withFaultReasons(fleet, {
    A: { power: null, faults: FAULTS },
    B: { power: null, faults: FAULTS },
    C: { power: null },
  });
  expect(extended.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['fault', 'low'],
    ['silent'],
    [],
  ]);
  expect(withFaultReasons(fleet, { C: { power: null } })).toBe(fleet);
});

test('a contradicting signal is a reason for attention, listed after the batteries’ reasons, but not for a silent machine (52.7)', () => {
  const entries = [
    aLiveEntry('A', { GMT_UNIX: NOW / 1000, Soc1: 10 }),
    aLiveEntry('B', { GMT_UNIX: NOW / 1000 - 3_600 }),
  ];
  const fleet = fleetWithStates(
    entries.map((entry) => reuseUnchanged(entry, undefined)),
    NOW,
    { seesPositions: false },
  );
  const contradiction = 'Stroom: verkeerd teken?';
  const extended = withFaultReasons(fleet, {
    A: { power: null, contradiction },
    B: { power: null, contradiction },
  });
  expect(extended[0]?.attention[1]).toEqual({ kind: 'contradiction', words: contradiction });
  expect(extended.map(({ attention }) => attention.map(({ kind }) => kind))).toEqual([
    ['low', 'contradiction'],
    ['silent'],
  ]);
});
