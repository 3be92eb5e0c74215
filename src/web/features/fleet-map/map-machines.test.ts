import { describe, expect, test } from 'vitest';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { aFleetEntry } from '#web/test/live-example.ts';
import { attentionOnMap, machinesOnMap, serialsWithoutPosition } from './map-machines.ts';

const NOW_MS = Date.UTC(2025, 3, 12, 10);
const NOW_UNIX = NOW_MS / 1000;

function entry(serialNumber: string, liveData: Record<string, number>, alias?: string): FleetEntry {
  const seen = aFleetEntry(serialNumber, { GMT_UNIX: NOW_UNIX, ...liveData });
  return { ...seen, metadata: { ...seen.metadata, alias: alias ?? seen.metadata.alias } };
}

describe('machinesOnMap', () => {
  test('gives a machine on the map its position, status and staleness (MAP-04, LIVE-05, LIVE-07)', () => {
    const fleet = [
      entry('1', { MotorSpeed: 800 }),
      entry('2', { IsCharging1: 1, ChargingCurrent: 40, GMT_UNIX: NOW_UNIX - 601 }),
    ];
    expect(machinesOnMap(fleet, NOW_MS)).toEqual([
      {
        id: '1',
        alias: 'Graver 1',
        lat: 52.1,
        lon: 5.2,
        status: 'running',
        stale: false,
        percent: 80,
        isLow: false,
        attention: undefined,
      },
      {
        id: '2',
        alias: 'Graver 2',
        lat: 52.1,
        lon: 5.2,
        status: 'charging',
        stale: true,
        percent: 80,
        isLow: false,
        attention: undefined,
      },
    ]);
  });

  test.each<[string, Record<string, number>, { percent: number | undefined; isLow: boolean }]>([
    ['the mean of its batteries', { Soc1: 60, Soc2: 41 }, { percent: 51, isLow: false }],
    ['low when one battery is', { Soc1: 60, Soc2: 19.9 }, { percent: 40, isLow: true }],
    [
      'not low while it charges',
      { Soc1: 5, IsCharging1: 1, ChargingCurrent: 40 },
      { percent: 5, isLow: false },
    ],
    ['not low when the reading is old', { Soc1: 5, GMT_UNIX: NOW_UNIX - 601 }, { percent: 5, isLow: false }],
    ['unknown', { Soc1: Number.NaN }, { percent: undefined, isLow: false }],
  ])('gives a machine on the map its charge: %s (15.3c)', (_, change, expected) => {
    expect(machinesOnMap([entry('1', change)], NOW_MS)[0]).toMatchObject(expected);
  });

  test('leaves out a machine without latitude or longitude (LIVE-06)', () => {
    const fleet = [entry('1', { LATITUDE: 0 }), entry('2', { LONGITUDE: 0 }), entry('3', {})];
    expect(machinesOnMap(fleet, NOW_MS).map(({ id }) => id)).toEqual(['3']);
  });

  test('returns the same list object when a new reading changes nothing on the map (MAP-07, MAP-13)', () => {
    const before = machinesOnMap([entry('1', { Soc1: 49.4 }), entry('2', {})], NOW_MS);
    const after = machinesOnMap(
      [entry('1', { Soc1: 49, GMT_UNIX: NOW_UNIX + 5 }), entry('2', { GMT_UNIX: NOW_UNIX + 5 })],
      NOW_MS + 5000,
      before,
    );
    expect(after).toBe(before);
  });

  test.each<[string, Record<string, number>, string]>([
    ['its place', { LATITUDE: 52.2 }, 'Graver 2'],
    ['its status', { MotorSpeed: 151 }, 'Graver 2'],
    ['its staleness', { GMT_UNIX: NOW_UNIX - 601 }, 'Graver 2'],
    ['its alias', {}, 'Rups'],
    ['its charge', { Soc1: 79 }, 'Graver 2'],
  ])('replaces only the machine that changes %s (MAP-07, MAP-13)', (_, change, alias) => {
    const before = machinesOnMap([entry('1', {}), entry('2', {})], NOW_MS);
    const after = machinesOnMap([entry('1', {}), entry('2', change, alias)], NOW_MS, before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[1]).toMatchObject({ id: '2', alias });
  });

  test('returns a new object only for the machine that becomes stale with time (LIVE-07, MAP-13)', () => {
    const fleet = [entry('1', { GMT_UNIX: NOW_UNIX - 595 }), entry('2', {})];
    const before = machinesOnMap(fleet, NOW_MS);
    const after = machinesOnMap(fleet, NOW_MS + 10_000, before);
    expect(after.map(({ stale }) => stale)).toEqual([true, false]);
    expect(after[1]).toBe(before[1]);
    expect(machinesOnMap(fleet, NOW_MS + 20_000, after)).toBe(after);
  });

  test('returns a new list when a machine is added or removed (MAP-07)', () => {
    const before = machinesOnMap([entry('1', {}), entry('2', {})], NOW_MS);
    expect(machinesOnMap([entry('1', {})], NOW_MS, before)).toEqual([before[0]]);
    expect(machinesOnMap([entry('1', {}), entry('2', {}), entry('3', {})], NOW_MS, before)).toHaveLength(3);
  });

  test('marks a machine stale 10 minutes after its last reading (LIVE-07)', () => {
    const fleet = [entry('1', {})];
    const before = machinesOnMap(fleet, NOW_MS);
    expect(machinesOnMap(fleet, NOW_MS + 600_000, before)).toBe(before);
    expect(machinesOnMap(fleet, NOW_MS + 600_001, before)[0]).toMatchObject({ stale: true });
  });
});

test('the map shows a machine’s most urgent reason for attention, except silence, and redraws only machines whose reason changes (53.24)', () => {
  const fault = { kind: 'fault', words: 'storing' } as const;
  const silent = { kind: 'silent', words: 'al 3 uur niets gehoord' } as const;
  const judged = [entry('1', {}), entry('2', {}), entry('3', {})].map((one, at) => ({
    entry: one,
    state: 'off' as const,
    attention: [[fault, silent], [silent], []][at]!,
    since: 0,
    until: 0,
  }));
  const reasons = attentionOnMap(judged);
  expect([...reasons]).toEqual([['1', fault]]);
  const fleet = judged.map((one) => one.entry);
  const before = machinesOnMap(fleet, NOW_MS);
  const after = machinesOnMap(fleet, NOW_MS, before, reasons);
  expect(after.map(({ attention }) => attention)).toEqual([fault, undefined, undefined]);
  expect(after[1]).toBe(before[1]);
  expect(machinesOnMap(fleet, NOW_MS, after, reasons)).toBe(after);
});

test('the list of machines without a position contains only machines that have reported (LIVE-06)', () => {
  const silent = entry('1', { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
  const lost = entry('2', { LATITUDE: 0, LONGITUDE: 0 });
  expect(serialsWithoutPosition([silent, lost, entry('3', {})])).toEqual(['2']);
});
