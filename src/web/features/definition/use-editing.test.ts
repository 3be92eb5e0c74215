import { describe, expect, test } from 'vitest';
import type { Mapping } from '#shared/contract/definition.ts';
import { type DraftRow, draftOf, type MappingDraft, mappingOf } from './mapping-draft.ts';
import { differences, isChanged, rebased } from './use-editing.ts';

const MAPPING: Mapping = {
  signals: [
    { bus: 0, message: 'BMS', signal: 'SocDisp', to: 'Soc1' },
    { bus: 0, message: 'BMS', signal: 'PackI', to: 'BatteryCurrent', factor: -0.1, offset: 2 },
    { signal: 'Oil', to: 'OilTemperature' },
  ],
  keep: [{ bus: 0, message: 'BMS' }],
};
const BASE = draftOf({ kind: 'logger', mapping: MAPPING });
const withRow = (draft: MappingDraft, to: string, change: Partial<DraftRow>): MappingDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.to === to ? { ...row, ...change } : row)),
});
const without = (draft: MappingDraft, to: string): MappingDraft => ({
  ...draft,
  rows: draft.rows.filter((row) => row.to !== to),
});
const rowOf = (draft: MappingDraft, to: string) => draft.rows.find((row) => row.to === to);

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

  test('MEDIT-12 12.A11 a code that a machine has no more goes with its row', () => {
    const signals = [{ bus: 0, message: 'M', signal: 'x', to: 'Spoor' }];
    const mapped = draftOf({ kind: 'machine', mapping: { signals, keep: [] } });
    const cleared = withRow(mapped, 'Spoor', { source: undefined });
    expect(isChanged(cleared, mapped)).toBe(true);
    const saved = draftOf({ kind: 'machine', mapping: mappingOf(cleared) });
    // Saved: what is in the draft is what was sent.
    expect(rebased(cleared, cleared, saved)).toEqual(saved);
    expect(rowOf(saved, 'Spoor')).toBeUndefined();
  });

  test('MEDIT-12 unchanged is unchanged', () => {
    expect(isChanged(BASE, draftOf({ kind: 'logger', mapping: mappingOf(BASE) }))).toBe(false);
    expect(isChanged(withRow(BASE, 'Soc1', { offset: '1' }), BASE)).toBe(true);
    expect(rebased(BASE, BASE, BASE)).toEqual(BASE);
  });
});
