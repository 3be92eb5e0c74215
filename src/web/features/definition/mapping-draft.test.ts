import { describe, expect, test } from 'vitest';
import type { Mapping } from '#shared/contract/definition.ts';
import { differences, isChanged, rebased } from './draft-merge.ts';
import {
  type DraftRow,
  draftOf,
  faultCount,
  type MappingDraft,
  mappingOf,
  ownNameFault,
} from './mapping-draft.ts';
import { indexSignals } from './signal-index.ts';

const MAPPING: Mapping = {
  signals: [
    { bus: 0, message: 'BMS', signal: 'SocDisp', to: 'Soc1' },
    { bus: 0, message: 'BMS', signal: 'PackI', to: 'BatteryCurrent', factor: -0.1, offset: 2 },
    { signal: 'Oil', to: 'OilTemperature' },
  ],
  keep: [{ bus: 0, message: 'BMS' }],
};
const BASE = draftOf(MAPPING);
const withRow = (draft: MappingDraft, to: string, change: Partial<DraftRow>): MappingDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.to === to ? { ...row, ...change } : row)),
});
const without = (draft: MappingDraft, to: string): MappingDraft => ({
  ...draft,
  rows: draft.rows.filter((row) => row.to !== to),
});
const rowOf = (draft: MappingDraft, to: string) => draft.rows.find((row) => row.to === to);

test('MEDIT-12 one row per signal of ours, then the own names; sent as it came', () => {
  expect(BASE.rows.slice(0, 2).map(({ to }) => to)).toEqual(['LATITUDE', 'LONGITUDE']);
  expect(BASE.rows).toHaveLength(17);
  expect(BASE.rows.at(-1)?.to).toBe('OilTemperature');
  expect(rowOf(BASE, 'BatteryCurrent')).toMatchObject({ factor: '-0,1', offset: '2' });
  const sent = mappingOf(BASE);
  expect(sent.keep).toEqual(MAPPING.keep);
  expect(sent.signals).toHaveLength(3);
  expect(sent.signals).toEqual(expect.arrayContaining([...MAPPING.signals]));
});

test('MEDIT-12 what was typed is sent as numbers; 1 and 0 need not be said', () => {
  const draft = withRow(withRow(BASE, 'Soc1', { factor: '0,5', offset: '-40' }), 'BatteryCurrent', {
    factor: '1,0',
    offset: '0',
  });
  const sent = mappingOf(draft).signals;
  expect(sent.find(({ to }) => to === 'Soc1')).toMatchObject({ factor: 0.5, offset: -40 });
  expect(sent.find(({ to }) => to === 'BatteryCurrent')).toEqual({
    bus: 0,
    message: 'BMS',
    signal: 'PackI',
    to: 'BatteryCurrent',
  });
});

describe('faults', () => {
  const one = (name: string) => ({ name, unit: '', min: 0, max: 0 });
  const index = indexSignals([
    {
      bus: 0,
      bitrate: 250_000,
      name: 'a.dbc',
      warnings: [],
      messages: [{ identifier: '0x1', name: 'BMS', signals: [one('SocDisp'), one('PackI'), one('Oil')] }],
    },
  ]);
  test.each<[string, MappingDraft, number]>([
    ['none', BASE, 0],
    ['a factor of 0', withRow(BASE, 'Soc1', { factor: '0' }), 1],
    ['words for an offset', withRow(BASE, 'Soc1', { offset: 'x' }), 1],
    ['a factor of 0 without a source', withRow(BASE, 'Soc2', { factor: '0' }), 0],
    [
      'a signal that is gone',
      withRow(BASE, 'Soc1', { source: { bus: 0, message: 'BMS', signal: 'Old' } }),
      1,
    ],
    ['an own name without a signal', withRow(BASE, 'OilTemperature', { source: undefined }), 1],
    ['two', withRow(withRow(BASE, 'Soc1', { factor: '0' }), 'BatteryCurrent', { factor: 'x' }), 2],
  ])('MEDIT-12 %s', (_, draft, count) => expect(faultCount(draft, index)).toBe(count));

  test.each([
    ['Koelwater', undefined],
    [' OilTemperature ', /staat er al/],
    ['Soc1', /staat er al/],
    ['GMT_UNIX', /tijd/],
    ['', /naam/],
    ['x'.repeat(65), /64/],
  ])('MEDIT-12 own name %j', (name, fault) => {
    const found = ownNameFault(name, BASE);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});

describe('a draft upon a newer version', () => {
  const ALT = { bus: 1, message: 'Other', signal: 'Soc' };
  test.each<[string, MappingDraft, MappingDraft, string, Partial<DraftRow> | undefined]>([
    ['theirs where I changed nothing', BASE, withRow(BASE, 'Soc1', { source: ALT }), 'Soc1', { source: ALT }],
    [
      'mine where I did',
      withRow(BASE, 'Soc1', { factor: '2' }),
      withRow(BASE, 'Soc1', { source: ALT }),
      'Soc1',
      { factor: '2' },
    ],
    [
      'cleared by me stays cleared',
      withRow(BASE, 'Soc1', { source: undefined }),
      BASE,
      'Soc1',
      { source: undefined },
    ],
    ['an own name that I removed', without(BASE, 'OilTemperature'), BASE, 'OilTemperature', undefined],
    ['an own name that they removed', BASE, without(BASE, 'OilTemperature'), 'OilTemperature', undefined],
    [
      'that I changed meanwhile',
      withRow(BASE, 'OilTemperature', { factor: '3' }),
      without(BASE, 'OilTemperature'),
      'OilTemperature',
      { factor: '3' },
    ],
  ])('MEDIT-12 %s', (_, mine, theirs, to, expected) => {
    const row = rowOf(rebased(mine, BASE, theirs), to);
    if (expected) expect(row).toMatchObject(expected);
    else expect(row).toBeUndefined();
  });

  test('MEDIT-12 kept messages of both', () => {
    const [a, b, c] = ['A', 'B', 'BMS'].map((message) => ({ bus: 0, message }));
    const mine = { ...BASE, keep: [a!] };
    const theirs = { ...BASE, keep: [b!, c!] };
    expect(rebased(mine, BASE, theirs).keep).toEqual([b, a]);
    expect(differences(mine, BASE)).toEqual(['bewaren']);
  });

  test('MEDIT-12 unchanged is unchanged', () => {
    expect(isChanged(BASE, draftOf(mappingOf(BASE)))).toBe(false);
    expect(isChanged(withRow(BASE, 'Soc1', { offset: '1' }), BASE)).toBe(true);
    expect(rebased(BASE, BASE, BASE)).toEqual(BASE);
  });
});
